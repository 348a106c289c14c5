import { askPerson, chatStart, choose, llm, reply } from '../steps.ts'
import type { Template } from '../types.ts'

export const sentimentRouting: Template = {
  id: 'sentiment-routing',
  name: 'Sentiment routing',
  description: 'Detects customer sentiment: thanks happy customers, helps the others and hands angry ones to a person.',
  usecases: ['Customer support'],
  note: 'Change first:\n1. The three moods in “Mood”. The last one is taken when none fits.\n2. What “Help” knows about your product.',
  sample: { question: 'The customer is happy: thank you for the quick delivery!' },
  parts: [
    chatStart(),
    choose('Mood', 'Judge how the customer feels about us, not how hard the problem is.', [
      'The customer is happy',
      'The customer is angry',
      'The customer needs help',
    ]),
    llm('Thank', {
      system: 'Thank the customer in two sentences, and ask for a review if they have a minute.',
      ask: '{{ question }}',
    }),
    askPerson('Call back', 'This customer is angry. Call back today? Your comment is sent to the customer.'),
    llm('Help', {
      system: 'Help the customer step by step. Ask one question when you lack a fact.',
      ask: '{{ question }}',
    }),
    reply('Promise', 'I am sorry. A person looks into it: {{ humanInputAgentflow_0 }}'),
    reply('Excuse', 'I am sorry that this went wrong. Reply here, and we will make it right.'),
  ],
  links: [
    [0, 1],
    [1, 2, 0],
    [1, 3, 1],
    [1, 4, 2],
    [3, 5, 0],
    [3, 6, 1],
  ],
}
