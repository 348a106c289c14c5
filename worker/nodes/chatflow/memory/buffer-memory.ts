import type { ComponentNodeType } from '../../types.ts'
import { toComponent } from '../component-types.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'

export const bufferMemory: ComponentNodeType = {
  definition: memoryNode({
    label: 'Buffer Memory',
    name: 'bufferMemory',
    version: 2,
    type: 'BufferMemory',
    description: 'The whole conversation of the session',
  }),
  provide: async ({ node, inputs, pastHistory }) =>
    toComponent('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      read: async () => ({ turns: pastHistory }),
    }),
}
