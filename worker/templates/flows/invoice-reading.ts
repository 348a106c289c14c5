import { askPerson, chatStart, code, llm, reply, when } from '../steps.ts'
import type { Template } from '../types.ts'

export const invoiceReading: Template = {
  id: 'invoice-reading',
  name: 'Invoice reading',
  description: 'Reads an attached invoice into fields, adds up its lines, and asks a person when the sums differ.',
  usecases: ['Documents', 'Data'],
  note: 'Change first:\n1. Choose a model that reads images or PDFs in “Read invoice”.\n2. The fields that your accounts need.\nAttach the invoice to your message.',
  sample: { question: 'Invoice 2041 of Lind Mills: 3 bolts of linen, total 300 euros.' },
  parts: [
    chatStart(),
    llm('Read invoice', {
      system:
        'Read the invoice. Copy numbers as printed, without thousands separators. Lines are the single positions, without totals.',
      fields: [
        { key: 'supplier', type: 'string', description: 'Who sent it' },
        { key: 'number', type: 'string', description: 'Invoice number' },
        { key: 'total', type: 'number', description: 'Total to pay' },
        {
          key: 'lines',
          type: 'jsonArray',
          description: 'The positions',
          jsonSchema: '{ "text": { "type": "string" }, "amount": { "type": "number" } }',
        },
      ],
    }),
    code(
      'Add up',
      { lines: '{{ llmAgentflow_0.output.lines }}', total: '{{ llmAgentflow_0.output.total }}' },
      `
const lines = typeof $lines === 'string' ? JSON.parse($lines) : $lines
const sum = lines.reduce((all, line) => all + Number(line.amount), 0)
return Math.abs(sum - Number($total)) < 0.01 ? 'right' : 'The lines add up to ' + sum.toFixed(2)`,
    ),
    when('Sum right?', ['{{ customFunctionAgentflow_0 }}', 'equal', 'right']),
    reply('Book', 'Ready to book: {{ llmAgentflow_0 }}'),
    askPerson('Accounts', 'Book this invoice all the same? {{ customFunctionAgentflow_0 }}.'),
    reply('Booked by hand', 'Booked by a person: {{ llmAgentflow_0 }}'),
    reply('Sent back', 'Not booked. {{ customFunctionAgentflow_0 }}.'),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 4, 0],
    [3, 5, 1],
    [5, 6, 0],
    [5, 7, 1],
  ],
}
