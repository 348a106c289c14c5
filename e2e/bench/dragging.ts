/** What each step costs while a person drags selected nodes with the mouse. */
import type { Page } from '@playwright/test'
import { takeRenders } from '../support/renders.ts'
import { type Frames, measureFrames } from './frames.ts'

export interface Dragging extends Frames {
  selected: number
  /** Milliseconds of the page's own thread for each move of the mouse. Other programs do not count. */
  work: number
  /** Nodes rendered for each move. */
  nodes: number
  /** What nodes show, rendered for each move. */
  faces: number
}

const STEPS = 120

/** The nodes of the box are in view when the page opens. `page` counts its renders. */
export async function measureDragging(page: Page, box: { width: number; height: number }): Promise<Dragging> {
  const corner = await page.locator('.react-flow').boundingBox()
  if (!corner) throw new Error('The canvas is not on screen')
  await page.keyboard.down('Shift')
  await page.mouse.move(corner.x + 20, corner.y + 20)
  await page.mouse.down()
  await page.mouse.move(corner.x + box.width, corner.y + box.height, { steps: 5 })
  await page.mouse.up()
  await page.keyboard.up('Shift')
  const chosen = page.locator('.react-flow__node.selected')
  const selected = await chosen.count()
  const grasped = await chosen.first().boundingBox()
  if (!grasped) throw new Error('No node is selected')
  const from = { x: grasped.x + grasped.width / 2, y: grasped.y + grasped.height / 2 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + 10, { steps: 5 })

  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const seconds = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN
  }
  await takeRenders(page)
  const begin = await seconds()
  const frames = await measureFrames(page, async () => {
    for (let step = 0; step < STEPS; step++) await page.mouse.move(from.x + 10 + step * 2, from.y + 10 + step)
  })
  const work = ((await seconds()) - begin) * 1000
  const { nodes, faces } = await takeRenders(page)
  await page.mouse.up()
  const moved = await chosen.first().boundingBox()
  if (moved?.x === grasped.x) throw new Error('The nodes did not move')
  return { ...frames, selected, work: work / STEPS, nodes: nodes.length / STEPS, faces: faces.length / STEPS }
}
