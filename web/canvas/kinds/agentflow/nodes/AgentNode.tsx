import type { NodeProps } from '@xyflow/react'
import { lazy, memo, Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { hasErrorBranch } from '#contract/flow/document/handles.ts'
import { outputLabel } from '#contract/flow/kinds/agentflow/connections.ts'
import { hasOutputRows, outputsOf } from '../../../geometry/node-size.ts'
import { useCanvas } from '../../../store/context.ts'
import { FaceText } from '../../../surface/FaceText.tsx'
import { looksSame, NodeBox, NodeHead } from '../../../surface/NodeParts.tsx'
import { typeLabel } from '../../../surface/node-labels.ts'
import type { ViewNode } from '../../../surface/to-xyflow.ts'
import type { Face } from '../../types.ts'

const ToolIcons = lazy(() => import('../../../../ui/ToolIcons.tsx'))

/** A step of an agent flow: icon, label, type, face or outputs, and its status in the last run. */
export const AgentNode = memo(function AgentNode({ id, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { problems } = useSnapshot(canvas.state)
  const known = canvas.definitions.has(node.data.name)
  const rows = hasOutputRows(node)
  const failure = hasErrorBranch(node)
  const face = rows ? null : canvas.kind.face(node, canvas.definitions)
  return (
    <NodeBox node={node}>
      <NodeHead
        node={node}
        typeText={known ? typeLabel(node.data) : node.data.name}
        problem={problems.byNode.get(id)}
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
    </NodeBox>
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
