import { chatStart, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const compareTwoAnswers: Template = {
  id: 'compare-two-answers',
  name: 'Compare two answers',
  description: 'Asks two models the same question at once, lets a judge choose, and answers with the better one.',
  usecases: ['Agents', 'Research'],
  isStarter: true,
  note: 'Change first:\n1. Choose a different model in “Answer A” and “Answer B”.\n2. What counts for you, in “Judge”. Use a third model there, since models prefer their own answers.',
  sample: { question: 'Should a small shop take card payments for sums below five euros?' },
  parts: [
    chatStart(),
    llm('Answer A', { system: 'Answer in three sentences. Be practical.', ask: '{{ question }}' }),
    llm('Answer B', { system: 'Answer in three sentences. Weigh both sides.', ask: '{{ question }}' }),
    llm('Judge', {
      system:
        'You compare two answers to one question. Judge by correctness first, then by use to the person who asks. Length does not count. Do not be swayed by the order.',
      ask: 'Question: {{ question }}\n\nA: {{ llmAgentflow_0 }}\n\nB: {{ llmAgentflow_1 }}',
      fields: [
        { key: 'winner', type: 'enum', enumValues: 'A, B', description: 'The better answer' },
        { key: 'reason', type: 'string', description: 'Why, in one sentence' },
      ],
    }),
    when('Who won?', ['{{ llmAgentflow_2.output.winner }}', 'equal', 'A']),
    reply('Send A', '{{ llmAgentflow_0 }}\n\n_Answer A: {{ llmAgentflow_2.output.reason }}_'),
    reply('Send B', '{{ llmAgentflow_1 }}\n\n_Answer B: {{ llmAgentflow_2.output.reason }}_'),
  ],
  links: [
    [0, 1],
    [0, 2],
    [1, 3],
    [2, 3],
    [3, 4],
    [4, 5, 0],
    [4, 6, 1],
  ],
}
