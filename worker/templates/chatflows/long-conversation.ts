import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const longConversation: Template = {
  type: 'CHATFLOW',
  id: 'long-conversation',
  name: 'Long conversation',
  description: 'Keeps long conversations short for the model: what was said earlier is summed up as it goes.',
  usecases: ['Customer support', 'Agents'],
  note: 'Change first:\n1. The models: a small one is enough for the summary.\n2. The system message of “Conversation”.',
  sample: { question: 'Let us plan my week. On Monday I have three meetings.' },
  parts: [
    practice('Summary model'),
    { name: 'conversationSummaryMemory', label: 'Summary' },
    practice(),
    {
      name: 'conversationChain',
      label: 'Conversation',
      inputs: { systemMessagePrompt: 'You help a person to plan their work. Ask one question at a time.' },
    },
  ],
  links: [
    [0, 1],
    [2, 3],
    [1, 3],
  ],
}
