import type { PartType } from '../../../types.ts'
import { partOf } from '../../roles.ts'
import { answerParam, refine, refineParam, synthesizerNode } from './synthesis.ts'

export const refineSynthesizer: PartType = {
  definition: synthesizerNode({
    label: 'Refine',
    name: 'refineLlamaIndex',
    type: 'Refine',
    description: 'Answers from the first text, then refines the answer with each further text',
    inputs: [refineParam, answerParam],
  }),
  provide: async ({ inputs }) =>
    partOf('synthesizer', { write: (query, texts, ask) => refine(query, texts, { ask, inputs }) }),
}
