import { expect, test } from 'vitest'
import { loop } from '../nodes/agentflow/loop.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, nodeType, requestFor } from './testing/flows.ts'
import type { RunRequest } from './types.ts'

const refs = { label: 'Refs', name: 'refs', type: 'string', acceptVariable: true }

interface Setting extends Partial<RunRequest> {
  /** What the decision takes in its n-th round; 1 when there is nothing more. */
  taken?: number[]
  first?: string[]
}

/** Every step says its path, notes it in the state and in the history. Returns what each saw. */
async function sights(nodes: Record<string, Record<string, unknown>>, arrows: string[], setting: Setting = {}) {
  const { taken = [], first = [], ...more } = setting
  const seen: Record<string, { refs: unknown; said: string; state: Record<string, unknown>; loops: number }> = {}
  const round: Record<string, number> = {}
  const run = ({ node, inputs, idempotencyKey, runtimeHistory, state, loopCount }: StepContext): StepResult => {
    const path = idempotencyKey.slice('execution-1:'.length)
    seen[path] = {
      refs: inputs.refs,
      said: runtimeHistory.map(({ content }) => content).join(' '),
      state,
      loops: loopCount,
    }
    round[node.id] = (round[node.id] ?? -1) + 1
    return {
      input: {},
      output: { content: path },
      state: { ...state, last: path, [node.id]: path },
      chatHistory: [{ role: 'assistant', content: path }],
      ...(node.name === 'chooseAgentflow' && { takenOutputs: [taken[round[node.id] ?? 0] ?? 1] }),
    }
  }
  const outputs = ['0', '1'].map((name) => ({ label: name, name }))
  const types = catalogueOf(
    nodeType('start', run, { inputs: [refs] }),
    nodeType('step', run, { inputs: [refs] }),
    nodeType('choose', run, { inputs: [refs], outputs }),
    loop,
  )
  const flow = drawFlow(nodes, arrows)
  for (const { id, data } of flow.nodes) if (first.includes(id)) data.runPolicy = { join: 'any' }
  const request = requestFor(flow, more)
  const outcome = await createRun(types)(request)
  return { seen, outcome, rows: request.rows }
}

const back = (to: string, more = {}) => ({ loopBackToNode: `${to}-Any`, ...more })
const body = ['start_0>step_0', 'step_0>choose_0', 'choose_0>0:loop_0', 'choose_0>1:step_1']

test('a new round sees the steps before the loop and all earlier rounds', async () => {
  const flow = {
    start_0: {},
    step_0: { refs: '{{choose_0}}|{{step_1}}|{{loop_count}}' },
    choose_0: {},
    loop_0: back('step_0'),
    step_1: {},
  }
  const { seen, outcome } = await sights(flow, body, { taken: [0, 0] })
  expect(seen.step_0).toMatchObject({ refs: '||0', said: 'start_0', loops: 0 })
  expect(seen['step_0#1']).toMatchObject({
    refs: 'choose_0||1',
    said: 'start_0 step_0 choose_0',
    state: { last: 'choose_0', step_0: 'step_0' },
    loops: 1,
  })
  expect(seen['step_1#2']).toMatchObject({
    said: 'start_0 step_0 choose_0 step_0#1 choose_0#1 step_0#2 choose_0#2',
    state: { start_0: 'start_0', step_0: 'step_0#2' },
    loops: 2,
  })
  expect(outcome.text).toBe('step_1#2')
})

test('a maximum of N runs the body N times, then the loop answers', async () => {
  const flow = { start_0: {}, step_0: {}, loop_0: back('step_0', { maxLoopCount: 3 }) }
  const { seen, outcome } = await sights(flow, ['start_0>step_0', 'step_0>loop_0'])
  expect(Object.keys(seen)).toEqual(['start_0', 'step_0', 'step_0#1', 'step_0#2'])
  expect(outcome).toMatchObject({ state: 'FINISHED', text: 'The loop ended after 3 rounds.' })
})

test('the text of a loop that jumps back is not the answer of the run', async () => {
  const flow = { start_0: {}, step_1: {}, step_0: {}, choose_0: {}, loop_0: back('step_0') }
  const { outcome } = await sights(flow, body, { taken: [0] })
  expect(outcome.text).toBe('step_1#1')
})

test('previous nodes are the same in every round', async () => {
  const flow = { start_0: {}, step_0: {}, choose_0: {}, loop_0: back('step_0'), step_1: {} }
  const { rows } = await sights(flow, body, { taken: [0] })
  const previous = Object.fromEntries(rows.map(({ path, item }) => [path, item.previousNodeIds]))
  expect(previous).toMatchObject({ start_0: [], step_0: ['start_0'], loop_0: ['choose_0'], 'step_0#1': ['start_0'] })
})

test('an outer branch that joins the body is visible in every round at the same place in the history', async () => {
  const flow = { start_0: {}, step_0: {}, step_1: {}, choose_0: {}, loop_0: back('step_0'), step_9: {} }
  const arrows = [
    'start_0>step_0',
    'start_0>step_1',
    'step_0>choose_0',
    'step_1>choose_0',
    'choose_0>0:loop_0',
    'choose_0>1:step_9',
  ]
  const { seen } = await sights(flow, arrows, { taken: [0] })
  expect(seen.choose_0?.said).toBe('start_0 step_0 step_1')
  expect(seen['step_0#1']?.said).toBe('start_0 step_0 step_1 choose_0')
  expect(seen['choose_0#1']?.said).toBe('start_0 step_0 step_1 choose_0 step_0#1')
  expect(seen['choose_0#1']?.state).toMatchObject({ last: 'step_0#1', step_1: 'step_1' })
})

