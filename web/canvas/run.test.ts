import { expect, it } from 'vitest'
import { followRun, noRun } from './run.ts'

it('lights up the nodes of a run and keeps what the trace tells of each', () => {
  const view = noRun()
  followRun(view, { event: 'agentFlowEvent', data: 'INPROGRESS' })
  followRun(view, { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'INPROGRESS' } })
  expect(view.nodes.a).toEqual({ status: 'INPROGRESS' })
  const data = {
    id: 'a',
    name: 'llmAgentflow',
    output: {
      content: 'Hi',
      timeMetadata: { start: 0, end: 40, delta: 40 },
      usageMetadata: { input_tokens: 2, output_tokens: 3, total_tokens: 5, total_cost: 0.01 },
    },
  }
  const item = { nodeId: 'a', nodeLabel: 'A', previousNodeIds: [], status: 'FINISHED' as const, data }
  followRun(view, { event: 'agentFlowExecutedData', data: [item] })
  expect(view.nodes.a).toEqual({ status: 'FINISHED', time: 40, tokens: 5, cost: 0.01 })
  expect(view.trace).toEqual([item])
})

it('shows the error of a node, and leaves nothing running when the run ends', () => {
  const view = noRun()
  followRun(view, { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'ERROR', error: 'No key' } })
  followRun(view, { event: 'nextAgentFlow', data: { nodeId: 'b', nodeLabel: 'B', status: 'INPROGRESS' } })
  followRun(view, { event: 'agentFlowEvent', data: 'ERROR' })
  expect(view).toMatchObject({ state: 'ERROR', nodes: { a: { error: 'No key' }, b: { status: 'STOPPED' } } })
})

it('a new run forgets the one before', () => {
  const view = noRun()
  followRun(view, { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'FINISHED' } })
  followRun(view, { event: 'agentFlowEvent', data: 'INPROGRESS' })
  expect(view.nodes).toEqual({})
})
