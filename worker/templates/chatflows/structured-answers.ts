import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const structuredAnswers: Template = {
  type: 'CHATFLOW',
  id: 'structured-answers',
  name: 'Structured answers',
  description: 'Reads a message and answers with fields of JSON that a program can use.',
  usecases: ['Data'],
  note: 'Change first:\n1. The model.\n2. The fields, in “Fields”.\n3. What to read them from, in “Prompt”.',
  sample: { question: 'The blue kettle arrived broken, please send a new one to Hill Street 4.' },
  parts: [
    practice(),
    {
      name: 'promptTemplate',
      label: 'Prompt',
      inputs: { template: 'Read this message of a customer and fill in the fields.\n\nMessage: {message}' },
    },
    {
      name: 'structuredOutputParser',
      label: 'Fields',
      inputs: {
        jsonStructure: [
          { property: 'product', type: 'string', description: 'What the message is about' },
          { property: 'problem', type: 'string', description: 'What is wrong with it' },
          { property: 'wish', type: 'string', description: 'What the customer asks for' },
        ],
      },
    },
    { name: 'llmChain', label: 'Read the message' },
  ],
  links: [
    [0, 3],
    [1, 3],
    [2, 3],
  ],
}
