import { numberOf } from '../../../inputs/node-inputs.ts'
import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'

export const bufferWindowMemory: ComponentNodeType = {
  definition: memoryNode({
    label: 'Buffer Window Memory',
    name: 'bufferWindowMemory',
    version: 2,
    type: 'BufferWindowMemory',
    description: 'The latest exchanges of the session',
    inputs: [
      {
        label: 'Size',
        name: 'k',
        type: 'number',
        step: 1,
        default: '4',
        description: 'Number of exchanges (a question and its answer) to remember',
      },
    ],
  }),
  provide: async ({ node, inputs, pastHistory }) =>
    toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      read: async () => ({ turns: pastHistory.slice(-2 * numberOf(inputs.k, 4)) }),
    }),
}
