import type { ComponentNodeType } from '../../../types.ts'
import { toComponent } from '../../component-types.ts'
import { synthesizerNode } from './synthesis.ts'

export const simpleResponseBuilder: ComponentNodeType = {
  definition: synthesizerNode({
    label: 'Simple Response Builder',
    name: 'simpleResponseBuilderLlamaIndex',
    type: 'SimpleResponseBuilder',
    description: 'Returns the texts of the results without calling a model',
    inputs: [],
  }),
  provide: async () => toComponent('synthesizer', { write: async (_query, texts) => texts.join('\n\n') }),
}
