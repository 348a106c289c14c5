import { expect, it } from 'vitest'
import type { RunEvent, StepStatus, TraceItem } from '#contract/runs/events.ts'
import { applyRunEvent, canClear, clearRun, noRun, showRun } from './run-state.ts'

it('lights up the nodes of a run and keeps what the trace tells of each', () => {
  const view = noRun()
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'INPROGRESS' })
  applyRunEvent(view, { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'INPROGRESS' } })
  expect(view.nodes.a).toEqual({ status: 'INPROGRESS' })
  const data = {
    id: 'a',
    name: 'llm',
    output: {
      content: 'Hi',
      timeMetadata: { start: 0, end: 40, delta: 40 },
      usageMetadata: { input_tokens: 2, output_tokens: 3, total_tokens: 5, total_cost: 0.01 },
    },
  }
  const item = { nodeId: 'a', nodeLabel: 'A', previousNodeIds: [], status: 'FINISHED' as const, data }
  applyRunEvent(view, { event: 'agentFlowExecutedData', data: [item] })
  expect(view.nodes.a).toEqual({ status: 'FINISHED', time: 40, tokens: 5, cost: 0.01 })
  expect(view.trace).toEqual([item])
})

it('shows the error of a node, and leaves nothing running when the run ends', () => {
  const view = noRun()
  applyRunEvent(view, {
    event: 'nextAgentFlow',
    data: { nodeId: 'a', nodeLabel: 'A', status: 'ERROR', error: 'No key' },
  })
  applyRunEvent(view, { event: 'nextAgentFlow', data: { nodeId: 'b', nodeLabel: 'B', status: 'INPROGRESS' } })
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'ERROR' })
  expect(view).toMatchObject({ state: 'ERROR', nodes: { a: { error: 'No key' }, b: { status: 'TERMINATED' } } })
})

it('a cleared run leaves no status or error, and is not read from the store again', () => {
  const view = noRun()
  applyRunEvent(view, {
    event: 'nextAgentFlow',
    data: { nodeId: 'a', nodeLabel: 'A', status: 'ERROR', error: 'No key' },
  })
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'ERROR' })
  expect(canClear(view)).toBe(true)
  clearRun(view)
  expect(view).toEqual({ ...noRun(), isLive: true })
  expect(canClear(view)).toBe(false)
})

it('a run in progress is not cleared, and one that was cleared while it waited lights up as it goes on', () => {
  const view = noRun()
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'INPROGRESS' })
  applyRunEvent(view, { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'INPROGRESS' } })
  clearRun(view)
  expect(view.nodes).toEqual({ a: { status: 'INPROGRESS' } })
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'STOPPED' })
  clearRun(view)
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'INPROGRESS' })
  applyRunEvent(view, { event: 'nextAgentFlow', data: { nodeId: 'b', nodeLabel: 'B', status: 'INPROGRESS' } })
  expect(view).toMatchObject({ state: 'INPROGRESS', nodes: { b: { status: 'INPROGRESS' } } })
})

it('a new run forgets the one before', () => {
  const view = noRun()
  applyRunEvent(view, { event: 'nextAgentFlow', data: { nodeId: 'a', nodeLabel: 'A', status: 'FINISHED' } })
  applyRunEvent(view, { event: 'agentFlowEvent', data: 'INPROGRESS' })
  expect(view.nodes).toEqual({})
})

