// @defends failed-query-reveals
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { noLimits } from '#contract/runs/limits.ts'
import { variables } from '#db/schema/index.ts'
import { refusingNetwork } from '#db/testing/refusing-network.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import type { Clock } from '../ports/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, lines, nodeType, requestFor } from './testing/flows.ts'
import type { RunRequest } from './types.ts'

type Behaviour = (context: StepContext) => Promise<StepResult> | StepResult

const say = (content: string): StepResult => ({ input: {}, output: { content } })
const never = () => new Promise<never>(() => {})
const usage = (total_tokens: number, total_cost?: number) => ({
  input_tokens: total_tokens,
  output_tokens: 0,
  total_tokens,
  ...(total_cost !== undefined && { input_cost: total_cost, output_cost: 0, total_cost }),
})

/** A clock that advances only on request. */
function testClock() {
  const sleeps: { ms: number; wake: () => void; signal?: AbortSignal }[] = []
  const clock: Clock = {
    now: () => new Date('2026-01-02T03:04:05.000Z'),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleeps.push({ ms, wake: resolve, signal })
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      }),
  }
  const slept = async (ms: number) => {
    while (!sleeps.some((one) => one.ms === ms && !one.signal?.aborted))
      await new Promise((resolve) => setImmediate(resolve))
    return sleeps.find((one) => one.ms === ms) as (typeof sleeps)[number]
  }
  return { clock, sleeps, slept }
}

const arrows = ['start_0>step_0', 'step_0>step_1', 'step_0>error:step_2']

function start(
  behaviours: Record<string, Behaviour>,
  { policy = {}, ...more }: Partial<RunRequest> & { policy?: object } = {},
) {
  const behave: Behaviour = (context) => behaviours[context.node.id]?.(context) ?? say(context.node.id)
  const flow = drawFlow({ start_0: {}, step_0: {}, step_1: {}, step_2: {} }, arrows)
  for (const { id, data } of flow.nodes) if (id === 'step_0') data.runPolicy = policy
  const request = requestFor(flow, more)
  return { request, outcome: createRun(catalogueOf(nodeType('start', behave), nodeType('step', behave)))(request) }
}

function failing(times: number): Behaviour {
  let tried = 0
  return () => {
    if (tried++ < times) throw new Error(`attempt ${tried}`)
    return say('worked')
  }
}

test('attempts are retried with exponential backoff, and failed ones are recorded', async () => {
  const { clock, sleeps, slept } = testClock()
  const { request, outcome } = start({ step_0: failing(2) }, { clock, policy: { retries: 3, retryWaitSeconds: 2 } })
  for (const ms of [2000, 4000]) (await slept(ms)).wake()
  expect(await outcome).toMatchObject({ state: 'FINISHED', text: 'step_1' })
  expect(sleeps.map(({ ms }) => ms)).toEqual([2000, 4000])
  const at = '2026-01-02T03:04:05.000Z'
  expect(request.rows[1]?.item.data.failedAttempts).toEqual([
    { error: 'attempt 1', at },
    { error: 'attempt 2', at },
  ])
})

test('the last error counts when all attempts fail', async () => {
  const { request, outcome } = start({ step_0: failing(9) }, { policy: { retries: 1 } })
  expect(await outcome).toMatchObject({ state: 'ERROR', error: 'Error in Step 0 node: attempt 2' })
  expect(request.rows[1]?.item.data.failedAttempts).toMatchObject([{ error: 'attempt 1' }])
})

test('usage of failed attempts is recorded and counted', async () => {
  let tried = 0
  const behaviour: Behaviour = ({ charge }) => {
    charge(usage(10, 0.5))
    if (tried++ === 0) throw new Error('broken')
    return { input: {}, output: { usageMetadata: usage(10, 0.5) } }
  }
  const { request, outcome } = start({ step_0: behaviour }, { policy: { retries: 1 } })
  expect(await outcome).toMatchObject({ totalTokens: 20, totalCost: 1 })
  expect(request.rows[1]?.item.data.failedAttempts).toMatchObject([{ usageMetadata: { total_tokens: 10 } }])
})

