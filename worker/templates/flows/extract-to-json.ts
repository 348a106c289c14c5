import { chatStart, code, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const extractToJson: Template = {
  id: 'extract-to-json',
  name: 'Extract to JSON',
  description: 'Pulls the facts of an order out of any text, checks them in code, and answers with clean JSON.',
  usecases: ['Data', 'Documents'],
  note: 'Change first:\n1. The fields in “Read” (JSON structured output).\n2. The rules in “Check”. It returns the JSON or the list of what is missing.',
  sample: { question: 'Order 4711: please send 12 blue mugs to Mara Lind, mara@example.com, before Friday.' },
  parts: [
    chatStart(),
    llm('Read', {
      system: 'You extract orders from text. Copy names and numbers exactly. Leave out what the text does not say.',
      ask: '{{ question }}',
      fields: [
        { key: 'customer', type: 'string', description: 'Full name of the customer' },
        { key: 'product', type: 'string', description: 'What is ordered' },
        { key: 'quantity', type: 'number', description: 'How many pieces' },
        { key: 'notes', type: 'stringArray', description: 'Dates and wishes' },
      ],
    }),
    code(
      'Check',
      {
        customer: '{{ llmAgentflow_0.output.customer }}',
        product: '{{ llmAgentflow_0.output.product }}',
        quantity: '{{ llmAgentflow_0.output.quantity }}',
        notes: '{{ llmAgentflow_0.output.notes }}',
      },
      `
const order = { customer: String($customer).trim(), product: String($product).trim(), quantity: Number($quantity), notes: $notes }
const isMissing = { customer: !order.customer, product: !order.product, quantity: !(order.quantity > 0) }
const missing = Object.keys(isMissing).filter((name) => isMissing[name])
return missing.length > 0 ? 'Missing: ' + missing.join(', ') : JSON.stringify(order, null, 2)`,
    ),
    when('Anything missing?', ['{{ customFunctionAgentflow_0 }}', 'contains', 'Missing:']),
    reply('Ask for more', 'I can’t take this order yet. {{ customFunctionAgentflow_0 }}.'),
    reply('Order', '{{ customFunctionAgentflow_0 }}'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [3, 5, 1],
  ],
}
