import { expect, test } from 'vitest'
import { iteration } from '../nodes/agentflow/iteration.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, lines, nodeType, requestFor } from './testing/flows.ts'
import type { RunRequest } from './types.ts'

type Behaviour = (context: StepContext) => Promise<StepResult> | StepResult

const refs = { label: 'Refs', name: 'refs', type: 'string', acceptVariable: true }
const say = (content: string): StepResult => ({ input: {}, output: { content } })
const pathOf = ({ idempotencyKey }: StepContext) => idempotencyKey.slice('execution-1:'.length)

/** Start, `step_0`, the iteration with `step_1` and then `step_2` inside, `step_9` behind it. */
function draw(inputs: Record<string, unknown>, more: { refs?: string; items?: unknown } = {}) {
  const items = JSON.stringify(more.items ?? ['a', 'b', 'c'])
  const nodes = {
    start_0: {},
    step_0: {},
    iteration_0: { iterationInput: items, ...inputs },
    step_1: { refs: more.refs ?? '{{$iteration}}' },
    step_2: { refs: '{{step_1}}' },
    step_9: { refs: '{{iteration_0}}|{{iteration_0.output.iterationResults[1]}}|{{step_1}}' },
  }
  const flow = drawFlow(nodes, ['start_0>step_0', 'step_0>iteration_0', 'step_1>step_2', 'iteration_0>step_9'])
  for (const node of flow.nodes) if (node.id === 'step_1' || node.id === 'step_2') node.parentNode = 'iteration_0'
  return flow
}

function start(
  flow: ReturnType<typeof draw>,
  behaviours: Record<string, Behaviour> = {},
  more: Partial<RunRequest> = {},
) {
  const behave: Behaviour = (context) =>
    behaviours[context.node.id]?.(context) ?? say(String(context.inputs.refs ?? ''))
  const types = catalogueOf(
    nodeType('start', behave, { inputs: [refs] }),
    nodeType('step', behave, { inputs: [refs] }),
    iteration,
  )
  const request = requestFor(flow, more)
  return { request, outcome: createRun(types)(request) }
}

test('inner nodes run once per item, and results keep their order, including empty ones', async () => {
  const { request, outcome } = start(draw({}, { items: ['a', '', 0, { x: 1 }, false] }))
  expect((await outcome).text).toBe('a\n\n0\n{"x":1}\nfalse||{{step_1}}')
  const row = request.rows.find(({ path }) => path === 'iteration_0')
  expect(row?.item.data.output).toEqual({
    content: 'a\n\n0\n{"x":1}\nfalse',
    iterationResults: ['a', '', '0', '{"x":1}', 'false'],
  })
})

test('rows of items precede the row of their container and name their item', async () => {
  const { request, outcome } = start(draw({}, { items: ['a', 'b'] }))
  await outcome
  expect(request.rows.map(({ path }) => path)).toEqual([
    'start_0',
    'step_0',
    'step_1@iteration_0[0]',
    'step_2@iteration_0[0]',
    'step_1@iteration_0[1]',
    'step_2@iteration_0[1]',
    'iteration_0',
    'step_9',
  ])
  expect(request.rows[4]?.item).toMatchObject({
    path: 'step_1@iteration_0[1]',
    data: {
      iterationIndex: 1,
      iterationContext: { index: 1, value: 'b', isFirst: false, isLast: true },
      parentNodeId: 'iteration_0',
    },
  })
  expect(lines(request.events).filter((line) => line.includes('iteration_0'))).toEqual([
    'nextAgentFlow iteration_0 INPROGRESS',
    'nextAgentFlow iteration_0 FINISHED',
  ])
})

