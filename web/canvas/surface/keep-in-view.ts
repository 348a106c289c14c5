/** Keeps what a person looks at in view when the pane is resized. */

import { getViewportForBounds, type Viewport } from '@xyflow/react'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { type Box, boundsOf, byId, nodeBox } from '../geometry/boxes.ts'
import type { Size } from '../geometry/node-size.ts'
import { MARGIN, viewWith } from './viewport.ts'

/** Below it, names cannot be read: the view keeps its zoom rather than to show everything. */
const READABLE = 0.5

interface Resize {
  view: Viewport
  before: Size
  after: Size
  /** The selected node, which matters most. */
  focus: string | undefined
}

/**
 * Returns the view moved just enough for the nodes that were wholly visible, zoomed out if they need it; null when
 * nothing has to move.
 */
export function viewAfterResize(flow: FlowDocument, { view, before, after, focus }: Resize): Viewport | null {
  const nodes = byId(flow.nodes)
  const kept = flow.nodes.filter((node) => node.id === focus || isWithin(onScreen(nodeBox(node, nodes), view), before))
  const bounds = boundsOf(kept.map((node) => nodeBox(node, nodes)))
  if (!bounds) return null
  const { x, y, width, height } = onScreen(bounds, view)
  if (width + 2 * MARGIN <= after.width && height + 2 * MARGIN <= after.height) {
    const dx = shift(x, width, after.width)
    const dy = shift(y, height, after.height)
    return dx === 0 && dy === 0 ? null : { x: view.x + dx, y: view.y + dy, zoom: view.zoom }
  }
  if (isWithin({ x, y, width, height }, after)) return null
  const smaller = getViewportForBounds(bounds, after.width, after.height, 0, view.zoom, 0.08)
  if (smaller.zoom >= Math.min(READABLE, view.zoom)) return smaller
  return focus === undefined ? null : viewWith(flow, focus, { view, pane: after })
}

/** Returns true when all of these nodes are wholly visible. */
export function isInView(flow: FlowDocument, ids: readonly string[], { view, pane }: { view: Viewport; pane: Size }) {
  const nodes = byId(flow.nodes)
  return flow.nodes
    .filter(({ id }) => ids.includes(id))
    .every((node) => isWithin(onScreen(nodeBox(node, nodes), view), pane))
}

const onScreen = (box: Box, view: Viewport): Box => ({
  x: box.x * view.zoom + view.x,
  y: box.y * view.zoom + view.y,
  width: box.width * view.zoom,
  height: box.height * view.zoom,
})

const isWithin = ({ x, y, width, height }: Box, pane: Size): boolean =>
  x >= 0 && y >= 0 && x + width <= pane.width && y + height <= pane.height

/** Returns how far a stretch has to move to lie within the room, with a margin where it touched the end. */
const shift = (start: number, length: number, room: number): number => {
  if (start < 0) return MARGIN - start
  return start + length <= room ? 0 : room - MARGIN - (start + length)
}
