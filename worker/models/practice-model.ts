import { allowImageUploads, chatModel } from './definition.ts'
import { createPracticeModel, PRACTICE_MODEL } from './practice/model.ts'
import type { ModelProvider } from './types.ts'

export const practiceModel: ModelProvider = {
  definition: chatModel({
    label: 'Practice model (no key)',
    name: 'practiceModel',
    type: 'PracticeModel',
    version: 1,
    description: 'Answers at once, without any account: for learning, building and testing a flow',
    inputs: [allowImageUploads],
  }),
  async open() {
    return {
      model: createPracticeModel(),
      modelName: PRACTICE_MODEL,
      settings: {},
      price: { input: 0, output: 0 },
    }
  },
}