test('inner nodes see outer nodes, have their own history, and never stream', async () => {
  const seen: unknown[] = []
  const { outcome } = start(draw({}, { items: [1], refs: '{{step_0}}-{{$iteration}}-{{step_9}}' }), {
    step_0: () => ({ ...say('before'), chatHistory: [{ role: 'user', content: 'said' }], state: { kept: 1 } }),
    step_1: ({ inputs, runtimeHistory, state, isLast, iteration: item }) => {
      seen.push(inputs.refs, runtimeHistory, state, isLast, item)
      return { ...say('x'), chatHistory: [{ role: 'user', content: 'inside' }] }
    },
    step_2: ({ runtimeHistory }) => {
      seen.push(runtimeHistory.length)
      return say('y')
    },
    step_9: ({ runtimeHistory }) => say(runtimeHistory.map(({ content }) => content).join()),
  })
  expect((await outcome).text).toBe('said')
  expect(seen).toEqual([
    'before-1-{{step_9}}',
    [],
    { kept: 1 },
    false,
    { index: 0, value: 1, isFirst: true, isLast: true },
    1,
  ])
})

const counting: Record<string, Behaviour> = {
  step_0: () => ({ ...say(''), state: { seen: '-', mine: '' } }),
  step_1: ({ state, iteration: item }) => ({
    ...say(`${state.seen}${item?.value}`),
    state: { ...state, seen: `${state.seen}${item?.value}`, [`i${item?.index}`]: true },
  }),
}

test('sequential items get the state of the previous item', async () => {
  const { outcome } = start(draw({}), counting)
  expect(await outcome).toMatchObject({
    text: expect.stringContaining('-a\n-ab\n-abc'),
    flowState: { seen: '-abc', i0: true, i2: true },
  })
})

test('parallel items get the initial state, and their changes are merged in item order', async () => {
  const order = [2, 0, 1]
  const gates = order.map(() => Promise.withResolvers<void>())
  const { outcome } = start(draw({ iterationConcurrency: 3 }), {
    ...counting,
    step_2: async ({ inputs, iteration: item }) => {
      const place = order.indexOf(item?.index ?? 0)
      if (place > 0) await gates[place - 1]?.promise
      gates[place]?.resolve()
      return say(String(inputs.refs))
    },
  })
  expect(await outcome).toMatchObject({
    text: expect.stringContaining('-a\n-b\n-c'),
    flowState: { seen: '-c', i0: true, i1: true, i2: true },
  })
})

test.each([1, 3])('at most %i items and eight steps run in parallel', async (atOnce) => {
  let under = 0
  let most = 0
  const { outcome } = start(
    draw({ iterationConcurrency: atOnce }, { items: Array.from({ length: 12 }, (_, index) => index) }),
    {
      step_1: async () => {
        most = Math.max(most, ++under)
        await new Promise((resolve) => setImmediate(resolve))
        under--
        return say('x')
      },
    },
  )
  expect((await outcome).state).toBe('FINISHED')
  expect(most).toBe(atOnce)
})

test('a failed item has an error as its result and changes no state, and the others continue', async () => {
  const { request, outcome } = start(draw({}), {
    ...counting,
    step_2: ({ inputs, iteration: item }) => {
      if (item?.index === 1) throw new Error('429 slow down')
      return say(String(inputs.refs))
    },
  })
  expect(await outcome).toMatchObject({ state: 'FINISHED', flowState: { seen: '-ac', i0: true, i2: true } })
  const results = request.rows.find(({ path }) => path === 'iteration_0')?.item.data.output?.iterationResults
  expect(results).toEqual(['-a', 'Error in item 2: Error in Step 2 node: 429 slow down', '-ac'])
  expect(request.rows.find(({ path }) => path === 'step_2@iteration_0[1]')?.item.status).toBe('ERROR')
})