test('an outer round sees every inner round once', async () => {
  const flow = {
    start_0: {},
    step_0: {},
    step_1: {},
    loop_0: back('step_1', { maxLoopCount: 2 }),
    step_2: {},
    loop_1: back('step_0', { maxLoopCount: 2 }),
  }
  const arrows = ['start_0>step_0', 'step_0>step_1', 'step_1>loop_0', 'loop_0>step_2', 'step_2>loop_1']
  const { seen } = await sights(flow, arrows)
  expect(Object.keys(seen)).toEqual([
    'start_0',
    'step_0',
    'step_1',
    'step_1#1',
    'step_2#1',
    'step_0#1',
    'step_1#2',
    'step_1#3',
    'step_2#3',
  ])
  expect(seen['step_0#1']?.said).toBe('start_0 step_0 step_1 step_1#1 step_2#1')
  expect(seen['step_2#3']).toMatchObject({
    said: 'start_0 step_0 step_1 step_1#1 step_2#1 step_0#1 step_1#2 step_1#3',
    loops: 1,
  })
})

test('a node skipped in the new round keeps its last output', async () => {
  const flow = { start_0: {}, choose_0: {}, step_0: {}, loop_0: back('choose_0'), step_1: { refs: '{{step_0}}' } }
  const arrows = ['start_0>choose_0', 'choose_0>0:step_0', 'step_0>loop_0', 'choose_0>1:step_1']
  expect((await sights(flow, arrows, { taken: [0] })).seen['step_1#1']?.refs).toBe('step_0')
})

test('a parallel node stays as typed, and a loop node that has not run reads as empty', async () => {
  const refs = '{{step_8}}<{{choose_0}}>'
  const flow = { start_0: {}, step_8: {}, step_0: { refs }, choose_0: {}, loop_0: back('step_0'), step_1: {} }
  const { seen } = await sights(flow, [...body, 'start_0>step_8'], { taken: [0] })
  expect([seen.step_0?.refs, seen['step_0#1']?.refs]).toEqual(['{{step_8}}<>', '{{step_8}}<choose_0>'])
})

test('a join any and its successors see only the branch that started it', async () => {
  const flow = { start_0: {}, step_0: {}, step_1: {}, step_2: { refs: '{{step_0}}<{{step_1}}>' }, step_3: {} }
  const arrows = ['start_0>step_0', 'start_0>step_1', 'step_0>step_2', 'step_1>step_2', 'step_2>step_3']
  const { seen, rows } = await sights(flow, arrows, { first: ['step_2'] })
  expect(seen.step_2).toMatchObject({ refs: 'step_0<>', said: 'start_0 step_0' })
  expect(seen.step_3?.said).toBe('start_0 step_0 step_2')
  expect(rows.find(({ path }) => path === 'step_2')?.item.previousNodeIds).toEqual(['step_0'])
  const [start, left, right, ...later] = rows
  const swapped = [start, right, left].map((row, seq) => ({ ...row, seq })) as typeof rows
  expect(later).not.toHaveLength(0)
  const resumed = await sights(flow, arrows, { first: ['step_2'], done: swapped })
  expect(resumed.seen.step_2).toMatchObject({ refs: '<step_1>', said: 'start_0 step_1' })
})

test('looping back keeps the conversation in order', async () => {
  const flow = { start_0: {}, step_0: {}, loop_0: back('step_0', { maxLoopCount: 3 }) }
  const { seen } = await sights(flow, ['start_0>step_0', 'step_0>loop_0'])
  expect(seen['step_0#2']?.said).toBe('start_0 step_0 step_0#1')
})

test('a round that starts at a skipped node sees the nodes before it', async () => {
  const flow = { start_0: {}, choose_0: {}, step_0: {}, step_1: {}, loop_0: back('step_0', { maxLoopCount: 2 }) }
  const { seen } = await sights(flow, ['start_0>choose_0', 'choose_0>0:step_0', 'choose_0>1:step_1', 'step_1>loop_0'])
  expect(seen.step_0).toBeUndefined()
  expect(seen['step_0#1']).toMatchObject({ said: 'start_0 choose_0', state: { last: 'choose_0' } })
})

test('a row of a round that was not reached is ignored', async () => {
  const flow = { start_0: {}, step_0: {}, loop_0: back('step_0', { maxLoopCount: 2 }) }
  const arrows = ['start_0>step_0', 'step_0>loop_0']
  const { rows } = await sights(flow, arrows)
  const done = rows.filter(({ path }) => path === 'start_0' || path === 'step_0#1')
  const { seen, outcome } = await sights(flow, arrows, { done })
  expect(Object.keys(seen)).toEqual(['step_0', 'step_0#1'])
  expect(outcome.trace.map(({ path }) => path)).toEqual(['start_0', 'step_0', 'loop_0', 'step_0#1', 'loop_0#1'])
})
