import type { ComponentNodeType } from '../../../types.ts'
import { toComponent } from '../../component-types.ts'
import { answerParam, refine, refineParam, synthesizerNode } from './synthesis.ts'

export const refineSynthesizer: ComponentNodeType = {
  definition: synthesizerNode({
    label: 'Refine',
    name: 'refineLlamaIndex',
    type: 'Refine',
    description: 'Answers from the first text, then refines the answer with each further text',
    inputs: [refineParam, answerParam],
  }),
  provide: async ({ inputs }) =>
    toComponent('synthesizer', { write: (query, texts, ask) => refine(query, texts, { ask, inputs }) }),
}
