import { askPerson, chatStart, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const supportTriage: Template = {
  id: 'support-triage',
  name: 'Support triage',
  description: 'Sorts a request by topic and urgency, answers the routine ones, and hands urgent ones to a person.',
  usecases: ['Customer support'],
  isStarter: true,
  note: 'Change first:\n1. The topics in “Sort”, and the conditions in “Route”.\n2. What the two answering steps know about your product.\n3. The model of each step: choose one in its Model input.',
  sample: { question: 'I was charged twice for my billing plan this month.' },
  parts: [
    chatStart(),
    llm('Sort', {
      system:
        'You sort requests to a support team. Judge urgency by the harm of waiting a day, not by the tone of the message.',
      ask: '{{ question }}',
      fields: [
        { key: 'topic', type: 'enum', enumValues: 'billing, technical, account, other', description: 'The subject' },
        { key: 'urgency', type: 'enum', enumValues: 'low, normal, high', description: 'high: someone cannot work' },
        { key: 'summary', type: 'string', description: 'The request in one sentence' },
      ],
    }),
    when(
      'Route',
      ['{{ llmAgentflow_0.output.urgency }}', 'equal', 'high'],
      ['{{ llmAgentflow_0.output.topic }}', 'equal', 'billing'],
    ),
    askPerson('Person on duty', 'This request is urgent. Take it over? Your comment is sent as the answer.'),
    llm('Answer billing', {
      system:
        'You answer billing questions. Explain charges and refunds step by step. Never promise a refund: say that the billing team decides within two days.',
      ask: '{{ question }}',
    }),
    llm('Answer the rest', {
      system: 'You answer support requests in at most five sentences, and end with the one next step for the customer.',
      ask: '{{ question }}\n\nSummary: {{ llmAgentflow_0.output.summary }}',
    }),
    reply('Taken over', 'A person took this over: {{ humanInputAgentflow_0 }}'),
    reply('Queued', 'Your request is at the top of our queue. We reply within the hour.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [2, 4, 1],
    [2, 5, 2],
    [3, 6, 0],
    [3, 7, 1],
  ],
}
