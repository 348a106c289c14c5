import { askPerson, chatStart, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const faqWithHandover: Template = {
  id: 'faq-with-handover',
  name: 'FAQ with human handoff',
  description:
    'Answers from your own questions and answers, and hands everything else to a person instead of guessing.',
  usecases: ['Customer support'],
  note: 'Change first:\n1. Paste your questions and answers into “Look in the FAQ”.\n2. Who watches for questions: waiting runs show on the home page and under Executions.',
  sample: { question: 'How long do you take to deliver?' },
  parts: [
    chatStart(),
    llm('Look in the FAQ', {
      system:
        'Answer only from this list. If it has no answer, set known to false.\n\nQ: How long does delivery take? A: Two to four days.\nQ: Can I return goods? A: Yes, within 30 days.\nQ: Do you ship abroad? A: Within Europe.',
      ask: '{{ question }}',
      fields: [
        { key: 'known', type: 'boolean', description: 'True when the list has the answer' },
        { key: 'answer', type: 'string', description: 'The answer in your own words' },
      ],
    }),
    when('Known?', ['{{ llmAgentflow_0.output.known }}', 'equal', 'true']),
    reply('Answer', '{{ llmAgentflow_0.output.answer }}'),
    askPerson('Colleague', 'Nobody knows this one yet. Write the answer as a comment.'),
    reply('Answer of a person', '{{ humanInputAgentflow_0 }}'),
    reply('No answer', 'I can’t answer this here. Please write to us, and we will reply by mail.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [2, 4, 1],
    [4, 5, 0],
    [4, 6, 1],
  ],
}
