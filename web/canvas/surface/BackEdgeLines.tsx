import { ViewportPortal } from '@xyflow/react'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import { byId, nodeBox } from '../geometry/boxes.ts'
import { useCanvas } from '../store/context.ts'

/** A dashed line along each back edge. It is not an edge of the drawing and cannot be edited. */
export function BackEdgeLines() {
  const canvas = useCanvas()
  const { flow } = useSnapshot(canvas.state, { sync: true })
  const lines = useMemo(() => backEdgeLines(flow, canvas.kind.flow), [flow, canvas])
  if (lines.length === 0) return null
  return (
    <ViewportPortal>
      <svg className="heddle-back-edges" aria-hidden>
        <defs>
          <marker
            id="heddle-back-edge-end"
            viewBox="0 0 10 10"
            refX="8"
            refY="5"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0 L10 5 L0 10 z" />
          </marker>
        </defs>
        {lines.map(({ id, path, label, middle }) => (
          <g key={id}>
            <path d={path} markerEnd="url(#heddle-back-edge-end)" />
            <text {...middle}>{label}</text>
          </g>
        ))}
      </svg>
    </ViewportPortal>
  )
}

interface BackEdgeLine {
  id: string
  /** As an SVG path, in flow coordinates. */
  path: string
  label: string
  /** Where the label stands. */
  middle: { x: number; y: number }
}

const MIN_DEPTH = 50
/** Between the lines of one node. */
const GAP = 24

/** Returns a line for each back edge whose target exists. */
export function backEdgeLines(flow: FlowDocument, kind: FlowKind): BackEdgeLine[] {
  const back = flow.nodes.flatMap((node) => kind.backEdges(node).map((edge, index) => ({ node, edge, index })))
  if (back.length === 0) return []
  const nodes = byId(flow.nodes)
  return back.flatMap(({ node, edge: { target: id, label }, index }) => {
    const target = nodes.get(id)
    if (!target) return []
    const from = nodeBox(node, nodes)
    const to = nodeBox(target, nodes)
    const start = { x: from.x + from.width / 2, y: from.y + from.height }
    const end = { x: to.x + to.width / 2, y: to.y + to.height + 4 }
    const depth = Math.max(start.y, end.y) + MIN_DEPTH + Math.abs(start.x - end.x) / 8 + index * GAP
    const path = `M${start.x} ${start.y} C${start.x} ${depth} ${end.x} ${depth} ${end.x} ${end.y}`
    const middle = { x: (start.x + end.x) / 2, y: (start.y + 6 * depth + end.y) / 8 }
    return [{ id: `${node.id} ${index}`, path, label, middle }]
  })
}
