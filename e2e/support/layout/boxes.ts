/** Where things stand on the page. */
import type { Locator } from '@playwright/test'

interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Pixels. Throws when it isn't drawn. */
export async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox()
  if (!box) throw new Error(`${locator} is not on screen`)
  return box
}

export const overlap = (one: Box, other: Box): boolean =>
  meet(one.x, one.width, other.x, other.width) && meet(one.y, one.height, other.y, other.height)

const meet = (from: number, length: number, start: number, extent: number) =>
  from < start + extent && start < from + length

export const contains = (outer: Box, { x, y, width, height }: Box): boolean =>
  x >= outer.x && y >= outer.y && x + width <= outer.x + outer.width && y + height <= outer.y + outer.height
