/** Frame times while a person drags the canvas with the mouse. */
import type { Page } from '@playwright/test'
import { type Frames, measureFrames } from './frames.ts'

const ZOOM = { in: 0.95, out: 0.25 }
/** Odd, so that the canvas does not end where it began. */
const SWEEPS = 7
const MOVES = 40
const MIDDLE = { x: 700, y: 480 }

export async function measurePanning(page: Page, zoom: 'in' | 'out'): Promise<Frames> {
  await page.mouse.move(MIDDLE.x, MIDDLE.y)
  await zoomTo(page, zoom)
  const from = await emptyPoint(page)
  await page.mouse.move(from.x, from.y)
  const before = await viewOf(page)
  await page.mouse.down()
  const frames = await measureFrames(page, async () => {
    for (let sweep = 0; sweep < SWEEPS; sweep++) {
      for (let move = 0; move < MOVES; move++) {
        const way = sweep % 2 === 0 ? move : MOVES - move
        await page.mouse.move(from.x - way * 9, from.y - way * 5)
      }
    }
  })
  await page.mouse.up()
  if ((await viewOf(page)).e === before.e) throw new Error('The canvas did not move')
  return frames
}

async function zoomTo(page: Page, zoom: 'in' | 'out'): Promise<void> {
  const isThere = async () => {
    const { a: now } = await viewOf(page)
    return zoom === 'in' ? now >= ZOOM.in : now <= ZOOM.out
  }
  for (let turns = 0; turns < 100 && !(await isThere()); turns++) await page.mouse.wheel(0, zoom === 'in' ? -60 : 60)
}

/** The view as its matrix: `a` is the zoom, `e` the shift to the right. */
function viewOf(page: Page): Promise<{ a: number; e: number }> {
  return page.evaluate(() => {
    const viewport = document.querySelector('.react-flow__viewport')
    const { a, e } = new DOMMatrix(viewport ? getComputedStyle(viewport).transform : '')
    return { a, e }
  })
}

/** A point where a press grasps the canvas, not a node. */
async function emptyPoint(page: Page): Promise<{ x: number; y: number }> {
  const point = await page.evaluate(({ x, y }) => {
    for (let step = 0; step < 60; step++) {
      const at = { x: x + ((step * 37) % 300), y: y + ((step * 23) % 200) }
      if (document.elementFromPoint(at.x, at.y)?.classList.contains('react-flow__pane')) return at
    }
    return null
  }, MIDDLE)
  if (!point) throw new Error('There is no empty place on the canvas')
  return point
}
