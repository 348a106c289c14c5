import { expect, test } from 'vitest'
import { humanInput } from '../nodes/agentflow/human-input.ts'
import { iteration } from '../nodes/agentflow/iteration.ts'
import { loop } from '../nodes/agentflow/loop.ts'
import type { StepContext, StepResult } from '../nodes/types.ts'
import { createRun } from './run.ts'
import { catalogueOf, drawFlow, lines, nodeType, requestFor } from './testing/flows.ts'
import type { StepRow } from './types.ts'

const ran: string[] = []
const note = ({ idempotencyKey, state, runtimeHistory }: StepContext): StepResult => {
  const path = idempotencyKey.slice('execution-1:'.length)
  ran.push(`${path}: ${runtimeHistory.map(({ content }) => content).join(' / ')}`)
  return {
    input: {},
    output: { content: path },
    state: { ...state, [path]: true },
    chatHistory: [{ role: 'assistant', content: path }],
  }
}
const types = catalogueOf(nodeType('start', note), nodeType('step', note), humanInput, loop, iteration)
const run = createRun(types)

const asks = { humanInputDescriptionType: 'fixed', humanInputDescription: 'Send it?', humanInputEnableFeedback: true }
const approval = drawFlow({ start_0: {}, step_0: {}, humanInput_0: asks, step_1: {}, step_2: {}, step_3: {} }, [
  'start_0>step_0',
  'step_0>humanInput_0',
  'humanInput_0>0:step_1',
  'humanInput_0>1:step_2',
  'start_0>step_3',
])

async function attempt(flow: typeof approval, done: StepRow[] = []) {
  ran.length = 0
  const request = requestFor(flow, { done })
  const outcome = await run(request)
  return { outcome, events: lines(request.events), request, log: [...done, ...request.rows], ran: [...ran] }
}

function answered(log: StepRow[], path: string, type: 'proceed' | 'reject', feedback?: string): StepRow[] {
  const copy: StepRow[] = JSON.parse(JSON.stringify(log))
  const row = copy.findLast((one) => one.path === path) as StepRow
  const answer = { type, ...(feedback && { feedback }) }
  return [...copy, { ...row, seq: copy.length, item: { ...row.item, data: { ...row.item.data, answer } } }]
}

test('a run that asks a person continues other branches, then stops', async () => {
  const { outcome, events, log, ran } = await attempt(approval)
  expect(ran.map((line) => line.split(':')[0])).toEqual(['start_0', 'step_0', 'step_3'])
  const action = {
    id: 'execution-1:humanInput_0:0',
    mapping: { approve: 'Proceed', reject: 'Reject' },
    elements: [
      { type: 'agentflowv2-approve-button', label: 'Proceed' },
      { type: 'agentflowv2-reject-button', label: 'Reject' },
    ],
    data: {
      nodeId: 'humanInput_0',
      nodeLabel: 'HumanInput 0',
      path: 'humanInput_0',
      input: {
        messages: [
          { role: 'assistant', content: 'start_0' },
          { role: 'assistant', content: 'step_0' },
        ],
        humanInputEnableFeedback: true,
      },
    },
  }
  expect(outcome).toMatchObject({ state: 'STOPPED', text: 'step_0\n\nSend it?', action, waiting: 1 })
  expect(log.at(-1)?.item).toMatchObject({
    status: 'STOPPED',
    data: {
      output: { content: 'step_0\n\nSend it?', humanInputAction: action },
      state: { start_0: true, step_0: true },
    },
  })
  expect(events.filter((line) => /humanInput|token/.test(line))).toEqual([
    'nextAgentFlow humanInput_0 INPROGRESS',
    'token step_0\n\nSend it?',
    'nextAgentFlow humanInput_0 STOPPED',
  ])
  expect(events.slice(-4)).toEqual([
    'nextAgentFlow humanInput_0 STOPPED',
    'agentFlowExecutedData 4',
    'agentFlowEvent STOPPED',
    'action',
  ])
})

test.each([
  ['proceed', undefined, 'step_1', 'proceed'],
  ['reject', 'too long', 'step_2', 'too long'],
] as const)('%s runs its side alone, with the whole conversation', async (type, feedback, next, content) => {
  const first = await attempt(approval)
  const { outcome, ran, log, events } = await attempt(approval, answered(first.log, 'humanInput_0', type, feedback))
  const said = ['start_0', 'step_0', 'step_0\n\nSend it?', feedback ?? 'Proceed'].join(' / ')
  expect(ran).toEqual([`${next}: ${said}`])
  expect(outcome).toMatchObject({ state: 'FINISHED', flowState: { start_0: true, step_3: true, [next]: true } })
  const row = log.findLast(({ path }) => path === 'humanInput_0')
  expect(row).toMatchObject({
    takenOutputs: [type === 'proceed' ? 0 : 1],
    item: { status: 'FINISHED', data: { output: { content } } },
  })
  expect(row?.item.data.output?.conditions).toMatchObject([
    { type: 'proceed', isFulfilled: type === 'proceed' },
    { type: 'reject' },
  ])
  expect(outcome.trace.map(({ path, status }) => `${path} ${status}`)).toEqual([
    'start_0 FINISHED',
    'step_0 FINISHED',
    'step_3 FINISHED',
    'humanInput_0 FINISHED',
    `${next} FINISHED`,
  ])
  expect(events[0]).toBe('agentFlowEvent INPROGRESS')
})