test('a failed item stops its own steps, but not those of other items', async () => {
  const flow = draw({ iterationConcurrency: 2 }, { items: [0, 1] })
  flow.edges = flow.edges.filter(({ target }) => target !== 'step_2')
  const begun = Promise.withResolvers<void>()
  const { request, outcome } = start(flow, {
    step_1: async ({ iteration: item, signal }) => {
      if (item?.index === 1) return say('fine')
      begun.resolve()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return say('too late')
    },
    step_2: async ({ iteration: item }) => {
      if (item?.index === 1) return say('well')
      await begun.promise
      throw new Error('broken')
    },
  })
  expect((await outcome).text).toContain('Error in item 1: Error in Step 2 node: broken\nwell')
  expect(request.rows.find(({ path }) => path === 'step_1@iteration_0[0]')?.item).toMatchObject({
    status: 'TERMINATED',
    data: { error: 'Another step of this item failed' },
  })
})

test('an iteration that fails on the first error stops the run and names item and node', async () => {
  const { request, outcome } = start(draw({ iterationOnError: 'stop' }), {
    step_1: ({ iteration: item }) => {
      if (item?.index === 1) throw new Error('broken')
      return say('x')
    },
  })
  expect(await outcome).toMatchObject({
    state: 'ERROR',
    error: 'Error in Iteration 0 node: Error in item 2: Error in Step 1 node: broken',
  })
  expect(request.rows.some(({ path }) => path.includes('[2]'))).toBe(false)
})

test('an iteration can have an error branch', async () => {
  const flow = draw({ iterationOnError: 'stop' })
  const container = flow.nodes.find(({ id }) => id === 'iteration_0')
  if (container) container.data.runPolicy = { onError: 'branch' }
  flow.edges = flow.edges.map((edge) =>
    edge.source === 'iteration_0' ? { ...edge, sourceHandle: 'iteration_0-output-error' } : edge,
  )
  const { outcome } = start(flow, {
    step_1: () => {
      throw new Error('broken')
    },
    step_9: () => say('caught'),
  })
  expect(await outcome).toMatchObject({ state: 'FINISHED', text: 'caught' })
})

test('an input that is not a list fails the iteration', async () => {
  const flow = draw({ iterationInput: 'many' })
  expect((await start(flow).outcome).error).toBe('Error in Iteration 0 node: Array input is not a list: many')
})

test('an iteration over an empty list ends immediately', async () => {
  expect(await start(draw({}, { items: [] })).outcome).toMatchObject({
    state: 'FINISHED',
    text: '|{{iteration_0.output.iterationResults[1]}}|{{step_1}}',
  })
})

test('cancelling a run marks its iteration as terminated', async () => {
  const stop = new AbortController()
  const { request, outcome } = start(
    draw({}),
    {
      step_1: () => {
        stop.abort()
        return new Promise(() => {})
      },
    },
    { signal: stop.signal },
  )
  expect((await outcome).state).toBe('TERMINATED')
  const ends = Object.fromEntries(request.rows.map(({ path, item }) => [path, item.status]))
  expect(ends).toMatchObject({ 'step_1@iteration_0[0]': 'TERMINATED', iteration_0: 'TERMINATED' })
})

test('a run resumed inside an iteration keeps finished and failed items', async () => {
  const fails: Behaviour = ({ iteration: item }) => {
    if (item?.index === 0) throw new Error('broken')
    return say('x')
  }
  const whole = start(draw({}), { step_1: fails })
  await whole.outcome
  const done = JSON.parse(JSON.stringify(whole.request.rows.slice(0, 4)))
  const ran: string[] = []
  const note: Behaviour = (context) => {
    ran.push(pathOf(context))
    return say('x')
  }
  const rest = start(draw({}), { step_1: note, step_2: note }, { done })
  expect((await rest.outcome).state).toBe('FINISHED')
  expect(ran).toEqual(['step_2@iteration_0[1]', 'step_1@iteration_0[2]', 'step_2@iteration_0[2]'])
  const output = (rows: typeof done) =>
    rows.find(({ path }: { path: string }) => path === 'iteration_0').item.data.output.content
  expect(output(rest.request.rows)).toBe('Error in item 1: Error in Step 1 node: broken\nx\nx')
})
