import { expect, it } from 'vitest'
import { loopLines } from './LoopLines.tsx'
import { flowOf, llm, reply } from './testing/flows.ts'

it('draws one line from each Loop node to the node it goes back to', () => {
  const flow = flowOf(llm, { ...reply, name: 'loopAgentflow', label: 'Loop' })
  expect(loopLines(flow)).toEqual([])
  const loop = flow.nodes[1] as (typeof flow.nodes)[0]
  loop.data.inputs = { loopBackToNode: 'llmAgentflow_0-LLM 0' }
  expect(loopLines(flow)).toEqual([{ id: loop.id, path: expect.stringMatching(/^M\d/) }])
})
