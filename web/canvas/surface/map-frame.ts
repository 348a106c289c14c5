/** The frame on the mini-map round what is visible. */
import type { Viewport } from '@xyflow/react'
import type { Box } from '../geometry/boxes.ts'
import type { Size } from '../geometry/node-size.ts'

const MIN_FRAME_PX = 8

/**
 * Returns the frame in the map's pixels. It stays within the map: round all of it while more than the flow is visible,
 * and at its edge while nothing of the flow is.
 */
export function frameIn(map: Size, scale: Viewport, { view, pane }: { view: Viewport; pane: Size }): Box {
  const ratio = scale.zoom / view.zoom
  const across = within(scale.x - view.x * ratio, pane.width * ratio, map.width)
  const down = within(scale.y - view.y * ratio, pane.height * ratio, map.height)
  return { x: across.start, y: down.start, width: across.length, height: down.length }
}

function within(from: number, length: number, room: number) {
  const start = Math.min(Math.max(0, from), room - MIN_FRAME_PX)
  return { start, length: Math.max(MIN_FRAME_PX, Math.min(room, from + length) - start) }
}
