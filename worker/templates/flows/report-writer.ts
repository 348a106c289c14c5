import { chatStart, each, llm } from '../steps.ts'
import type { Template } from '../types.ts'

export const reportWriter: Template = {
  id: 'report-writer',
  name: 'Report writer',
  description: 'Plans an outline, writes every section on its own, and merges them into one report.',
  usecases: ['Content', 'Research'],
  note: 'Change first:\n1. The number and kind of sections in “Outline”.\n2. Length and tone in “Write section” and “Edit”.\nFor facts of your own, add tools to “Write section” or send files with the question.',
  sample: { question: 'A report on shared bicycles in small towns' },
  parts: [
    chatStart(),
    llm('Outline', {
      system:
        'You plan reports. Return three to six sections that build on each other and do not overlap, each with the question it answers.',
      ask: '{{ question }}',
      fields: [
        {
          key: 'sections',
          type: 'jsonArray',
          description: 'The sections in order',
          jsonSchema: '{ "title": { "type": "string" }, "question": { "type": "string" } }',
        },
      ],
    }),
    each('Sections', '{{ llmAgentflow_0.output.sections }}'),
    llm('Write section', {
      system:
        'You write one section of a report in 150 to 250 words. Answer the section’s question, start with its title as a heading, and leave introductions to the editor.',
      ask: 'Report: {{ question }}\nSection: {{ $iteration }}',
      inside: 2,
    }),
    llm('Edit', {
      system:
        'You are the editor. Join the sections into one report: a summary of three sentences first, then the sections with smooth transitions. Remove repetitions, and add no facts.',
      ask: '{{ iterationAgentflow_0 }}',
    }),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 4],
  ],
}
