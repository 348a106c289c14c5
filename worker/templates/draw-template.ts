/** Makes the flow of a template: its steps laid out from left to right, below a note. Pure. */
import { linkableInputs, outputChoices, shownOutputs } from '#contract/flow/document/anchors.ts'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { drawFlow } from '#contract/flow/document/draw.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { layOut } from '#contract/flow/kinds/agentflow/place.ts'
import { kindOf } from '#contract/flow/kinds/index.ts'
import type { CheckedFlowKind } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Template } from './types.ts'

const NOTE = { width: 460, lineHeight: 19, padding: 28, lettersInLine: 62, gap: 60 }

export function drawTemplate(template: Template, definitions: readonly ComponentDefinition[]): FlowDocument {
  const kind = kindOfTemplate(template)
  const { nodes, edges } = layOut(withSizes(drawFlow(template, definitions, kind)), new Set())
  const note = definitions.find((each) => isStickyNote(each) && kind.palette.headingOf(each) !== undefined)
  const parts = note ? [{ name: note.name, inputs: { note: noteOf(template) } }] : []
  const drawn = drawFlow({ parts }, definitions, kind)
  return { nodes: [...nodes, ...drawn.nodes.map((node) => aboveTheFlow(node, noteOf(template)))], edges }
}

export const kindOfTemplate = ({ type }: Template): CheckedFlowKind => kindOf(type ?? agentflow.type)

/** As the canvas draws nodes with typed ports: a header and a line, and a row for each port. */
const TYPED = { width: 240, head: 72, row: 22 }

function withSizes(flow: FlowDocument): FlowDocument {
  const sized = (node: FlowNode): FlowNode => {
    if (node.type !== 'customNode') return node
    const rows = linkableInputs(node).length + shownOutputs(node.data).length
    const choice = outputChoices(node.data).length > 0 ? TYPED.row / 2 : 0
    return { ...node, width: TYPED.width, height: TYPED.head + rows * TYPED.row + choice }
  }
  return { ...flow, nodes: flow.nodes.map(sized) }
}

function aboveTheFlow(note: FlowNode, text: string): FlowNode {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / NOTE.lettersInLine)), 0)
  const height = lines * NOTE.lineHeight + NOTE.padding
  const size = { width: NOTE.width, height }
  return { ...note, position: { x: 0, y: -height - NOTE.gap }, ...size, style: size }
}

const noteOf = ({ note, sample }: Template) => ('question' in sample ? `${note}\n\nTry: “${sample.question}”` : note)
