import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const agentWithTools: Template = {
  type: 'CHATFLOW',
  id: 'agent-with-tools',
  name: 'Agent with tools',
  description:
    'Calculates and tells the time with tools that the model calls by itself, and remembers the conversation.',
  usecases: ['Agents'],
  note: 'Change first:\n1. The model: it must be able to call tools.\n2. The tools: add those that your questions need.',
  sample: { question: 'How many days are left until the end of the year, times 24?' },
  parts: [
    practice(),
    { name: 'bufferMemory', label: 'Memory' },
    { name: 'calculator', label: 'Calculator' },
    { name: 'currentDateTime', label: 'Date and time' },
    {
      name: 'toolAgent',
      label: 'Agent',
      inputs: { systemMessage: 'You answer questions about dates and numbers. Use the tools, never guess.' },
    },
  ],
  links: [
    [0, 4],
    [1, 4],
    [2, 4],
    [3, 4],
  ],
}
