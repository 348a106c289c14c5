import type { PartType } from '../../../types.ts'
import { partOf } from '../../roles.ts'
import { answerParam, packed, refine, refineParam, synthesizerNode } from './synthesis.ts'

export const compactRefine: PartType = {
  definition: synthesizerNode({
    label: 'Compact and Refine',
    name: 'compactrefineLlamaIndex',
    type: 'CompactRefine',
    description: 'Answers from as many texts as fit into one call, then refines the answer with the rest',
    inputs: [refineParam, answerParam],
  }),
  provide: async ({ inputs }) =>
    partOf('synthesizer', { write: (query, texts, ask) => refine(query, packed(texts), { ask, inputs }) }),
}
