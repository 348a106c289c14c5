import { askPerson, chatStart, code, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const contentModeration: Template = {
  id: 'content-moderation',
  name: 'Content moderation',
  description: 'Checks a post against your words and your rules, and leaves the doubtful ones to a moderator.',
  usecases: ['Operations', 'Content'],
  note: 'Change first:\n1. The words in “Blocked words”.\n2. Your house rules in “Judge”.\nOnly doubtful posts reach a person, who sees the reason.',
  sample: { question: 'I doubt that this review is about our shop.' },
  parts: [
    chatStart(),
    code(
      'Blocked words',
      { text: '{{ question }}' },
      `
const blocked = ['buy followers', 'miracle cure']
const text = String($text).toLowerCase()
return blocked.some((word) => text.includes(word)) ? 'blocked' : 'clean'`,
    ),
    when('Clean?', ['{{ customFunctionAgentflow_0 }}', 'equal', 'blocked']),
    llm('Judge', {
      system:
        'You moderate posts of a community. Criticism and bad taste are allowed. Attacks on people, advertising and private data are not. Say doubt when a person should decide.',
      ask: '{{ question }}',
      fields: [
        { key: 'verdict', type: 'enum', enumValues: 'allow, doubt, block', description: 'What to do' },
        { key: 'reason', type: 'string', description: 'The rule, and why it applies' },
      ],
    }),
    when(
      'Verdict',
      ['{{ llmAgentflow_0.output.verdict }}', 'equal', 'allow'],
      ['{{ llmAgentflow_0.output.verdict }}', 'equal', 'doubt'],
    ),
    askPerson('Moderator', 'Publish this post? Reason for the doubt: {{ llmAgentflow_0.output.reason }}'),
    reply('Publish', 'Published: {{ question }}'),
    reply('Hold back', 'This post was not published, because it breaks the rules of this community.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 7, 0],
    [2, 3, 1],
    [3, 4],
    [4, 6, 0],
    [4, 5, 1],
    [4, 7, 2],
    [5, 6, 0],
    [5, 7, 1],
  ],
}
