import { expect, it } from 'vitest'
import { summaryOf } from './summary.ts'

const node = (name: string, color: string) => ({ data: { name, color } })

it.each([
  ['', { nodes: 0, colors: [] }],
  ['null', { nodes: 0, colors: [] }],
  ['{"nodes":', { nodes: 0, colors: [] }],
  [
    JSON.stringify({
      nodes: [node('startAgentflow', '#111'), node('llmAgentflow', '#222'), node('llmAgentflow', '#222')],
    }),
    { nodes: 3, colors: ['#111', '#222'] },
  ],
  [JSON.stringify({ nodes: [node('stickyNoteAgentflow', '#111'), {}] }), { nodes: 1, colors: [] }],
])('summarizes the flow data %j', (flowData, summary) => {
  expect(summaryOf({ flowData })).toEqual(summary)
})
