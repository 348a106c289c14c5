/** Turns xyflow's changes into commands. Arrow-key moves are reported only here, not to the drag handlers. */
import type { EdgeChange, NodeChange } from '@xyflow/react'
import type { Point } from '../geometry/boxes.ts'
import type { Size } from '../geometry/node-size.ts'
import { moveNodes, resizeNode } from '../store/commands.ts'
import { type Canvas, type Selection, select } from '../store/store.ts'
import type { ViewEdge, ViewNode } from './to-xyflow.ts'

export function followNodeChanges(canvas: Canvas, changes: readonly NodeChange<ViewNode>[]): void {
  const places = new Map<string, Point>()
  let resized: { id: string; size: Size } | undefined
  for (const change of changes) {
    if (change.type === 'position' && change.position) places.set(change.id, change.position)
    if (change.type === 'dimensions' && change.resizing && change.dimensions) {
      resized = { id: change.id, size: change.dimensions }
    }
  }
  if (resized) resizeNode(canvas, resized.id, { size: resized.size, places })
  else if (places.size > 0) {
    const isDrag = canvas.dragged !== null
    moveNodes(canvas, (isDrag && canvas.snapping?.move(canvas, places)) || places)
  }
  followSelection(canvas, 'nodes', changes)
}

export function followEdgeChanges(canvas: Canvas, changes: readonly EdgeChange<ViewEdge>[]): void {
  followSelection(canvas, 'edges', changes)
}

interface SelectChange {
  type: string
  id?: string
  selected?: boolean
}

function followSelection(canvas: Canvas, kind: keyof Selection, changes: readonly SelectChange[]): void {
  const selected = new Set(canvas.state.selection[kind])
  let touched = false
  for (const { type, id, selected: on } of changes) {
    if (type !== 'select' || id === undefined || selected.has(id) === on) continue
    touched = true
    if (on) selected.add(id)
    else selected.delete(id)
  }
  if (touched) select(canvas, { ...canvas.state.selection, [kind]: [...selected] })
}
