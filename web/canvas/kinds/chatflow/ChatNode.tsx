import type { NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { linkableInputs, outputChoices, shownOutputs } from '#contract/flow/document/anchors.ts'
import type { FlowNode } from '#contract/flow/document/document.ts'
import { CHOICE_ROW, TYPED_ROW } from '../../geometry/node-size.ts'
import { useCanvas } from '../../store/context.ts'
import { FaceText } from '../../surface/FaceText.tsx'
import { looksSame, NodeBox, NodeHead } from '../../surface/NodeParts.tsx'
import { typeLabel } from '../../surface/node-labels.ts'
import type { ViewNode } from '../../surface/to-xyflow.ts'
import { OutputSelect } from './OutputField.tsx'

/** A component of a chat flow: what it is set to, a row for each input and its output. */
export const ChatNode = memo(function ChatNode({ id, data: { node } }: NodeProps<ViewNode>) {
  const canvas = useCanvas()
  const { problems } = useSnapshot(canvas.state)
  return (
    <NodeBox node={node}>
      <NodeHead
        node={node}
        typeText={typeText(node, canvas.definitions.has(node.data.name))}
        problem={problems.byNode.get(id)}
      />
      <div className="heddle-node-line heddle-node-set">
        <FaceText text={canvas.kind.face(node, canvas.definitions).first} />
      </div>
      {linkableInputs(node).map((input) => (
        <div key={input.id} className="heddle-node-input" style={{ height: TYPED_ROW }} title={input.type}>
          {input.label || input.name}
          {!input.optional && <span aria-hidden> *</span>}
        </div>
      ))}
      {outputChoices(node.data).length > 0 ? (
        <div className="heddle-node-choice nodrag" style={{ height: CHOICE_ROW }}>
          <OutputSelect node={node} className="heddle-node-select" />
        </div>
      ) : (
        shownOutputs(node.data).map((output) => (
          <div key={output.id} className="heddle-node-output" style={{ height: TYPED_ROW }} title={output.type}>
            {output.label || output.name}
          </div>
        ))
      )}
    </NodeBox>
  )
}, looksSame)

function typeText({ data }: FlowNode, known: boolean): string {
  if (!known) return data.name
  const type = typeLabel(data)
  if (data.credential === undefined) return type
  return data.credential ? `${type} · key chosen` : `${type} · no key`
}
