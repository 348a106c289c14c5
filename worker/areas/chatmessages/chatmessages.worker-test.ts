import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { StoredMessage } from '#contract/chats/chatmessages.ts'
import type { TraceItem } from '#contract/runs/events.ts'
import { type chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { type Conversations, openConversations } from './testing/conversations.ts'

let scene: Conversations
beforeAll(async () => {
  scene = await openConversations()
})
afterAll(() => scene.close())
beforeEach(() => scene.openFlow())

const message = (content: string, more: Partial<typeof chatMessages.$inferInsert> = {}) =>
  scene.message({ role: 'userMessage', content, chatType: 'INTERNAL', ...more })

async function contents(query: string, path = 'chatmessage'): Promise<string[]> {
  const { body } = await call(scene.ann, 'GET', `/${path}/${scene.flow.id}?${query}`)
  return body.map((row: StoredMessage) => row.content)
}

it('sorts messages by date and then by order of insertion', async () => {
  await message('late', { createdDate: '2026-02-01T00:00:00.000Z' })
  for (const text of ['one', 'two', 'three', 'four']) await message(text)
  expect(await contents('')).toEqual(['one', 'two', 'three', 'four', 'late'])
  expect(await contents('order=DESC&limit=2')).toEqual(['late', 'four'])
  expect(await contents('limit=2&page=2')).toEqual(['three', 'four'])
})

it('filters messages by chat, session, type and date', async () => {
  await message('a')
  await message('b', { chatId: 'c2', chatType: 'EXTERNAL', createdDate: '2026-03-01T00:00:00.000Z' })
  await message('c', { sessionId: 's2', chatType: 'WEBHOOK' })
  expect(await contents('chatId=c2')).toEqual(['b'])
  expect(await contents('sessionId=s2')).toEqual(['c'])
  expect(await contents('chatType=EXTERNAL')).toEqual(['b'])
  expect(await contents('chatType=%5B%22INTERNAL%22,%22WEBHOOK%22%5D')).toEqual(['a', 'c'])
  expect(await contents('startDate=2026-02-01')).toEqual(['b'])
  expect(await contents('endDate=2026-02-01')).toEqual(['a', 'c'])
  expect(await contents('', 'internal-chatmessage')).toEqual(['a'])
  expect((await call(scene.ann, 'GET', `/chatmessage/${scene.flow.id}?chatType=OTHER`)).body.field).toBe('chatType.0')
  expect((await call(scene.ann, 'GET', `/chatmessage/${scene.flow.id}?limit=100000`)).body.field).toBe('limit')
})

const traceItem = (nodeId: string, nodeLabel: string, status: TraceItem['status']): TraceItem => ({
  nodeId,
  nodeLabel,
  status,
  previousNodeIds: [],
  data: { id: nodeId, name: nodeId },
})

it('parses the JSON columns and includes the execution and its failed step', async () => {
  const executionId = crypto.randomUUID()
  await scene.heddle.database.insert(executions).values({
    id: executionId,
    workspaceId: scene.flow.workspaceId,
    agentflowId: scene.flow.id,
    flowVersion: 1,
    sessionId: 's1',
    chatId: 'c1',
    state: 'ERROR',
    error: 'LLM 0: no',
    input: '{"form":{"city":"Bern"}}',
    createdDate: 'a',
    updatedDate: 'a',
  })
  const failing = { executionId, startedAt: 'a', finishedAt: 'a' }
  await scene.heddle.database.insert(executionSteps).values([
    { ...failing, seq: 0, path: 'start_0', nodeId: 'start_0', item: traceItem('start_0', 'Start', 'FINISHED') },
    { ...failing, seq: 1, path: 'llm_0', nodeId: 'llm_0', item: traceItem('llm_0', 'LLM 0', 'ERROR') },
  ])
  await message('x', { executionId, usedTools: '[{"tool":"calculator"}]', followUpPrompts: '["more"]' })
  const { body } = await call(scene.ann, 'GET', `/internal-chatmessage/${scene.flow.id}`)
  expect(body[0]).toMatchObject({
    usedTools: [{ tool: 'calculator' }],
    followUpPrompts: '["more"]',
    artifacts: null,
    execution: { id: executionId, state: 'ERROR', error: 'LLM 0: no', form: { city: 'Bern' } },
  })
  expect(body[0].execution.failedStep).toEqual({ nodeId: 'llm_0', nodeLabel: 'LLM 0' })
  expect(body[0]).not.toHaveProperty('workspaceId')
})

it('deletes one chat and keeps the others', async () => {
  await message('a')
  await message('b', { chatId: 'c2' })
  expect((await call(scene.ann, 'DELETE', `/chatmessage/${scene.flow.id}?chatId=c1`)).body).toEqual({
    raw: [],
    affected: 1,
  })
  expect(await contents('')).toEqual(['b'])
})

describe('a key with view permission only', () => {
  it('clears one test chat and nothing else', async () => {
    await message('mine')
    await message('a customer', { chatType: 'EXTERNAL' })
    const { body } = await call(scene.ann, 'POST', '/apikey', { keyName: 'k', permissions: ['agentflows:view'] })
    const remove = (query: string) =>
      scene.heddle.fetch(`/api/v1/chatmessage/${scene.flow.id}?${query}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${body.apiKey}` },
      })
    expect((await remove('')).status).toBe(403)
    expect((await remove('chatId=c1')).status).toBe(200)
    expect(await contents('')).toEqual(['a customer'])
  })
})

it('keeps conversations private to their workspace', async () => {
  await message('hers')
  expect((await call(scene.bob, 'GET', `/chatmessage/${scene.flow.id}`)).status).toBe(404)
  expect((await call(scene.bob, 'GET', `/internal-chatmessage/${scene.flow.id}`)).status).toBe(404)
  expect((await call(scene.bob, 'DELETE', `/chatmessage/${scene.flow.id}`)).status).toBe(404)
  expect(await contents('')).toEqual(['hers'])
})

it('stores a whole answer that contains NUL characters', async () => {
  const node = (id: string, name: string, inputs: object) => ({
    id,
    type: 'agentFlow',
    position: { x: 0, y: 0 },
    data: { id, name, label: id, inputs },
  })
  const nodes = [
    node('start_0', 'startAgentflow', {}),
    node('code_0', 'customFunctionAgentflow', { customFunctionJavascriptFunction: 'return "before\\u0000after"' }),
  ]
  const edges = [
    { id: 'e', source: 'start_0', target: 'code_0', sourceHandle: 'start_0-output-x', targetHandle: 'code_0' },
  ]
  await call(scene.ann, 'PUT', `/chatflows/${scene.flow.id}`, { flowData: JSON.stringify({ nodes, edges }) })
  const { status } = await call(scene.ann, 'POST', `/internal-prediction/${scene.flow.id}`, { question: 'q' })
  expect(status).toBe(200)
  expect(await contents('')).toEqual(['q', 'beforeafter'])
})
