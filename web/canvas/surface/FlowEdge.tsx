import { BaseEdge, type EdgeProps, getBezierPath } from '@xyflow/react'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { truncate } from '#contract/data/format.ts'
import { useCanvas } from '../store/context.ts'
import type { ViewEdge } from './to-xyflow.ts'

const LETTER = 6.2
const MAX_LENGTH = 24
const ROOM_AROUND = 60

/** A connection with its label. */
export const FlowEdge = memo(function FlowEdge(props: EdgeProps<ViewEdge>) {
  const [path, x, y] = getBezierPath(props)
  const canvas = useCanvas()
  const { nodes } = useSnapshot(canvas.state.run)
  const failed = props.data?.failed ?? false
  // The path of the last run.
  const lit = nodes[props.source]?.status === (failed ? 'ERROR' : 'FINISHED') && nodes[props.target] !== undefined
  const label = fitting(props.data?.label ?? '', props.targetX - props.sourceX)
  return (
    <>
      <BaseEdge
        path={path}
        className={`heddle-edge${failed ? ' heddle-failed' : ''}${lit ? ' heddle-lit' : ''}`}
        data-mark={canvas.marks?.get(props.id)}
        interactionWidth={24}
      />
      {label && <EdgeLabel label={label} x={x} y={y} />}
    </>
  )
})

/** Returns '' where the nodes are too close for the label, which the output row repeats. */
const fitting = (label: string, distance: number): string =>
  distance > Math.min(label.length, MAX_LENGTH) * LETTER + ROOM_AROUND ? label : ''

function EdgeLabel({ label, x, y }: { label: string; x: number; y: number }) {
  const text = truncate(label, MAX_LENGTH)
  const width = text.length * LETTER + 14
  return (
    <g className="heddle-edge-label" transform={`translate(${x} ${y})`}>
      <title>{label}</title>
      <rect x={-width / 2} y={-10} width={width} height={20} rx={10} />
      <text>{text}</text>
    </g>
  )
}