test('the wait before a retry ends with the run', async () => {
  const { clock, slept } = testClock()
  const stop = new AbortController()
  const { request, outcome } = start(
    { step_0: failing(1) },
    { clock, signal: stop.signal, policy: { retries: 1, retryWaitSeconds: 7 } },
  )
  await slept(7000)
  stop.abort()
  expect((await outcome).state).toBe('TERMINATED')
  expect(request.rows.at(-1)?.item.status).toBe('TERMINATED')
})

test('an attempt that times out is aborted and can be retried', async () => {
  const { clock, slept } = testClock()
  const signals: AbortSignal[] = []
  const behaviour: Behaviour = ({ signal }) => {
    signals.push(signal)
    return signals.length === 1 ? never() : say('in time')
  }
  const { outcome } = start(
    { step_0: behaviour, step_1: () => say('end') },
    { clock, policy: { timeoutSeconds: 3, retries: 1, retryWaitSeconds: 1 } },
  )
  ;(await slept(3000)).wake()
  ;(await slept(1000)).wake()
  expect(await outcome).toMatchObject({ state: 'FINISHED', text: 'end' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])
})

test('events of an attempt after its timeout are ignored', async () => {
  const { clock, slept } = testClock()
  let emit: StepContext['emit'] = () => {}
  const behaviour: Behaviour = (context) => {
    emit = context.emit
    return never()
  }
  const { request, outcome } = start({ step_0: behaviour }, { clock, policy: { timeoutSeconds: 3 } })
  ;(await slept(3000)).wake()
  expect((await outcome).error).toBe('Error in Step 0 node: Timed out after 3 seconds')
  emit({ event: 'token', data: 'late' })
  expect(lines(request.events)).not.toContain('token late')
})

test('a failed step continues at its error branch, which can read the message', async () => {
  const { request, outcome } = start(
    {
      start_0: () => ({ ...say('x'), state: { kept: 1 } }),
      step_0: failing(1),
      step_2: ({ state }) => say(JSON.stringify(state)),
    },
    { policy: { onError: 'branch' } },
  )
  expect(await outcome).toMatchObject({ state: 'FINISHED', text: '{"kept":1}', flowState: { kept: 1 } })
  expect(request.rows.map(({ path, takenOutputs, item }) => [path, item.status, takenOutputs])).toEqual([
    ['start_0', 'FINISHED', null],
    ['step_0', 'ERROR', [-1]],
    ['step_2', 'FINISHED', null],
  ])
  expect(request.rows[1]?.item.data).toMatchObject({
    error: 'Error in Step 0 node: attempt 1',
    output: { content: 'attempt 1', error: 'attempt 1' },
  })
  expect(lines(request.events)).toContain('nextAgentFlow step_0 ERROR')
})

test('a step that took its error branch is not run again on resume', async () => {
  const first = start({ step_0: failing(1) }, { policy: { onError: 'branch' } })
  await first.outcome
  const ran: string[] = []
  const note: Behaviour = ({ node }) => {
    ran.push(node.id)
    return say(node.id)
  }
  const again = start(
    { step_0: note, step_1: note, step_2: note },
    { policy: { onError: 'branch' }, done: first.request.rows.slice(0, 2) },
  )
  expect((await again.outcome).text).toBe('step_2')
  expect(ran).toEqual(['step_2'])
})

test.each([
  ['tokens', { maxTokens: 100 }, 'TERMINATED', 'The flow was stopped: one run may use 100 tokens'],
  ['cost', { maxCost: 0.5 }, 'TERMINATED', 'The flow was stopped: one run may cost 0.5 US dollars'],
] as const)('the limit of %s stops everything as soon as it is passed', async (limit, limits, state, error) => {
  const signals: AbortSignal[] = []
  const behaviour: Behaviour = ({ charge, signal }) => {
    signals.push(signal)
    charge(usage(60, 0.3))
    charge(usage(60, 0.3))
    return never()
  }
  const { request, outcome } = start({ step_0: behaviour }, { limits: { ...noLimits, ...limits } })
  expect(await outcome).toMatchObject({ state, limit, error, totalTokens: 120, totalCost: 0.6 })
  expect(signals[0]?.aborted).toBe(true)
  expect(request.rows.at(-1)?.item).toMatchObject({
    status: 'TERMINATED',
    data: { output: { usageMetadata: { total_tokens: 120 } } },
  })
  expect(lines(request.events).at(-1)).toBe('agentFlowEvent TERMINATED')
})

