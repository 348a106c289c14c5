import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const conversationWithMemory: Template = {
  type: 'CHATFLOW',
  id: 'conversation-with-memory',
  name: 'Conversation with memory',
  description: 'Talks with a person and remembers what both said earlier in the same conversation.',
  usecases: ['Customer support'],
  note: 'Change first:\n1. The model.\n2. What it is and how it speaks, in the system message of “Conversation”.',
  sample: { question: 'My name is Ann. What can you help me with?' },
  parts: [
    practice(),
    { name: 'bufferMemory', label: 'Memory' },
    {
      name: 'conversationChain',
      label: 'Conversation',
      inputs: {
        systemMessagePrompt:
          'You are a friendly assistant of a small shop. Answer in two or three sentences. Say so when you do not know something.',
      },
    },
  ],
  links: [
    [0, 2],
    [1, 2],
  ],
}
