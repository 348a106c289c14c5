import type { PartType } from '../../../types.ts'
import { partOf } from '../../roles.ts'
import { synthesizerNode } from './synthesis.ts'

export const simpleResponseBuilder: PartType = {
  definition: synthesizerNode({
    label: 'Simple Response Builder',
    name: 'simpleResponseBuilderLlamaIndex',
    type: 'SimpleResponseBuilder',
    description: 'Returns the texts of the results without calling a model',
    inputs: [],
  }),
  provide: async () => partOf('synthesizer', { write: async (_query, texts) => texts.join('\n\n') }),
}
