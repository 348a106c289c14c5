// @defends may-only-replay
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executionSteps } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { chain, directReply, edge, llm, node, start } from '../../e2e/support/flows.ts'
import { messageText } from '../../e2e/support/model-server.ts'
import { openScene, type Reply, type Scene } from '../areas/predictions/testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

const says = (content: string) => ({
  llmMessages: [{ role: 'user', content }],
  llmEnableMemory: false,
})

const twoModels = () =>
  chain(
    start(),
    llm(scene.model.baseUrl, 0, says('one')),
    llm(scene.model.baseUrl, 1, says('two after {{llmAgentflow_0}}')),
    directReply('{{llmAgentflow_0}} / {{llmAgentflow_1}} / {{question}}'),
  )

const replay = (id: string, json: object) => scene.call<Reply>('POST', `/executions/${id}/replay`, json)
const asked = () => scene.model.requests.map(({ body }) => messageText(body.messages.at(-1)))

it('runs again from a step, without cost for the steps before it', async () => {
  const flowId = await scene.save(twoModels())
  const { body: original } = await scene.ask(flowId, { question: 'why?', chatId: chatIdOf('replayed') })
  scene.model.reset()
  const { status, body } = await replay(original.executionId, { path: 'llmAgentflow_1' })
  expect(status).toBe(200)
  expect(body.text).toBe('You said: one / You said: two after You said: one / why?')
  expect(asked()).toEqual(['two after You said: one'])
  expect(body.executionId).not.toBe(original.executionId)
  const [before, after] = [await scene.execution(original.executionId), await scene.execution(body.executionId)]
  expect(after).toMatchObject({ state: 'FINISHED', replayOf: original.executionId, replayFrom: 'llmAgentflow_1' })
  expect(after.totalTokens).toBeGreaterThan(0)
  expect(after.totalTokens).toBeLessThan(before.totalTokens)
  const rows = await scene.heddle.database
    .select({ path: executionSteps.path, isCopied: executionSteps.isCopied })
    .from(executionSteps)
    .where(eq(executionSteps.executionId, body.executionId))
    .orderBy(executionSteps.seq)
  expect(rows).toEqual([
    { path: 'startAgentflow_0', isCopied: true },
    { path: 'llmAgentflow_0', isCopied: true },
    { path: 'llmAgentflow_1', isCopied: false },
    { path: 'directReplyAgentflow_0', isCopied: false },
  ])
})

it('replays a step with other inputs, also as a stream', async () => {
  const flowId = await scene.save(twoModels())
  const { body: original } = await scene.ask(flowId, { question: 'q' })
  scene.model.reset()
  const inputs = { llmMessages: [{ role: 'user', content: 'edited' }] }
  const events = await scene.stream(
    `/executions/${original.executionId}/replay`,
    { path: 'llmAgentflow_1', inputs },
    scene.ann,
  )
  expect(asked()).toEqual(['edited'])
  expect(events.slice(-2).map(({ event }) => event)).toEqual(['metadata', 'end'])
  const told = events.at(-2) as unknown as { data: Reply }
  const again = await replay(told.data.executionId, { path: 'directReplyAgentflow_0' })
  expect(again.body.text).toBe('You said: one / You said: edited / q')
})

it('runs the version of the original, or the draft on request', async () => {
  const flowId = await scene.save(chain(start(), directReply('old')))
  const { body: original } = await scene.ask(flowId, { question: 'q' })
  const flowData = JSON.stringify(chain(start(), directReply('new'), directReply('added', 1)))
  await scene.call('PUT', `/chatflows/${flowId}`, { flowData })
  const from = async (json: object) => (await replay(original.executionId, json)).body
  expect(await from({ path: 'directReplyAgentflow_0' })).toMatchObject({ text: 'old' })
  expect(await from({ path: 'directReplyAgentflow_0', draft: true })).toMatchObject({ text: 'added' })
  expect(await from({ path: 'directReplyAgentflow_1', draft: true })).toMatchObject({ text: 'added' })
  expect(await from({ path: 'directReplyAgentflow_1' })).toMatchObject({ statusCode: 404 })
})

it('reads the history up to the original run, and does not add to the session', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)))
  const chat = { chatId: chatIdOf('remembering') }
  await scene.ask(flowId, { question: 'My name is Ann', ...chat })
  const { body: original } = await scene.ask(flowId, { question: 'Who am I?', ...chat })
  await scene.ask(flowId, { question: 'Later', ...chat })
  scene.model.reset()
  await replay(original.executionId, { path: 'llmAgentflow_0' })
  await scene.ask(flowId, { question: 'And now?', ...chat })
  const told = scene.model.requests.map(({ body }) => body.messages.map(messageText))
  expect(told[0]).toEqual(['My name is Ann', 'You said: My name is Ann', 'Who am I?'])
  expect(told[1]).toHaveLength(7)
})

it('gives the replay of a replay the history of the first run, without its question or final state', async () => {
  const createRun = start({ startPersistState: true, startState: [{ key: 'seen', value: 'nothing' }] })
  const model = llm(scene.model.baseUrl, 0, { llmUpdateState: [{ key: 'seen', value: 'all' }] })
  const flowId = await scene.save(chain(createRun, model, directReply('{{$flow.state.seen}}')))
  const { body: original } = await scene.ask(flowId, { question: 'Who am I?', chatId: chatIdOf('first') })
  const { body: once } = await replay(original.executionId, { path: 'startAgentflow_0' })
  scene.model.reset()
  const { body: twice } = await replay(once.executionId, { path: 'startAgentflow_0' })
  expect(scene.model.requests.map(({ body }) => body.messages.map(messageText))).toEqual([['Who am I?']])
  const [step] = await scene.traceOf(twice.executionId)
  expect(step?.data).toMatchObject({ state: { seen: 'nothing' } })
})

