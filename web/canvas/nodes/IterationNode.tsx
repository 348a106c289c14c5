import { type NodeProps, NodeResizer } from '@xyflow/react'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { mayConnect } from '../connecting.ts'
import { useCanvas } from '../context.ts'
import { NodeIcon } from '../icons.tsx'
import type { ViewNode } from '../view.ts'
import { NodeHandles, RunMarks } from './AgentNode.tsx'

/** A container: the nodes inside it run once for each item. */
export const IterationNode = memo(function IterationNode({ id, selected, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { connecting } = useSnapshot(canvas.state)
  const run = useSnapshot(canvas.state.run).nodes[id]
  return (
    <div
      className="heddle-node heddle-container"
      data-status={run?.status}
      data-refused={(connecting && !mayConnect(canvas, connecting, id)) || undefined}
    >
      <NodeResizer isVisible={selected} minWidth={300} minHeight={250} handleStyle={{ width: 10, height: 10 }} />
      <div className="heddle-node-head">
        <span className="heddle-node-icon" style={{ background: node.data.color ?? '#9C89B8' }}>
          <NodeIcon name={node.data.name} />
        </span>
        <div className="heddle-node-names">
          <div className="heddle-node-label">{node.data.label}</div>
          <div className="heddle-node-kind">{node.data.type ?? node.data.name}</div>
        </div>
      </div>
      <NodeHandles node={node} />
      {run && <RunMarks run={run} />}
    </div>
  )
})
