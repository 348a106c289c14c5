import { garden } from '#contract/flow/kinds/testing/garden/kind.ts'
import type { Template } from '../types.ts'

export const gardenTemplate: Template = {
  type: garden.type,
  id: 'first-garden',
  name: 'First garden',
  description: 'Grows tulips.',
  usecases: ['Research'],
  note: 'Sow your own seeds.',
  sample: { question: 'cold' },
  parts: [{ name: 'well' }, { name: 'bed' }],
  links: [[0, 1]],
}
