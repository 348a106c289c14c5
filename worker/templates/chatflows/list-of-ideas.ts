import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const listOfIdeas: Template = {
  type: 'CHATFLOW',
  id: 'list-of-ideas',
  name: 'List of ideas',
  description: 'Answers a topic with a list of short ideas that a program can read item by item.',
  usecases: ['Content', 'Data'],
  note: 'Change first:\n1. The model.\n2. What the list is of, in “Prompt”.',
  sample: { question: 'A name for a café beside a canal' },
  parts: [
    practice(),
    {
      name: 'promptTemplate',
      label: 'Prompt',
      inputs: { template: 'Find five short ideas for: {topic}' },
    },
    { name: 'csvOutputParser', label: 'List' },
    { name: 'llmChain', label: 'Find ideas' },
  ],
  links: [
    [0, 3],
    [1, 3],
    [2, 3],
  ],
}
