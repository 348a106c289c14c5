import { PRACTICE_MODEL as NAME } from '#contract/flow/practice-model.ts'
import { allowImageUploads, chatModel } from './definition.ts'
import { createPracticeModel, PRACTICE_MODEL } from './practice/model.ts'
import type { ModelProvider } from './types.ts'

export const practiceModel: ModelProvider = {
  definition: chatModel({
    label: 'Practice model (no key)',
    name: NAME,
    type: 'PracticeModel',
    version: 1,
    description: 'Responds instantly and needs no account. For learning, building and testing flows.',
    inputs: [allowImageUploads],
  }),
  async open({ nodeLabel }) {
    return {
      model: createPracticeModel(nodeLabel),
      modelName: PRACTICE_MODEL,
      settings: {},
      price: { input: 0, output: 0 },
    }
  },
}
