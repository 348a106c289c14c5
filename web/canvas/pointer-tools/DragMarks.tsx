import { ViewportPortal } from '@xyflow/react'
import { useSnapshot } from 'valtio'
import { byId, nodeBox } from '../geometry/boxes.ts'
import { type HandleRef, nodeHandles } from '../geometry/handles.ts'
import { sceneOf } from '../store/connecting.ts'
import { useCanvas } from '../store/context.ts'
import type { Canvas, Spot } from '../store/store.ts'
import { computeCurves, pathOf } from './curves.ts'

/** The lines that dragged nodes are drawn to, the connection they would go into, and the line that waits for a node. */
export function DragMarks() {
  const canvas = useCanvas()
  const { guides, over, menu } = useSnapshot(canvas.state)
  const waiting = menu?.what === 'search' && 'from' in menu.spot ? waitingLine(canvas, menu.spot) : null
  const curve = over && computeCurves(sceneOf(canvas)).find(({ id }) => id === over.edge)
  if (guides.length === 0 && !curve && !waiting) return null
  return (
    <ViewportPortal>
      <svg className="heddle-drag-marks" aria-hidden>
        {guides.map(({ axis, at, from, to }) => (
          <line
            key={axis}
            className="heddle-guide"
            {...(axis === 'x' ? { x1: at, x2: at, y1: from, y2: to } : { y1: at, y2: at, x1: from, x2: to })}
          />
        ))}
        {curve && <path className="heddle-over" data-refused={!over?.verdict.ok || undefined} d={pathOf(curve)} />}
        {waiting && <path className="heddle-waiting" d={waiting} />}
      </svg>
    </ViewportPortal>
  )
}

/** While a node is chosen for a line that ended on the empty canvas, the line stays. */
function waitingLine(canvas: Canvas, { from, at }: Extract<Spot, { from: HandleRef }>): string | null {
  const nodes = byId(canvas.state.flow.nodes)
  const node = nodes.get(from.nodeId)
  const handle = node && nodeHandles(node, canvas.kind).find(({ id }) => id === from.handleId)
  if (!node || !handle || !at) return null
  const box = nodeBox(node, nodes)
  const end = { x: box.x + handle.x, y: box.y + handle.y }
  return pathOf(from.type === 'source' ? { id: '', from: end, to: at } : { id: '', from: at, to: end })
}
