import type { Point } from '../geometry/boxes.ts'
import type { Size } from '../geometry/node-size.ts'

const MARGIN = 8

/** Returns the corner at which a box of this size stands inside of the window, nearest to the place. */
export function placeInWindow({ x, y }: Point, { width, height }: Size): { left: string; top: string } {
  const within = (at: number, size: number, room: number) => Math.max(MARGIN, Math.min(at, room - size - MARGIN))
  return { left: `${within(x, width, window.innerWidth)}px`, top: `${within(y, height, window.innerHeight)}px` }
}
