/** Viewports computed from the document, also for nodes that are not rendered. */

import { getViewportForBounds, type ReactFlowInstance, type Viewport } from '@xyflow/react'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { type Box, boundsOf, byId, nodeBox } from '../geometry/boxes.ts'
import { isContainer, type Size } from '../geometry/node-size.ts'

export const MIN_ZOOM = 0.05
export const MAX_ZOOM = 2

/** Returns the view that fits these nodes (all by default), at most at zoom 1; null without nodes. */
export function viewOf(flow: FlowDocument, pane: Size, ids?: readonly string[]): Viewport | null {
  const nodes = byId(flow.nodes)
  const shown = ids ? flow.nodes.filter((node) => ids.includes(node.id)) : flow.nodes
  const bounds = boundsOf(shown.map((node) => nodeBox(node, nodes)))
  return bounds && getViewportForBounds(bounds, pane.width, pane.height, MIN_ZOOM, 1, 0.12)
}

/** Centres a node. */
export function showNode(instance: ReactFlowInstance<never, never>, flow: FlowDocument, id: string): void {
  const nodes = byId(flow.nodes)
  const node = nodes.get(id)
  if (!node) return
  const box = nodeBox(node, nodes)
  const zoom = Math.max(instance.getZoom(), 0.8)
  void instance.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, duration: 200 })
}

/** Returns the view moved just enough to show the node, null when it is visible. */
export function viewWith(
  flow: FlowDocument,
  id: string,
  { view, pane }: { view: Viewport; pane: Size },
): Viewport | null {
  const nodes = byId(flow.nodes)
  const node = nodes.get(id)
  if (!node) return null
  const box = nodeBox(node, nodes)
  const shift = (start: number, length: number, room: number) =>
    start < MARGIN ? MARGIN - start : Math.min(0, room - MARGIN - (start + length))
  const dx = shift(box.x * view.zoom + view.x, box.width * view.zoom, pane.width)
  const dy = shift(box.y * view.zoom + view.y, box.height * view.zoom, pane.height)
  return dx === 0 && dy === 0 ? null : { x: view.x + dx, y: view.y + dy, zoom: view.zoom }
}

export const MARGIN = 24
const ROOM: Size = { width: 220, height: 90 }
const GAP = 40

/** Returns the nearest place to the right of `middle` where a new node covers no other. */
export function freePlace(flow: FlowDocument, middle: { x: number; y: number }): { x: number; y: number } {
  const nodes = byId(flow.nodes)
  const boxes = flow.nodes.filter((node) => !isContainer(node)).map((node) => nodeBox(node, nodes))
  const place = { ...middle }
  const covered = () =>
    boxes.find(
      (box) =>
        Math.abs(box.x + box.width / 2 - place.x) < (box.width + ROOM.width) / 2 &&
        Math.abs(box.y + box.height / 2 - place.y) < (box.height + ROOM.height) / 2,
    )
  for (let box = covered(); box; box = covered()) place.x = box.x + box.width + GAP + ROOM.width / 2
  return place
}

const STEP = 30

/** Returns the top left corner for copies of these nodes: in the middle of what is visible, on none of the same place. */
export function placeOfCopies(flow: FlowDocument, copied: readonly FlowNode[], visible: Box): { x: number; y: number } {
  const roots = copied.filter((node) => !copied.some(({ id }) => id === node.parentNode))
  const bounds = boundsOf(roots.map((node) => nodeBox(node, byId(roots)))) ?? { x: 0, y: 0, width: 0, height: 0 }
  const place = {
    x: Math.round(visible.x + Math.max(0, (visible.width - bounds.width) / 2)),
    y: Math.round(visible.y + Math.max(0, (visible.height - bounds.height) / 2)),
  }
  const taken = () =>
    flow.nodes.some(({ position }) => Math.abs(position.x - place.x) < STEP && Math.abs(position.y - place.y) < STEP)
  while (taken()) {
    place.x += STEP
    place.y += STEP
  }
  return place
}
