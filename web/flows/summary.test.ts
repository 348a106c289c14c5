import { expect, it } from 'vitest'
import { summaryOf } from './summary.ts'

const node = (name: string, color: string) => ({ data: { name, color } })

it.each([
  ['', { nodes: 0, colors: [] }],
  ['null', { nodes: 0, colors: [] }],
  ['{"nodes":', { nodes: 0, colors: [] }],
  [
    JSON.stringify({ nodes: [node('startAgentflow', '#1'), node('llmAgentflow', '#2'), node('llmAgentflow', '#2')] }),
    { nodes: 3, colors: ['#1', '#2'] },
  ],
  [JSON.stringify({ nodes: [node('stickyNoteAgentflow', '#1'), {}] }), { nodes: 1, colors: [] }],
])('summarizes the flow data %j', (flowData, summary) => {
  expect(summaryOf({ flowData })).toEqual(summary)
})
