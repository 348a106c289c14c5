import type { NodeType } from '../../types.ts'

/** A comment on the canvas. The compiler skips it. */
export const chatStickyNote: NodeType = {
  definition: {
    label: 'Sticky Note',
    name: 'stickyNote',
    version: 2,
    type: 'StickyNote',
    category: 'Utilities',
    color: '#fee440',
    description: 'A comment on the canvas',
    baseClasses: ['StickyNote'],
    inputs: [{ label: '', name: 'note', type: 'string', rows: 1, placeholder: 'Write a note', optional: true }],
  },
  async run({ inputs }) {
    return { input: inputs, output: {} }
  },
}
