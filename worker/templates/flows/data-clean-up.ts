import { code, each, formStart, llm } from '../steps.ts'
import type { Template } from '../types.ts'

export const dataCleanUp: Template = {
  id: 'data-clean-up',
  name: 'Data clean-up',
  description: 'Splits a messy list into rows, cleans each row with a model, and returns a tidy table without doubles.',
  usecases: ['Data'],
  note: 'Change first:\n1. What a clean row is, in “Clean row”.\n2. Concurrency of “Rows”: up to 8 rows at a time.\nA row that fails does not stop the others.',
  sample: { form: { rows: 'mara lind, GHENT\nLind Mara - Ghent\nJon  Weber / lille' } },
  parts: [
    formStart('Clean a list', [{ name: 'rows', label: 'Rows, one a line' }]),
    code(
      'Split',
      { rows: '{{ $form.rows }}' },
      `
const rows = String($rows).split('\\n').map((row) => row.trim()).filter(Boolean)
return JSON.stringify(rows.slice(0, 200))`,
    ),
    each('Rows', '{{ customFunctionAgentflow_0 }}'),
    llm('Clean row', {
      system:
        'Write the row as: First name Last name; City. Use normal capitals. Return only this line, or "unclear" when it cannot be told.',
      ask: '{{ $iteration }}',
      inside: 2,
    }),
    code(
      'Merge',
      { rows: '{{ iterationAgentflow_0.output.iterationResults }}' },
      `
const rows = Array.isArray($rows) ? $rows : JSON.parse($rows)
return [...new Set(rows.map((row) => String(row).trim()))].join('\\n')`,
    ),
  ],
  links: [
    [0, 1],
    [1, 2],
    [2, 4],
  ],
}