test('limits include usage of earlier attempts, but not usage copied from another run', async () => {
  const first = start({ step_0: () => ({ input: {}, output: { usageMetadata: usage(80) } }) })
  await first.outcome
  const done = first.request.rows.slice(0, 2)
  const limits = { ...noLimits, maxTokens: 100 }
  const charges: Behaviour = ({ charge }) => {
    charge(usage(30))
    return say('end')
  }
  expect(await start({ step_1: charges }, { done, limits }).outcome).toMatchObject({
    state: 'TERMINATED',
    limit: 'tokens',
  })
  const copied = done.map((row) => ({ ...row, isCopied: true }))
  expect(await start({ step_1: charges }, { done: copied, limits }).outcome).toMatchObject({
    state: 'FINISHED',
    totalTokens: 30,
  })
})

test('copied steps do not count toward the step limit', async () => {
  const first = start({})
  await first.outcome
  const done = first.request.rows.slice(0, 2)
  const limits = { ...noLimits, maxSteps: 1 }
  expect((await start({}, { done, limits }).outcome).limit).toBe('steps')
  expect((await start({}, { done: done.map((row) => ({ ...row, isCopied: true })), limits }).outcome).state).toBe(
    'FINISHED',
  )
})

test('the time limit includes earlier attempts', async () => {
  const { clock, slept } = testClock()
  const { outcome } = start({ step_0: never }, { clock, limits: { ...noLimits, maxSeconds: 60 }, secondsBefore: 45 })
  ;(await slept(15_000)).wake()
  expect(await outcome).toMatchObject({
    state: 'TIMEOUT',
    limit: 'time',
    error: 'The flow was stopped: one run may take 60 seconds',
  })
})

test('a run that ends in time leaves no timer running', async () => {
  const { clock, sleeps } = testClock()
  expect((await start({}, { clock, limits: { ...noLimits, maxSeconds: 60 } }).outcome).state).toBe('FINISHED')
  expect(sleeps.map(({ ms, signal }) => [ms, signal?.aborted])).toEqual([[60_000, true]])
})

test('inputs of a step can be replaced by its path', async () => {
  const refs = { label: 'Refs', name: 'refs', type: 'string', acceptVariable: true }
  const seen: unknown[] = []
  const types = catalogueOf(
    nodeType('start', () => say('x')),
    nodeType(
      'step',
      ({ inputs, rawInputs }) => {
        seen.push(inputs.refs, rawInputs.refs)
        return say('y')
      },
      { inputs: [refs] },
    ),
  )
  const flow = drawFlow({ start_0: {}, step_0: { refs: '{{start_0}}' }, step_1: { refs: '{{step_0}}' } }, [
    'start_0>step_0',
    'step_0>step_1',
  ])
  await createRun(types)(requestFor(flow, { edits: { step_0: { refs: 'edited {{start_0}}' } } }))
  expect(seen).toEqual(['edited {{start_0}}', 'edited {{start_0}}', 'y', '{{step_0}}'])
})

test('a loop cannot jump to a node other than the configured one', async () => {
  const { outcome } = start({ step_0: () => ({ ...say('x'), jumpTo: 'start_0' }) })
  expect((await outcome).error).toContain('Cannot jump back to "start_0"')
})

test('a failed query shows the database error without the query and its parameters', async () => {
  const database = openUnscopedDatabase('http://database.test', undefined, refusingNetwork)
  const read = nodeType('step', async () => {
    await database.select().from(variables).where(eq(variables.value, 'sk-secret'))
    return say('never')
  })
  const request = requestFor(drawFlow({ start_0: {}, step_0: {} }, ['start_0>step_0']))
  const outcome = await createRun(
    catalogueOf(
      nodeType('start', () => say('go')),
      read,
    ),
  )(request)
  expect(outcome).toMatchObject({
    state: 'ERROR',
    error: expect.stringContaining(
      'The database failed: SERVER_ERROR: The database answered with HTTP status 400: refused',
    ),
  })
  expect(JSON.stringify([outcome, request.events, request.rows])).not.toMatch(/sk-secret|select/)
})
