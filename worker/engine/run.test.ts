import { expect, test } from 'vitest'
import { noLimits } from '#contract/runs/limits.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, lines, nodeType, requestFor } from './testing/flows.ts'

type Behaviour = (context: StepContext) => Promise<StepResult> | StepResult

const say = (content: string): StepResult => ({ input: {}, output: { content } })
const chain = (count: number) => ['start_0', ...Array.from({ length: count }, (_, index) => `step_${index}`)]
const drawChain = (ids: string[]) =>
  drawFlow(
    Object.fromEntries(ids.map((id) => [id, {}])),
    ids.slice(1).map((id, index) => `${ids[index]}>${id}`),
  )
const fork = drawFlow({ start_0: {}, step_0: {}, step_1: {} }, ['start_0>step_0', 'start_0>step_1'])

/** Runs with one behaviour per node id; the others say their own id. */
function runWith(behaviours: Record<string, Behaviour>, make = (behave: Behaviour) => behave) {
  const behave = make((context) => behaviours[context.node.id]?.(context) ?? say(context.node.id))
  return createRun(catalogueOf(nodeType('start', behave), nodeType('step', behave)))
}

function gate() {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

test('events come in the order that clients read', async () => {
  const run = runWith({
    step_0: ({ emit }) => {
      emit({ event: 'token', data: 'Hel' })
      emit({ event: 'token', data: 'lo' })
      return say('Hello')
    },
  })
  const request = requestFor(drawChain(chain(1)))
  const outcome = await run(request)
  expect(lines(request.events)).toEqual([
    'agentFlowEvent INPROGRESS',
    'nextAgentFlow start_0 INPROGRESS',
    'nextAgentFlow start_0 FINISHED',
    'agentFlowExecutedData 1',
    'nextAgentFlow step_0 INPROGRESS',
    'token Hel',
    'token lo',
    'nextAgentFlow step_0 FINISHED',
    'agentFlowExecutedData 2',
    'agentFlowEvent FINISHED',
  ])
  expect(outcome).toMatchObject({ state: 'FINISHED', text: 'Hello', totalTokens: 0, totalCost: null })
  expect(request.rows.map(({ seq, path }) => [seq, path])).toEqual([
    [0, 'start_0'],
    [1, 'step_0'],
  ])
})

test('a long trace is sent while it is short and once at its end', async () => {
  const request = requestFor(drawChain(chain(59)))
  await runWith({})(request)
  const sent = request.events.flatMap(({ event, data }) => (event === 'agentFlowExecutedData' ? [data.length] : []))
  expect(sent).toEqual([...Array.from({ length: 19 }, (_, index) => index + 1), 60])
})

test('an error names its node once, carries the reason, and stops the other branch', async () => {
  const started = gate()
  const aborted = gate()
  const run = runWith({
    step_0: async () => {
      await started.passed
      throw new Error('429 slow down')
    },
    step_1: ({ signal }) => {
      signal.addEventListener('abort', aborted.open)
      started.open()
      return new Promise(() => {})
    },
  })
  const request = requestFor(fork)
  const outcome = await run(request)
  await aborted.passed
  expect(outcome).toMatchObject({ state: 'ERROR', error: 'Error in Step 0 node: 429 slow down' })
  expect(lines(request.events).slice(-5)).toEqual([
    'nextAgentFlow step_0 ERROR',
    'agentFlowExecutedData 2',
    'nextAgentFlow step_1 TERMINATED',
    'agentFlowExecutedData 3',
    'agentFlowEvent ERROR',
  ])
  expect(request.rows.map(({ path, item }) => [path, item.status, item.data.error])).toEqual([
    ['start_0', 'FINISHED', undefined],
    ['step_0', 'ERROR', 'Error in Step 0 node: 429 slow down'],
    ['step_1', 'TERMINATED', 'Flow execution was canceled'],
  ])
})

test('a flow that cannot be compiled ends with an error that names the node', async () => {
  const request = requestFor(drawFlow({ start_0: {}, magic_0: {} }, ['start_0>magic_0']))
  const outcome = await runWith({})(request)
  expect(outcome).toMatchObject({
    state: 'ERROR',
    error: 'Magic 0: The node type magicAgentflow is not available here',
    trace: [],
  })
  expect(lines(request.events)).toEqual(['agentFlowEvent INPROGRESS', 'agentFlowEvent ERROR'])
})

test('a cancelled run ends immediately, even if its node ignores the signal', async () => {
  const stop = new AbortController()
  const late: StepContext[] = []
  const run = runWith({
    step_0: (context) => {
      late.push(context)
      stop.abort()
      return new Promise(() => {})
    },
  })
  const request = requestFor(drawChain(chain(2)), { signal: stop.signal })
  const outcome = await run(request)
  expect(outcome).toMatchObject({ state: 'TERMINATED', error: 'Flow execution was canceled' })
  expect(request.rows.map(({ item }) => item.status)).toEqual(['FINISHED', 'TERMINATED'])
  expect(lines(request.events).at(-1)).toBe('agentFlowEvent TERMINATED')
  late[0]?.emit({ event: 'token', data: 'too late' })
  expect(lines(request.events).at(-1)).toBe('agentFlowEvent TERMINATED')
})

test('a run cancelled before it starts does nothing', async () => {
  const request = requestFor(drawChain(chain(1)), { signal: AbortSignal.abort() })
  expect((await runWith({})(request)).state).toBe('TERMINATED')
  expect(request.rows).toEqual([])
})

test('parallel branches run at the same time', async () => {
  const [a, b] = [gate(), gate()]
  const run = runWith({
    step_0: async () => {
      a.open()
      await b.passed
      return say('left')
    },
    step_1: async () => {
      b.open()
      await a.passed
      return say('right')
    },
  })
  expect((await run(requestFor(fork))).state).toBe('FINISHED')
})

test('at most eight steps run at once', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `step_${index}`)
  const flow = drawFlow(
    Object.fromEntries(['start_0', ...ids].map((id) => [id, {}])),
    ids.map((id) => `start_0>${id}`),
  )
  let under = 0
  let most = 0
  const run = runWith({}, (behave) => async (context) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    return behave(context)
  })
  const outcome = await run(requestFor(flow))
  expect([most, outcome.trace.length]).toEqual([8, 31])
})

