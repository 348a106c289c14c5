import type { ComponentNodeType } from '../../../types.ts'
import { toComponent } from '../../component-types.ts'
import { answerParam, packed, refine, refineParam, synthesizerNode } from './synthesis.ts'

export const compactRefine: ComponentNodeType = {
  definition: synthesizerNode({
    label: 'Compact and Refine',
    name: 'compactrefineLlamaIndex',
    type: 'CompactRefine',
    description: 'Answers from as many texts as fit into one call, then refines the answer with the rest',
    inputs: [refineParam, answerParam],
  }),
  provide: async ({ inputs }) =>
    toComponent('synthesizer', { write: (query, texts, ask) => refine(query, packed(texts), { ask, inputs }) }),
}
