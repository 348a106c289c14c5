import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const reasoningAgent: Template = {
  type: 'CHATFLOW',
  id: 'reasoning-agent',
  name: 'Reasoning agent',
  description: 'Thinks step by step in plain text and uses tools, for models that cannot call tools by themselves.',
  usecases: ['Agents', 'Research'],
  note: 'Change first:\n1. The model.\n2. The tools: Wikipedia needs no key.',
  sample: { question: 'When was the oldest university of Europe founded, and how many years ago is that?' },
  parts: [
    practice(),
    { name: 'bufferMemory', label: 'Memory' },
    { name: 'calculator', label: 'Calculator' },
    { name: 'wikipedia', label: 'Wikipedia' },
    { name: 'reactAgentChat', label: 'Reasoning' },
  ],
  links: [
    [0, 4],
    [1, 4],
    [2, 4],
    [3, 4],
  ],
}
