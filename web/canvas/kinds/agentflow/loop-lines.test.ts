import { expect, it } from 'vitest'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { nodeOf } from '#contract/flow/testing/flows.ts'
import { backEdgeLines } from '../../surface/BackEdgeLines.tsx'
import { flowOf, llm, reply } from './testing/flows.ts'

it('draws one line from each Loop node to the node it goes back to', () => {
  const flow = flowOf(llm, { ...reply, name: 'loopAgentflow', label: 'Loop' })
  expect(backEdgeLines(flow, agentflow)).toEqual([])
  nodeOf(flow, 'loopAgentflow_0').data.inputs = { loopBackToNode: 'llmAgentflow_0-LLM 0' }
  expect(backEdgeLines(flow, agentflow)).toMatchObject([{ path: expect.stringMatching(/^M\d/), label: '' }])
})
