import type { NodeProps } from '@xyflow/react'
import { lazy, memo, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import { outputLabel } from '#contract/flow/kinds/agentflow/connections.ts'
import { isSupported } from '#contract/flow/transfer/report.ts'
import { canConnect } from '../../../store/connecting.ts'
import { useCanvas } from '../../../store/context.ts'
import { FaceText } from '../../../surface/FaceText.tsx'
import { hasOutputRows, outputsOf } from '../../../surface/geometry.ts'
import { CompareMark, looksSame, NodeHandles, NodeHead, RunBadge } from '../../../surface/NodeParts.tsx'
import { typeLabel } from '../../../surface/node-labels.ts'
import type { ViewNode } from '../../../surface/to-xyflow.ts'
import type { Face } from '../../types.ts'

const ToolIcons = lazy(() => import('../../../../ui/ToolIcons.tsx'))

/** A step of an agent flow: icon, label, type, face or outputs, and its status in the last run. */
export const AgentNode = memo(function AgentNode({ id, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { connecting, problems } = useSnapshot(canvas.state)
  const run = useSnapshot(canvas.state.run).nodes[id]
  const known = canvas.definitions.has(node.data.name)
  const supported = isSupported(node, canvas.definitions)
  const problem = problems.byNode.get(id)
  const rows = hasOutputRows(node)
  const failure = hasErrorBranch(node)
  const face = rows ? null : canvas.kind.face(node, canvas.definitions)
  return (
    <div
      className="heddle-node"
      data-status={run?.status}
      data-refused={(connecting && !canConnect(canvas, connecting, id)) || undefined}
      data-problem={problem && (problems.failing.has(id) ? 'error' : 'warning')}
      data-unsupported={supported ? undefined : true}
      data-mark={canvas.marks?.get(id)}
      title={problem}
    >
      <NodeHead
        node={node}
        typeText={known ? typeLabel(node.data) : node.data.name}
        problem={problem}
        alone={!rows && !failure && !face?.first && !face?.second && !face?.tools.length}
      />
      {rows
        ? outputsOf(node).map((anchor, index) => (
            <div key={anchor.id} className="heddle-node-output">
              <FaceText text={outputLabel(node, index)} />
            </div>
          ))
        : face && <FaceLines {...face} />}
      {failure && <div className="heddle-node-output heddle-node-failure">On error</div>}
      {!supported && <div className="heddle-node-unsupported">Not supported. Kept unchanged.</div>}
      <NodeHandles node={node} />
      {run && <RunBadge run={run} />}
      <CompareMark mark={canvas.marks?.get(id)} />
    </div>
  )
}, looksSame)

const FaceLines = ({ first, second, tools }: Face) => (
  <>
    {first && (
      <div className="heddle-node-line">
        <FaceText text={first} />
      </div>
    )}
    {(second || tools.length > 0) && (
      <div className="heddle-node-line">
        <Suspense>{tools.length > 0 && <ToolIcons tools={tools} />}</Suspense>
        {second}
      </div>
    )}
  </>
)
