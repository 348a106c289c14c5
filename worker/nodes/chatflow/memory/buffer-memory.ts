import type { PartType } from '../../types.ts'
import { partOf } from '../roles.ts'
import { memoryKeyOf, memoryNode } from './definition.ts'

export const bufferMemory: PartType = {
  definition: memoryNode({
    label: 'Buffer Memory',
    name: 'bufferMemory',
    version: 2,
    type: 'BufferMemory',
    description: 'The whole conversation of the session',
  }),
  provide: async ({ node, inputs, pastHistory }) =>
    partOf('memory', {
      label: node.label,
      key: memoryKeyOf(inputs),
      read: async () => ({ turns: pastHistory }),
    }),
}
