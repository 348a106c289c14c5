/** Makes the flow of a template: its steps laid out from left to right, below a note. Pure. */
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { drawFlow } from '#contract/flow/document/draw.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { place } from '#contract/flow/kinds/agentflow/place.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Template } from './types.ts'

const NOTE = { width: 460, lineHeight: 19, padding: 28, lettersInLine: 62, gap: 60 }

export function drawTemplate(template: Template, definitions: readonly ComponentDefinition[]): FlowDocument {
  const { nodes, edges } = place(drawFlow(template, definitions, agentflow), new Set())
  const drawn = drawFlow(
    { parts: [{ name: 'stickyNoteAgentflow', inputs: { note: noteOf(template) } }] },
    definitions,
    agentflow,
  )
  return { nodes: [...nodes, ...drawn.nodes.map((note) => aboveTheFlow(note, noteOf(template)))], edges }
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
