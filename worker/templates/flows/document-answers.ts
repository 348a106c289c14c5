import { chatStart, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const documentAnswers: Template = {
  id: 'document-answers',
  name: 'Answers from a document',
  description: 'Answers questions about a PDF or text that you attach, with quotes, or says that it is not in there.',
  usecases: ['Documents', 'Research'],
  note: 'Change first:\n1. Choose a model that reads files in “Read”.\n2. How many quotes an answer needs.\nAttach the document to your first question. It stays in the conversation.',
  sample: { question: 'What does the attached contract say about notice periods?' },
  parts: [
    chatStart(),
    llm('Read', {
      system:
        'You answer from the attached documents only. Quote the passages that prove your answer, word for word. If they do not answer the question, set found to false.',
      fields: [
        { key: 'found', type: 'boolean', description: 'True when the document answers the question' },
        { key: 'answer', type: 'string', description: 'The answer in at most three sentences' },
        { key: 'quotes', type: 'stringArray', description: 'The passages, word for word' },
      ],
    }),
    when('Found?', ['{{ llmAgentflow_0.output.found }}', 'equal', 'true']),
    reply('Answer', '{{ llmAgentflow_0.output.answer }}\n\nFrom the document: {{ llmAgentflow_0.output.quotes }}'),
    reply('Not in there', 'The document does not say. Ask differently, or attach another document.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3, 0],
    [2, 4, 1],
  ],
}