const step = (path: string, status: StepStatus): RunEvent => {
  const nodeId = path.split(/[#@]/, 1)[0] as string
  return { event: 'nextAgentFlow', data: { nodeId, nodeLabel: nodeId, status, path } }
}
const item = (path: string, status: StepStatus, data: Partial<TraceItem['data']> = {}): TraceItem => {
  const nodeId = path.split(/[#@]/, 1)[0] as string
  return { nodeId, nodeLabel: nodeId, previousNodeIds: [], status, path, data: { id: nodeId, name: nodeId, ...data } }
}
const question = (path: string) => ({
  id: `e:${path}:0`,
  mapping: { approve: 'Proceed', reject: 'Reject' },
  elements: [],
  data: { nodeId: 'ask', nodeLabel: 'Ask', path, input: { humanInputEnableFeedback: true } },
})
const applyEvents = (view: ReturnType<typeof noRun>, ...events: RunEvent[]) => {
  for (const event of events) applyRunEvent(view, event)
}

it('counts rounds of a loop and items of an iteration', () => {
  const view = noRun()
  applyEvents(
    view,
    step('a', 'FINISHED'),
    step('a#2', 'INPROGRESS'),
    step('b@box[0]', 'FINISHED'),
    step('b@box[3]', 'INPROGRESS'),
  )
  expect(view.nodes.a).toEqual({ status: 'INPROGRESS', rounds: 3 })
  expect(view.nodes.box).toEqual({ status: 'INPROGRESS', items: { done: 4 } })
  applyRunEvent(view, {
    event: 'agentFlowExecutedData',
    data: [
      item('b@box[4]', 'FINISHED'),
      item('box', 'FINISHED', { output: { iterationResults: ['', '', '', '', ''] } }),
    ],
  })
  expect(view.nodes.box).toEqual({ status: 'FINISHED', items: { done: 5, all: 5 } })
})

it('a node of an iteration runs as long as one of its items does', () => {
  const view = noRun()
  applyEvents(view, step('b@box[0]', 'INPROGRESS'), step('b@box[1]', 'INPROGRESS'), step('b@box[1]', 'FINISHED'))
  expect(view.nodes.b?.status).toBe('INPROGRESS')
  applyRunEvent(view, step('b@box[0]', 'FINISHED'))
  expect(view.nodes.b?.status).toBe('FINISHED')
})

it('a run that waited and was answered goes on where it stood', () => {
  const view = noRun()
  const waits: RunEvent[] = [
    { event: 'agentFlowEvent', data: 'INPROGRESS' },
    step('a', 'FINISHED'),
    step('ask', 'STOPPED'),
    { event: 'action', data: question('ask') },
    { event: 'agentFlowEvent', data: 'STOPPED' },
  ]
  applyEvents(view, ...waits)
  expect(view).toMatchObject({
    state: 'STOPPED',
    nodes: { ask: { status: 'STOPPED' } },
    questions: [{ id: 'e:ask:0' }],
  })
  applyEvents(view, { event: 'agentFlowEvent', data: 'INPROGRESS' }, step('ask', 'INPROGRESS'))
  expect(view).toMatchObject({ nodes: { a: { status: 'FINISHED' }, ask: { status: 'INPROGRESS' } }, questions: [] })

  const other = noRun()
  applyEvents(other, ...waits, { event: 'agentFlowEvent', data: 'INPROGRESS' }, step('a', 'INPROGRESS'))
  expect(Object.keys(other.nodes)).toEqual(['a'])
})

it('shows a stored run with the questions that are open', () => {
  const view = noRun()
  const trace = [
    item('a', 'FINISHED'),
    item('ask', 'STOPPED', { output: { humanInputAction: question('ask') } }),
    item('ask#1', 'STOPPED', { output: { humanInputAction: question('ask#1') }, answer: { type: 'proceed' } }),
  ]
  showRun(view, { id: 'e', state: 'STOPPED', trace })
  expect(view).toMatchObject({
    state: 'STOPPED',
    executionId: 'e',
    nodes: { a: { status: 'FINISHED' }, ask: { status: 'STOPPED' } },
  })
  expect(view.questions.map((each) => each.id)).toEqual(['e:ask:0'])
})

it('the run state recognizes its run whether the id comes before or after the events', () => {
  const view = noRun()
  const begins: RunEvent = { event: 'agentFlowEvent', data: 'INPROGRESS' }
  const ends: RunEvent[] = [
    { event: 'agentFlowEvent', data: 'FINISHED' },
    { event: 'end', data: '[DONE]' },
  ]
  const id = (executionId: string): RunEvent => ({ event: 'metadata', data: { executionId } })
  applyEvents(view, begins, ends[0] as RunEvent, id('first'), ends[1] as RunEvent)
  expect(view.executionId).toBe('first')
  applyEvents(view, begins)
  expect(view.executionId).toBeNull()
  applyEvents(view, ...ends, id('replay'), begins)
  expect(view.executionId).toBe('replay')
})