it('keeps the chat of a shared replay closed to visitors', async () => {
  const flowId = await scene.save(chain(start(), directReply('x')))
  const { body: original } = await scene.ask(flowId, { question: 'q' })
  const { body } = await replay(original.executionId, { path: 'directReplyAgentflow_0' })
  const { chatId, sessionId } = await scene.execution(body.executionId)
  expect([chatId, sessionId]).not.toContain(body.executionId)
})

it('asks its questions again, and keeps the edited inputs after the answer', async () => {
  const [createRun, ask] = [start(), node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' })]
  const yes = directReply('yes')
  const flow = { nodes: [createRun, ask, yes], edges: [edge(createRun, ask), edge(ask, yes, 0)] }
  const flowId = await scene.save(flow)
  const { body: original } = await scene.ask(flowId, { question: 'q', chatId: chatIdOf('anew') })
  const path = 'humanInputAgentflow_0'
  const { body: asked } = await replay(original.executionId, { path, inputs: { humanInputDescription: 'Edited?' } })
  expect(asked.text).toContain('Edited?')
  expect(asked.action?.id).toBe(`${asked.executionId}:${path}:0`)
  const humanInput = { type: 'proceed', actionId: asked.action?.id }
  expect((await scene.internally(flowId, { humanInput })).body).toMatchObject({
    text: 'yes',
    executionId: asked.executionId,
  })
  expect((await scene.execution(original.executionId)).state).toBe('STOPPED')
  const [, step] = await scene.traceOf(asked.executionId)
  expect(step).toMatchObject({ path, status: 'FINISHED' })
})

it('replays a container as a whole, or from one of its items', async () => {
  const list = node('iterationAgentflow', 0, { iterationInput: '["a", "b", "c"]' })
  const inner = { ...llm(scene.model.baseUrl, 0, says('{{$iteration}}')), parentNode: list.id }
  const [createRun, after] = [start(), directReply('{{iterationAgentflow_0}}')]
  const flow = { nodes: [createRun, list, inner, after], edges: [edge(createRun, list), edge(list, after)] }
  const { body: original } = await scene.ask(await scene.save(flow), { question: 'q' })
  expect(asked()).toEqual(['a', 'b', 'c'])
  for (const [path, again] of [
    ['iterationAgentflow_0', ['a', 'b', 'c']],
    ['llmAgentflow_0@iterationAgentflow_0[1]', ['b', 'c']],
    ['directReplyAgentflow_0', []],
  ] as const) {
    scene.model.reset()
    expect((await replay(original.executionId, { path })).body.text).toBe(original.text)
    expect(asked()).toEqual(again)
  }
})

it('refuses a missing step or run, and a run of another workspace', async () => {
  const flowId = await scene.save(chain(start(), directReply('x')))
  const { body: original } = await scene.ask(flowId, { question: 'q' })
  const unknown = await replay(original.executionId, { path: 'llmAgentflow_7' })
  expect(unknown).toMatchObject({ status: 404, body: { field: 'path' } })
  expect(unknown.body.message).toContain('llmAgentflow_7')
  expect((await replay(original.executionId, {})).body).toMatchObject({ statusCode: 400, field: 'path' })
  const bob = await scene.heddle.signUp()
  const path = `/executions/${original.executionId}/replay`
  expect((await scene.call('POST', path, { path: 'startAgentflow_0' }, bob)).status).toBe(404)
})

describe('the permissions of a key that replays', () => {
  const outcomes: [permissions: string[], json: object, status: number][] = [
    [['executions:create'], {}, 200],
    [['executions:create'], { inputs: { directReplyMessage: 'theirs' } }, 403],
    [['executions:create'], { inputs: {} }, 403],
    [['executions:create'], { draft: true }, 403],
    [['executions:create', 'agentflows:view'], { draft: true }, 200],
    [['executions:create', 'agentflows:view'], { inputs: { directReplyMessage: 'theirs' } }, 403],
    [['executions:create', 'agentflows:create'], { inputs: { directReplyMessage: 'theirs' } }, 403],
    [['executions:create', 'chatflows:update'], { inputs: { directReplyMessage: 'theirs' } }, 403],
    [['executions:create', 'agentflows:update'], { inputs: { directReplyMessage: 'theirs' } }, 200],
    [['executions:create', 'agentflows:update'], { inputs: { directReplyMessage: 'theirs' }, draft: true }, 403],
    [['executions:view', 'agentflows:update', 'agentflows:view'], {}, 403],
  ]

  it.each(outcomes)('%j with %j answer %i', async (permissions, json, expected) => {
    const flowId = await scene.save(chain(start(), directReply('mine')))
    const { executionId } = (await scene.ask(flowId, { question: 'q' })).body
    const { apiKey } = (await scene.call<{ apiKey: string }>('POST', '/apikey', { keyName: 'k', permissions })).body
    const answer = await scene.heddle.fetch(`/api/v1/executions/${executionId}/replay`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ path: 'directReplyAgentflow_0', ...json }),
    })
    expect(answer.status).toBe(expected)
    const { total } = (await scene.call<{ total: number }>('GET', `/executions?replayOf=${executionId}`)).body
    expect(total).toBe(expected === 200 ? 1 : 0)
  })
})