test('a resumed run without an answer stops again with the same question', async () => {
  const first = await attempt(approval)
  const again = await attempt(approval, first.log)
  expect(again.ran).toEqual([])
  expect(again.outcome).toMatchObject({ state: 'STOPPED', action: first.outcome.action, waiting: 1 })
  expect(again.request.rows).toEqual([])
})

test('the first of several questions in plan order is shown, and each is answered separately', async () => {
  const flow = drawFlow({ start_0: {}, humanInput_1: asks, humanInput_0: asks, step_0: {} }, [
    'start_0>humanInput_0',
    'start_0>humanInput_1',
    'humanInput_0>0:step_0',
    'humanInput_1>0:step_0',
  ])
  const first = await attempt(flow)
  expect(first.outcome).toMatchObject({ waiting: 2, action: { data: { nodeId: 'humanInput_0' } } })
  const second = await attempt(flow, answered(first.log, 'humanInput_1', 'proceed'))
  expect(second.outcome).toMatchObject({ state: 'STOPPED', waiting: 1, action: { data: { nodeId: 'humanInput_0' } } })
  const third = await attempt(flow, answered(second.log, 'humanInput_0', 'proceed'))
  expect(third.outcome).toMatchObject({ state: 'FINISHED', text: 'step_0' })
})

test('loop counts survive a pause, and each round asks its own question', async () => {
  const flow = drawFlow(
    {
      start_0: {},
      step_0: {},
      humanInput_0: asks,
      loop_0: { loopBackToNode: 'step_0-X', maxLoopCount: 3 },
      step_1: {},
    },
    ['start_0>step_0', 'step_0>humanInput_0', 'humanInput_0>0:step_1', 'humanInput_0>1:loop_0'],
  )
  let attempted = await attempt(flow)
  const ids = [attempted.outcome.action?.id]
  for (const path of ['humanInput_0', 'humanInput_0#1']) {
    attempted = await attempt(flow, answered(attempted.log, path, 'reject'))
    ids.push(attempted.outcome.action?.id)
  }
  expect(ids).toEqual(['execution-1:humanInput_0:0', 'execution-1:humanInput_0#1:0', 'execution-1:humanInput_0#2:0'])
  const end = await attempt(flow, answered(attempted.log, 'humanInput_0#2', 'reject'))
  expect(end.outcome).toMatchObject({ state: 'FINISHED', text: 'The loop ended after 3 rounds.' })
  expect(end.outcome.trace.filter(({ nodeId }) => nodeId === 'humanInput_0')).toHaveLength(3)
})

test('a step that asks again gets a new question and its saved state', async () => {
  const kept: unknown[] = []
  const asker = nodeType('step', ({ answered: answer }): StepResult => {
    kept.push(answer)
    const times = ((answer?.kept as number | undefined) ?? 0) + 1
    const result = { input: {}, output: { content: `question ${times}` } }
    return times > 2 ? result : { ...result, wait: { input: { humanInputEnableFeedback: false }, kept: times } }
  })
  const flow = drawFlow({ start_0: {}, step_0: {} }, ['start_0>step_0'])
  const runAgain = createRun(catalogueOf(nodeType('start', note), asker))
  let done: StepRow[] = []
  const ids: (string | undefined)[] = []
  for (let times = 0; times < 3; times++) {
    const request = requestFor(flow, { done })
    const outcome = await runAgain(request)
    ids.push(outcome.action?.id)
    done = answered([...done, ...request.rows], 'step_0', 'proceed')
  }
  expect(ids).toEqual(['execution-1:step_0:0', 'execution-1:step_0:1', undefined])
  expect(kept).toEqual([undefined, { answer: { type: 'proceed' }, kept: 1 }, { answer: { type: 'proceed' }, kept: 2 }])
})

test('steps inside iterations can ask people, and finished items are kept', async () => {
  const flow = drawFlow(
    {
      start_0: {},
      humanInput_0: asks,
      iteration_0: { iterationInput: '["a","b"]', iterationConcurrency: 2 },
      humanInput_1: asks,
      step_0: {},
      step_1: {},
    },
    ['start_0>humanInput_0', 'humanInput_0>0:iteration_0', 'humanInput_1>0:step_0', 'iteration_0>step_1'],
  )
  for (const node of flow.nodes) if (['humanInput_1', 'step_0'].includes(node.id)) node.parentNode = 'iteration_0'
  const first = await attempt(flow)
  const second = await attempt(flow, answered(first.log, 'humanInput_0', 'proceed'))
  expect(second.outcome).toMatchObject({
    state: 'STOPPED',
    waiting: 2,
    action: { id: 'execution-1:humanInput_1@iteration_0[0]:0' },
  })
  const third = await attempt(flow, answered(second.log, 'humanInput_1@iteration_0[1]', 'proceed'))
  expect(third.ran).toEqual([expect.stringMatching(/^step_0@iteration_0\[1\]/)])
  expect(third.outcome).toMatchObject({ state: 'STOPPED', waiting: 1 })
  const end = await attempt(flow, answered(third.log, 'humanInput_1@iteration_0[0]', 'reject', 'no'))
  expect(end.outcome).toMatchObject({ state: 'FINISHED', text: 'step_1' })
  const results = end.log.find(({ path }) => path === 'iteration_0')?.item.data.output?.iterationResults
  expect(results).toEqual(['no', 'step_0@iteration_0[1]'])
})

