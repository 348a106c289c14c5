import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const questionRouter: Template = {
  type: 'CHATFLOW',
  id: 'question-router',
  name: 'Question router',
  description: 'Looks at a question with a few lines of code and answers refunds and all other questions differently.',
  usecases: ['Customer support'],
  note: 'Change first:\n1. The models.\n2. The words that tell a refund, in “Is it a refund?”.\n3. Both prompts.',
  sample: { question: 'I would like a refund for order 17.' },
  parts: [
    {
      name: 'ifElseFunction',
      label: 'Is it a refund?',
      inputs: {
        functionInputVariables: '{"question": "{{question}}"}',
        ifFunction: 'if (/refund|money back/i.test($question)) {\n  return $question;\n}',
        elseFunction: 'return $question;',
      },
    },
    {
      name: 'promptTemplate',
      label: 'Refund prompt',
      inputs: {
        template:
          'A customer asks for a refund. Ask for the order number if it is missing, and explain the next step.\n\n{text}',
        promptValues: '{"text": "{{ifElseFunction_0.data.instance}}"}',
      },
    },
    {
      name: 'promptTemplate',
      label: 'Other prompt',
      inputs: {
        template: 'Answer this question of a customer in three sentences at most.\n\n{text}',
        promptValues: '{"text": "{{ifElseFunction_0.data.instance}}"}',
      },
    },
    practice(),
    { name: 'llmChain', label: 'Answer refunds' },
    { name: 'llmChain', label: 'Answer others' },
  ],
  links: [
    [0, 1, 0],
    [0, 2, 1],
    [1, 4],
    [3, 4],
    [2, 5],
    [3, 5],
  ],
}
