import { ViewportPortal } from '@xyflow/react'
import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { loopTarget } from '#contract/flow/kinds/agentflow/loop.ts'
import { byId, nodeBox } from '../../geometry/boxes.ts'
import { useCanvas } from '../../store/context.ts'

/** A dashed line from each Loop node to its target. It is not an edge and cannot be edited. */
export function LoopLines() {
  const { flow } = useSnapshot(useCanvas().state, { sync: true })
  const lines = useMemo(() => loopLines(flow), [flow])
  if (lines.length === 0) return null
  return (
    <ViewportPortal>
      <svg className="heddle-loops" aria-hidden>
        <defs>
          <marker
            id="heddle-loop-end"
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
        {lines.map(({ id, path }) => (
          <path key={id} d={path} markerEnd="url(#heddle-loop-end)" />
        ))}
      </svg>
    </ViewportPortal>
  )
}

const MIN_DEPTH = 50

/** Returns an SVG path for each Loop node whose target exists. */
export function loopLines(flow: FlowDocument): { id: string; path: string }[] {
  const loops = flow.nodes.filter((node) => loopTarget(node) !== undefined)
  if (loops.length === 0) return []
  const nodes = byId(flow.nodes)
  return loops.flatMap((node) => {
    const target = nodes.get(loopTarget(node) ?? '')
    if (!target) return []
    const from = nodeBox(node, nodes)
    const to = nodeBox(target, nodes)
    const start = { x: from.x + from.width / 2, y: from.y + from.height }
    const end = { x: to.x + to.width / 2, y: to.y + to.height + 4 }
    const depth = Math.max(start.y, end.y) + MIN_DEPTH + Math.abs(start.x - end.x) / 8
    return [{ id: node.id, path: `M${start.x} ${start.y} C${start.x} ${depth} ${end.x} ${depth} ${end.x} ${end.y}` }]
  })
}
