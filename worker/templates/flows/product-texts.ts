import { formStart, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const productTexts: Template = {
  id: 'product-texts',
  name: 'Product texts',
  description: 'Writes a shop text, a search snippet and a post from the facts of a product, and checks every claim.',
  usecases: ['Content', 'Sales'],
  note: 'Change first:\n1. Your voice, in the three writers: paste a text that you like.\n2. Claims to avoid, in “Check claims”.',
  sample: { form: { product: 'Linen apron', facts: 'Washed linen, made in Ghent, two pockets, 45 euros' } },
  parts: [
    formStart('Describe a product', [
      { name: 'product', label: 'Product' },
      { name: 'facts', label: 'Facts' },
    ]),
    llm('Shop text', {
      system: 'Write 80 words for the shop: what it is for, how it feels, what it is made of. Use only the facts.',
      ask: '{{ $form.product }}: {{ $form.facts }}',
    }),
    llm('Snippet', {
      system: 'Write a search snippet: a title of at most 60 characters and a line of at most 150. Use only the facts.',
      ask: '{{ $form.product }}: {{ $form.facts }}',
    }),
    llm('Post', {
      system:
        'Write a post of two sentences for social media, without hashtags and exclamation marks. Use only the facts.',
      ask: '{{ $form.product }}: {{ $form.facts }}',
    }),
    llm('Check claims', {
      system: 'Compare the texts with the facts. A claim that the facts do not support is a problem, however small.',
      ask: 'Facts: {{ $form.facts }}\n\nTexts: {{ llmAgentflow_0 }}\n\n{{ llmAgentflow_1 }}\n\n{{ llmAgentflow_2 }}',
      fields: [
        { key: 'verdict', type: 'enum', enumValues: 'supported, unsupported', description: 'Of all claims together' },
        { key: 'problems', type: 'string', description: 'The unsupported claims; empty when there are none' },
      ],
    }),
    when('Supported?', ['{{ llmAgentflow_3.output.verdict }}', 'equal', 'supported']),
    reply('Texts', '{{ llmAgentflow_0 }}\n\n{{ llmAgentflow_1 }}\n\n{{ llmAgentflow_2 }}'),
    reply('Look again', 'Please look again at: {{ llmAgentflow_3.output.problems }}\n\n{{ llmAgentflow_0 }}'),
  ],
  links: [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 5],
    [5, 6, 0],
    [5, 7, 1],
  ],
}
