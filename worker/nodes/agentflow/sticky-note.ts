import { agentflowNode } from '../shared/definition.ts'
import type { NodeType } from '../types.ts'

/** A comment on the canvas. The compiler skips it. */
export const stickyNote: NodeType = {
  definition: agentflowNode({
    label: 'Sticky Note',
    name: 'stickyNoteAgentflow',
    version: 1,
    type: 'StickyNote',
    color: '#fee440',
    description: 'A comment on the canvas',
    inputs: [{ label: '', name: 'note', type: 'string', rows: 1, placeholder: 'Write a note', optional: true }],
  }),
  async run({ inputs }) {
    return { input: inputs, output: {} }
  },
}
