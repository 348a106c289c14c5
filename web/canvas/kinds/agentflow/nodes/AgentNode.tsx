import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import { outputLabel } from '#contract/flow/kinds/agentflow/connections.ts'
import { isSupported } from '#contract/flow/transfer/report.ts'
import { canConnect } from '../../../store/connecting.ts'
import { useCanvas } from '../../../store/context.ts'
import { hasOutputRows, outputsOf } from '../../../surface/geometry.ts'
import { CompareMark, NodeHandles, NodeHead, RunBadge } from '../../../surface/NodeParts.tsx'
import { typeLabel } from '../../../surface/node-labels.ts'
import type { ViewNode } from '../../../surface/to-xyflow.ts'

/** A step of an agent flow: icon, label, type, summary or outputs, and its status in the last run. */
export const AgentNode = memo(function AgentNode({ id, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { connecting, problems } = useSnapshot(canvas.state)
  const run = useSnapshot(canvas.state.run).nodes[id]
  const known = canvas.definitions.has(node.data.name)
  const supported = isSupported(node, canvas.definitions)
  const problem = problems.byNode.get(id)
  const rows = hasOutputRows(node)
  const failure = hasErrorBranch(node)
  const summary = rows ? '' : canvas.kind.summary(node, canvas.definitions)
  return (
    <div
      className="heddle-node"
      data-status={run?.status}
      data-refused={(connecting && !canConnect(canvas, connecting, id)) || undefined}
      data-problem={problem ? true : undefined}
      data-unsupported={supported ? undefined : true}
      data-mark={canvas.marks?.get(id)}
      title={problem}
    >
      <NodeHead
        node={node}
        typeText={known ? typeLabel(node.data) : node.data.name}
        problem={problem}
        alone={!rows && !failure && summary === ''}
      />
      {rows ? (
        outputsOf(node).map((anchor, index) => (
          <div key={anchor.id} className="heddle-node-output">
            {outputLabel(node, index)}
          </div>
        ))
      ) : (
        <div className="heddle-node-summary">{summary}</div>
      )}
      {failure && <div className="heddle-node-output heddle-node-failure">On error</div>}
      {!supported && <div className="heddle-node-unsupported">Not supported. Kept unchanged.</div>}
      <NodeHandles node={node} />
      {run && <RunBadge run={run} />}
      <CompareMark mark={canvas.marks?.get(id)} />
    </div>
  )
})
