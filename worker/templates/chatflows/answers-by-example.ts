import { practice } from '../practice.ts'
import type { Template } from '../types.ts'

export const answersByExample: Template = {
  type: 'CHATFLOW',
  id: 'answers-by-example',
  name: 'Answers by example',
  description: 'Sorts messages the way your examples do: a few of them teach the model more than instructions.',
  usecases: ['Data', 'Operations'],
  note: 'Change first:\n1. The model.\n2. The examples, in “Examples”: each with the same names as the prompt beside them.',
  sample: { question: 'My parcel is three days late.' },
  parts: [
    practice(),
    { name: 'promptTemplate', label: 'One example', inputs: { template: 'Message: {message}\nTopic: {topic}' } },
    {
      name: 'fewShotPromptTemplate',
      label: 'Examples',
      inputs: {
        examples:
          '[\n  { "message": "The invoice has the wrong address.", "topic": "billing" },\n  { "message": "The lid does not close.", "topic": "product" },\n  { "message": "When will it arrive?", "topic": "delivery" }\n]',
        prefix: 'Tell the topic of each message in one word.',
        suffix: 'Message: {input}\nTopic:',
      },
    },
    { name: 'llmChain', label: 'Sort' },
  ],
  links: [
    [0, 3],
    [1, 2],
    [2, 3],
  ],
}
