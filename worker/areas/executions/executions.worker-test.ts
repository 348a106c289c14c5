// @defends shared-run-link
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExecutionDetail, ExecutionSummary } from '#contract/runs/executions.ts'
import { chatMessages, executionSteps, executions, triggerDeliveries } from '#db/schema/index.ts'
import { putSchedules } from '#worker/areas/triggers/testing/schedules.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
let flow: { id: string; workspaceId: string }

const flowData = JSON.stringify({ nodes: [], edges: [] })

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
  flow = (await call(ann, 'POST', '/chatflows', { name: 'Weather', flowData, type: 'AGENTFLOW' })).body
})
afterAll(() => heddle.close())

type Values = Partial<typeof executions.$inferInsert>

/** Each item is a step of its own, unless it names its path. */
async function execution(
  values: Values = {},
  items: { path?: string; [key: string]: unknown }[] = [],
): Promise<string> {
  const id = crypto.randomUUID()
  await heddle.database.insert(executions).values({
    id,
    workspaceId: flow.workspaceId,
    agentflowId: flow.id,
    flowVersion: 1,
    sessionId: 's',
    chatId: 's',
    state: 'FINISHED',
    input: '{"question":"internal"}',
    createdDate: '2026-01-01T10:00:00.000Z',
    updatedDate: '2026-01-03T10:00:00.000Z',
    workSeconds: 1.5,
    ...values,
  })
  for (const [seq, item] of items.entries()) {
    await heddle.database.insert(executionSteps).values({
      executionId: id,
      seq,
      path: item.path ?? `node_${seq}`,
      nodeId: `node_${seq}`,
      item: item as never,
      startedAt: 'a',
      finishedAt: 'b',
    })
  }
  return id
}

describe('the list', () => {
  it('filters, pages, and joins the flow, without the steps', async () => {
    const old = await execution({ createdDate: '2025-05-01T00:00:00.000Z', state: 'ERROR', error: 'LLM 0: no key' })
    const young = await execution({
      createdDate: '2025-06-01T00:00:00.000Z',
      sessionId: 'mine',
      totalTokens: 7,
      totalCost: 0.5,
    })
    const list = async (query: string) => (await call(ann, 'GET', `/executions?endDate=2025-12-31&${query}`)).body
    const ids = async (query: string) => (await list(query)).data.map((row: ExecutionSummary) => row.id)
    expect(await ids('')).toEqual([young, old])
    expect(await ids(`id=${old}`)).toEqual([old])
    expect(await ids('state=ERROR')).toEqual([old])
    expect(await ids('sessionId=mine')).toEqual([young])
    expect(await ids('startDate=2025-05-15')).toEqual([young])
    expect(await ids('agentflowName=weath')).toEqual([young, old])
    expect(await ids('agentflowName=other')).toEqual([])
    expect(await ids(`agentflowId=${flow.id}&page=2&limit=1`)).toEqual([old])
    const { data, total } = await list('limit=1')
    expect(total).toBe(2)
    expect(data[0]).toMatchObject({
      agentflow: { id: flow.id, name: 'Weather', type: 'AGENTFLOW' },
      totalTokens: 7,
      totalCost: 0.5,
    })
    expect(data[0]).not.toHaveProperty('executionData')
    expect(data[0]).not.toHaveProperty('input')
  })

  it('tells runs apart by question, answer and source', async () => {
    const input = { question: 'q'.repeat(400), chatType: 'INTERNAL' }
    const chat = await execution({ input: JSON.stringify(input) }, [
      { data: { output: { content: 'It rains.' } } },
      { data: { output: {} } },
    ])
    const form = await execution(
      { input: JSON.stringify({ question: '', form: { city: 'Ulm' }, chatType: 'EXTERNAL' }) },
      [{ data: { output: { content: 'early' } } }, { data: { output: { content: 'late' } } }],
    )
    const row = async (id: string): Promise<ExecutionSummary> =>
      (await call(ann, 'GET', `/executions?id=${id}`)).body.data[0]
    expect(await row(chat)).toMatchObject({
      ...{ question: 'q'.repeat(300), answer: 'It rains.', chatType: 'INTERNAL', trigger: null },
    })
    expect(await row(form)).toMatchObject({ question: '{"city":"Ulm"}', answer: 'late', chatType: 'EXTERNAL' })
    expect((await call(ann, 'GET', `/executions/${chat}`)).body.question).toHaveLength(400)
  })

  it('names the trigger that started a run', async () => {
    await putSchedules(heddle.database, { flowId: flow.id, count: 1, nextDue: '2099-01-01T08:00:00.000Z' })
    const triggerId = '00000000-0000-4000-8000-000000000001'
    const executionId = await execution({ input: '{"chatType":"SCHEDULED"}' })
    await heddle.database.insert(triggerDeliveries).values({
      ...{
        id: crypto.randomUUID(),
        workspaceId: flow.workspaceId,
        triggerId,
        flowId: flow.id,
        executionId,
      },
      ...{ source: 'schedule', state: 'succeeded', dueDate: '2026-01-01T08:00:00.000Z' },
    } as never)
    const { body } = await call(ann, 'GET', `/executions?id=${executionId}`)
    expect(body.data[0]).toMatchObject({ chatType: 'SCHEDULED', trigger: { id: triggerId, name: 'Noon' } })
  })

  it('needs as many round trips for many rows as for one', async () => {
    const trips = async (limit: number) => {
      const before = heddle.roundTrips()
      await call(ann, 'GET', `/executions?limit=${limit}`)
      return heddle.roundTrips() - before
    }
    for (let i = 0; i < 5; i++) await execution()
    expect(await trips(5)).toBe(await trips(1))
  })

  it.each(['state=DONE', 'page=0', 'limit=1000', 'startDate=soon'])('refuses %s and names the field', async (query) => {
    const { status, body } = await call(ann, 'GET', `/executions?${query}`)
    expect(status).toBe(400)
    expect(body.field).toBe(query.split('=')[0])
  })
})

