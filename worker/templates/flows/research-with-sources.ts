import { agent, chatStart, each, llm } from '../steps.ts'
import type { Template } from '../types.ts'

export const researchWithSources: Template = {
  id: 'research-with-sources',
  name: 'Research with sources',
  description: 'Splits a question into parts, looks each one up, and answers with numbered sources.',
  usecases: ['Research'],
  note: 'Change first:\n1. The tools of “Look up”. Add a web search, such as Tavily or Brave, with your key.\n2. The number of parts in “Split”.\nWikipedia and arXiv need no key.',
  sample: { question: 'How did the flax trade change between 1800 and 1900?' },
  parts: [
    chatStart(),
    llm('Split', {
      system:
        'Split the question into two to four parts that can be looked up on their own. Keep names and years in every part.',
      ask: '{{ question }}',
      fields: [{ key: 'parts', type: 'stringArray', description: 'The parts as questions' }],
    }),
    each('Parts', '{{ llmAgentflow_0.output.parts }}'),
    agent('Look up', {
      system:
        'Find the answer with your tools. State only what a source says, and give the address of each source after the sentence it supports. Say so when you find nothing.',
      ask: '{{ $iteration }}',
      tools: ['wikipedia', 'arxiv'],
      inside: 2,
    }),
    llm('Answer', {
      system:
        'Answer the question from the findings alone. Mark each statement with the number of its source, and list the sources at the end. Name what stays open.',
      ask: 'Question: {{ question }}\n\nFindings:\n{{ iterationAgentflow_0 }}',
    }),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 4],
  ],
}
