import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const moderatedChat: Template = {
  type: 'CHATFLOW',
  id: 'moderated-chat',
  name: 'Moderated chat',
  description: 'Refuses questions with words that you list, before any model is asked.',
  usecases: ['Customer support', 'Operations'],
  note: 'Change first:\n1. The model.\n2. The words to refuse, one a line, and what to answer then, in “Moderation”.',
  sample: { question: 'Which of your teas helps me to sleep?' },
  parts: [
    practice(),
    { name: 'bufferMemory', label: 'Memory' },
    {
      name: 'inputModerationSimple',
      label: 'Moderation',
      inputs: {
        denyList: 'ignore previous instructions\nsystem prompt',
        moderationErrorMessage: 'I can only talk about our teas.',
      },
    },
    {
      name: 'conversationChain',
      label: 'Conversation',
      inputs: { systemMessagePrompt: 'You advise the customers of a tea shop. Talk about tea only.' },
    },
  ],
  links: [
    [0, 3],
    [1, 3],
    [2, 3],
  ],
}