const traceOf = (detail: { executionData: string }) => JSON.parse(detail.executionData)
const times = { startedAt: 'a', finishedAt: 'b' }

it('builds the trace from its steps, in order, with paths and times', async () => {
  const items = [{ nodeId: 'a' }, { nodeId: 'b', data: { output: { content: '"quoted", and é' } } }]
  const id = await execution({}, items)
  const detail: ExecutionDetail = (await call(ann, 'GET', `/executions/${id}`)).body
  expect(traceOf(detail)).toEqual(items.map((item, seq) => ({ ...item, ...times, path: `node_${seq}` })))
  expect(detail.duration).toBe(1500)
  expect(traceOf((await call(ann, 'GET', `/executions/${await execution()}`)).body)).toEqual([])
})

it('shows the last row of each path', async () => {
  const items = [
    { path: 'ask_0', status: 'STOPPED' },
    { path: 'llm_0', status: 'FINISHED' },
    { path: 'ask_0', status: 'STOPPED', answered: true },
    { path: 'ask_0', status: 'FINISHED' },
  ]
  const { body } = await call(ann, 'GET', `/executions/${await execution({}, items)}`)
  expect(traceOf(body)).toEqual([items[1], items[3]].map((item) => ({ ...item, ...times })))
})

it('shows where a run came from and what ended it', async () => {
  const more = {
    replayOf: 'a',
    replayFrom: 'llm_0',
    parentExecutionId: 'b',
    endedBy: 'tokens',
    flowVersion: 3,
  } as const
  const id = await execution({ ...more, chatId: 'chat' })
  expect((await call(ann, 'GET', `/executions/${id}`)).body).toMatchObject({
    ...more,
    chatId: 'chat',
    isStarred: false,
  })
  const ids = async (query: string) =>
    (await call(ann, 'GET', `/executions?${query}`)).body.data.map((row: ExecutionSummary) => row.id)
  expect(await ids('parentExecutionId=b')).toEqual([id])
  expect(await ids('replayOf=a')).toEqual([id])
})

describe('a star', () => {
  it('can be set, removed and filtered by', async () => {
    const id = await execution({ sessionId: 'starred' })
    const ids = async (query: string) =>
      (await call(ann, 'GET', `/executions?sessionId=starred&${query}`)).body.data.map(({ id }: ExecutionSummary) => id)
    expect((await call(ann, 'PUT', `/executions/${id}`, { isStarred: true })).body).toMatchObject({
      isStarred: true,
      isPublic: false,
    })
    expect([await ids('isStarred=true'), await ids('isStarred=false'), await ids('')]).toEqual([[id], [], [id]])
    await call(ann, 'PUT', `/executions/${id}`, { isStarred: false })
    expect(await ids('isStarred=true')).toEqual([])
    expect((await call(ann, 'GET', '/executions?isStarred=maybe')).body.field).toBe('isStarred')
  })

  it('protects an execution from deletion, unless starred ones are included', async () => {
    const starred = await execution({ isStarred: true }, [{}])
    const plain = await execution({}, [{}])
    expect((await call(ann, 'DELETE', `/executions/${starred}`)).body).toMatchObject({ deletedCount: 0, keptCount: 1 })
    const many = await call(ann, 'DELETE', '/executions', { executionIds: [starred, plain] })
    expect(many.body).toEqual({ success: true, deletedCount: 1, keptCount: 1 })
    expect(traceOf((await call(ann, 'GET', `/executions/${starred}`)).body)).toHaveLength(1)
    const asked = await call(ann, 'DELETE', `/executions/${starred}?includeStarred=true`)
    expect(asked.body).toEqual({ success: true, deletedCount: 1, keptCount: 0 })
  })
})