test('two ending nodes that stream at once are emitted one after the other', async () => {
  const [first, second] = [gate(), gate()]
  const run = runWith({
    step_0: async ({ emit }) => {
      emit({ event: 'token', data: 'a1' })
      first.open()
      await second.passed
      emit({ event: 'token', data: 'a2' })
      return say('a1a2')
    },
    step_1: async ({ emit }) => {
      await first.passed
      emit({ event: 'token', data: 'b1' })
      second.open()
      return say('b1')
    },
  })
  const request = requestFor(fork)
  const outcome = await run(request)
  expect(lines(request.events).filter((line) => line.startsWith('token'))).toEqual(['token a1', 'token a2', 'token b1'])
  expect(outcome.text).toBe('b1')
})

test('finished steps of the log are not run again, failed ones are', async () => {
  const flow = drawChain(chain(3))
  const before = requestFor(flow)
  await runWith({
    step_0: () => ({ input: {}, output: { content: 'kept' }, state: { at: 'step_0' } }),
    step_1: () => {
      throw new Error('died')
    },
  })(before)
  const ran: string[] = []
  const request = requestFor(flow, { done: JSON.parse(JSON.stringify(before.rows)) })
  const outcome = await runWith({}, (behave) => (context) => {
    ran.push(`${context.node.id} ${JSON.stringify(context.state)}`)
    return behave(context)
  })(request)
  expect(ran).toEqual(['step_1 {"at":"step_0"}', 'step_2 {"at":"step_0"}'])
  expect(request.rows.map(({ seq, path }) => [seq, path])).toEqual([
    [3, 'step_1'],
    [4, 'step_2'],
  ])
  expect(outcome.trace.map(({ nodeId }) => nodeId)).toEqual(['start_0', 'step_0', 'step_1', 'step_2'])
})

test('the step limit ends the run with a clear error and records finished steps', async () => {
  const request = requestFor(drawChain(chain(5)), { limits: { ...noLimits, maxSteps: 3 } })
  const outcome = await runWith({})(request)
  expect(outcome).toMatchObject({
    state: 'TERMINATED',
    limit: 'steps',
    error: 'The flow was stopped: one run may take 3 steps',
  })
  expect(request.rows).toHaveLength(3)
  expect(lines(request.events).at(-1)).toBe('agentFlowEvent TERMINATED')
})

test('a step waits for the log before a side effect', async () => {
  const stored: string[] = []
  const request = requestFor(drawChain(chain(2)))
  request.log = {
    append: (row) => void request.rows.push(row),
    barrier: async () => void stored.push(...request.rows.map(({ path }) => path)),
  }
  await runWith({
    step_1: async ({ barrier, idempotencyKey }) => {
      await barrier()
      return say(`${stored} ${idempotencyKey}`)
    },
  })(request)
  expect(request.rows.at(-1)?.item.data.output?.content).toBe('start_0,step_0 execution-1:step_1')
})

test('ephemeral memory hides the earlier conversation, on a resumed run too', async () => {
  const seen: number[] = []
  const behaviours: Record<string, Behaviour> = {
    start_0: () => ({ input: {}, output: { ephemeralMemory: true } }),
    step_0: ({ pastHistory }) => {
      seen.push(pastHistory.length)
      return say('x')
    },
  }
  const flow = drawChain(chain(1))
  const pastHistory = [{ role: 'user' as const, content: 'before' }]
  const first = requestFor(flow, { pastHistory })
  await runWith(behaviours)(first)
  await runWith(behaviours)(requestFor(flow, { pastHistory, done: first.rows.slice(0, 1) }))
  expect(seen).toEqual([0, 0])
})

test('tokens and costs are summed, ignoring unknown prices', async () => {
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
  const run = runWith({
    step_0: () => ({ input: {}, output: { usageMetadata: usage } }),
    step_1: () => ({ input: {}, output: { usageMetadata: { ...usage, total_cost: 0.5 } } }),
  })
  expect(await run(requestFor(fork))).toMatchObject({ totalTokens: 6, totalCost: 0.5 })
})

test('a plan is compiled once per key', async () => {
  const asked: string[] = []
  const types = catalogueOf(nodeType('start', () => say('x')))
  const node = (name: string) => {
    asked.push(name)
    return types.node(name)
  }
  const run = createRun({ ...types, node })
  for (const planKey of ['a@1', 'a@1', 'a@2']) await run(requestFor(drawChain(['start_0']), { planKey }))
  expect(asked).toHaveLength(2)
})

test('an empty answer of the last node is the answer, not the text of an earlier node', async () => {
  const run = runWith({ step_0: () => say('for the next node'), step_1: () => say('') })
  expect((await run(requestFor(drawChain(chain(2))))).text).toBe('')
  const withoutText = runWith({ step_0: () => say('said'), step_1: () => ({ input: {}, output: {} }) })
  expect((await withoutText(requestFor(drawChain(chain(2))))).text).toBe('said')
})
