import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const promptChaining: Template = {
  type: 'CHATFLOW',
  id: 'prompt-chaining',
  name: 'Prompt chaining',
  description:
    'Writes an outline first and then the text that follows it: the answer of one prompt goes into the next.',
  usecases: ['Content'],
  note: 'Change first:\n1. The models: a small one is enough for the outline.\n2. Both prompts.',
  sample: { question: 'Why bread needs time' },
  parts: [
    practice('Small model'),
    {
      name: 'promptTemplate',
      label: 'Outline prompt',
      inputs: { template: 'Write an outline of four points for a short article about: {topic}' },
    },
    { name: 'llmChain', label: 'Outline', output: 'outputPrediction' },
    {
      name: 'promptTemplate',
      label: 'Article prompt',
      inputs: {
        template: 'Write a short article that follows this outline, one paragraph for each point.\n\n{outline}',
        promptValues: '{"outline": "{{llmChain_0.data.instance}}"}',
      },
    },
    practice('Writer'),
    { name: 'llmChain', label: 'Article' },
  ],
  links: [
    [0, 2],
    [1, 2],
    [2, 3],
    [3, 5],
    [4, 5],
  ],
}