describe('sharing', () => {
  it('shows an execution to anybody only while it is switched on', async () => {
    const id = await execution({}, [{ nodeId: 'a' }])
    const shared = () => heddle.fetch(`/api/v1/public-executions/${id}`)
    expect((await shared()).status).toBe(404)
    expect((await call(ann, 'PUT', `/executions/${id}`, { isPublic: true })).body.isPublic).toBe(true)
    const seen = await (await shared()).json()
    expect(traceOf(seen)).toMatchObject([{ nodeId: 'a' }])
    for (const secret of ['workspaceId', 'chatId', 'sessionId', 'agentflowId', 'replayOf', 'parentExecutionId'])
      expect(seen).not.toHaveProperty(secret)
    expect(JSON.stringify(seen)).not.toContain(flow.id)
    await call(ann, 'PUT', `/executions/${id}`, { isPublic: false })
    expect((await shared()).status).toBe(404)
  })

  it('cannot change anything else', async () => {
    const id = await execution()
    await call(ann, 'PUT', `/executions/${id}`, { isPublic: false, state: 'ERROR', workspaceId: 'x', totalTokens: 9 })
    expect((await call(ann, 'GET', `/executions/${id}`)).body).toMatchObject({
      state: 'FINISHED',
      workspaceId: flow.workspaceId,
      totalTokens: 0,
    })
    expect((await call(ann, 'PUT', `/executions/${id}`, { state: 'ERROR' })).body.field).toBe('isPublic')
  })
})

it('deletes executions with their steps', async () => {
  const [one, two, three] = [await execution({}, [{}]), await execution({}, [{}]), await execution({}, [{}])]
  expect((await call(ann, 'DELETE', `/executions/${one}`)).body).toEqual({
    success: true,
    deletedCount: 1,
    keptCount: 0,
  })
  const many = await call(ann, 'DELETE', '/executions', { executionIds: [one, two] })
  expect(many.body).toEqual({ success: true, deletedCount: 1, keptCount: 0 })
  const left = await heddle.database.select({ id: executionSteps.executionId }).from(executionSteps)
  expect(left.map(({ id }) => id)).toContain(three)
  expect(left.map(({ id }) => id)).not.toContain(one)
  expect((await call(ann, 'DELETE', '/executions', { executionIds: [] })).body.field).toBe('executionIds')
})

it('shows executions to their own workspace only', async () => {
  const id = await execution({}, [{ nodeId: 'a' }])
  expect((await call(bob, 'GET', `/executions/${id}`)).status).toBe(404)
  expect((await call(bob, 'PUT', `/executions/${id}`, { isPublic: true })).status).toBe(404)
  expect((await call(bob, 'DELETE', `/executions/${id}`)).body.deletedCount).toBe(0)
  expect((await call(bob, 'DELETE', '/executions', { executionIds: [id] })).body.deletedCount).toBe(0)
  expect((await call(bob, 'GET', `/executions?agentflowId=${flow.id}`)).body).toEqual({ data: [], total: 0 })
  const kept = (await call(ann, 'GET', `/executions/${id}`)).body
  expect(traceOf(kept)).toMatchObject([{ nodeId: 'a' }])
  expect(kept.isPublic).toBe(false)
})

it('deletes executions and conversations with their flow', async () => {
  const doomed = (await call(ann, 'POST', '/chatflows', { name: 'x', flowData, type: 'AGENTFLOW' })).body
  const id = await execution({ agentflowId: doomed.id }, [{}])
  await heddle.database.insert(chatMessages).values({
    id,
    workspaceId: flow.workspaceId,
    chatflowid: doomed.id,
    role: 'userMessage',
    content: 'hi',
    chatType: 'INTERNAL',
    chatId: 'c',
    sessionId: 'c',
    createdDate: '2026-01-01',
  })
  await call(ann, 'DELETE', `/chatflows/${doomed.id}`)
  const ids = [
    await heddle.database.select({ id: executions.id }).from(executions),
    await heddle.database.select({ id: executionSteps.executionId }).from(executionSteps),
    await heddle.database.select({ id: chatMessages.id }).from(chatMessages),
  ]
  expect(ids.flat().map((row) => row.id)).not.toContain(id)
})