test('a sequential item starts when the question of the previous one is answered', async () => {
  const flow = drawFlow({ start_0: {}, iteration_0: { iterationInput: '[1,2]' }, humanInput_0: asks }, [
    'start_0>iteration_0',
  ])
  for (const node of flow.nodes) if (node.id === 'humanInput_0') node.parentNode = 'iteration_0'
  const first = await attempt(flow)
  expect(first.outcome).toMatchObject({ waiting: 1, action: { data: { path: 'humanInput_0@iteration_0[0]' } } })
  const second = await attempt(flow, answered(first.log, 'humanInput_0@iteration_0[0]', 'proceed'))
  expect(second.outcome).toMatchObject({ waiting: 1, action: { data: { path: 'humanInput_0@iteration_0[1]' } } })
})

test('a failure in another branch ends a waiting run', async () => {
  const broken = nodeType('step', ({ node }) => {
    if (node.id === 'step_3') throw new Error('broken')
    return { input: {}, output: {} }
  })
  const request = requestFor(approval)
  const outcome = await createRun(catalogueOf(nodeType('start', note), broken, humanInput))(request)
  expect(outcome).toMatchObject({ state: 'ERROR', error: 'Error in Step 3 node: broken' })
  expect(outcome.action).toBeUndefined()
})

const usage = (total_tokens: number) => ({ input_tokens: total_tokens, output_tokens: 0, total_tokens })

const wait = { input: { humanInputEnableFeedback: false }, kept: {} }

/** Uses 10 tokens, asks, and uses 5 more when answered. */
const spender = (end: (context: StepContext) => StepResult) =>
  nodeType('step', (context) => {
    context.charge(usage(context.answered ? 5 : 10))
    if (context.answered) return end(context)
    return { input: {}, output: { usageMetadata: usage(10) }, wait }
  })
const breaks = (): never => {
  throw new Error('broken')
}

test.each([
  ['is not told of again', () => ({ input: {}, output: {} }), {}, 'FINISHED'],
  ['is told of again', () => ({ input: {}, output: { usageMetadata: usage(15) } }), {}, 'FINISHED'],
  ['ends the run with an error', breaks, {}, 'ERROR'],
  ['goes on at the error branch', breaks, { onError: 'branch' }, 'ERROR'],
])('usage before a question counts once when the step %s', async (_name, end, policy, status) => {
  const flow = drawFlow({ start_0: {}, step_0: {} }, ['start_0>step_0'])
  for (const { data } of flow.nodes) data.runPolicy = policy
  const runs = createRun(catalogueOf(nodeType('start', note), spender(end)))
  const first = requestFor(flow)
  expect(await runs(first)).toMatchObject({ state: 'STOPPED', totalTokens: 10 })
  const second = requestFor(flow, { done: answered(first.rows, 'step_0', 'proceed') })
  expect(await runs(second)).toMatchObject({ totalTokens: 15 })
  expect(second.rows.at(-1)?.item).toMatchObject({ status, data: { output: { usageMetadata: usage(15) } } })
  const limits = { maxTokens: 14, maxCost: null, maxSteps: null, maxSeconds: null }
  const limited = requestFor(flow, { done: second.done, limits })
  expect(await runs(limited)).toMatchObject({ limit: 'tokens', totalTokens: 15 })
})

test('usage of failed attempts counts, before a question and when a step runs again', async () => {
  const flow = drawFlow({ start_0: {}, step_0: {} }, ['start_0>step_0'])
  for (const { data } of flow.nodes) data.runPolicy = { retries: 1 }
  let tried = 0
  const once = nodeType('step', (context) => {
    context.charge(usage(context.answered ? 5 : 10))
    if (++tried % 2 === 1) breaks()
    return context.answered ? { input: {}, output: {} } : { input: {}, output: {}, wait }
  })
  const runs = createRun(catalogueOf(nodeType('start', note), once))
  const first = requestFor(flow)
  expect((await runs(first)).totalTokens).toBe(20)
  expect((await runs(requestFor(flow, { done: answered(first.rows, 'step_0', 'proceed') }))).totalTokens).toBe(30)

  const fails = createRun(
    catalogueOf(
      nodeType('start', note),
      nodeType('step', ({ charge }) => {
        charge(usage(7))
        return breaks()
      }),
    ),
  )
  const broken = requestFor(flow)
  expect((await fails(broken)).totalTokens).toBe(14)
  const again = requestFor(flow, { done: broken.rows })
  expect((await fails(again)).totalTokens).toBe(28)
  expect(again.rows.at(-1)?.item.data.failedAttempts).toHaveLength(3)
})
