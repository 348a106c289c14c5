import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chatflow, FlowVersionHead } from '#contract/chatflows/chatflows.ts'
import { chatflows, executions, flowVersions } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { KEPT_VERSIONS } from './version-statements.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp({ name: 'Ann' })
  bob = await heddle.signUp({ name: 'Bob' })
})
afterAll(() => heddle.close())

const start = (formTitle: string) => ({
  id: 'startAgentflow_0',
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  data: {
    id: 'startAgentflow_0',
    name: 'startAgentflow',
    label: 'Start',
    inputs: { startInputType: 'formInput', formTitle },
  },
})
const dataOf = (title: string) => JSON.stringify({ nodes: [start(title)], edges: [] })

async function create(more: object = {}): Promise<Chatflow> {
  const json = { name: 'One', flowData: dataOf('1'), type: 'AGENTFLOW', callers: 'everyone', ...more }
  return (await call(ann, 'POST', '/chatflows', json)).body
}

const save = (id: string, change: object) => call(ann, 'PUT', `/chatflows/${id}`, change)

async function versionsOf(id: string): Promise<FlowVersionHead[]> {
  return (await call(ann, 'GET', `/chatflows/${id}/versions`)).body.data
}

const numbers = (versions: FlowVersionHead[]) => versions.map(({ version }) => version)

describe('versions of a flow', () => {
  it('lists each save with its author and note, newest first', async () => {
    const { id, createdDate } = await create({ versionNote: 'The beginning' })
    const saved = await save(id, { flowData: dataOf('2') })
    const list = await call(ann, 'GET', `/chatflows/${id}/versions`)
    expect(list.body).toEqual({
      total: 2,
      data: [
        {
          version: 2,
          author: 'Ann',
          note: null,
          createdDate: saved.body.updatedDate,
          isPublished: false,
          isDraft: true,
        },
        { version: 1, author: 'Ann', note: 'The beginning', createdDate, isPublished: false, isDraft: false },
      ],
    })
    const first = await call(ann, 'GET', `/chatflows/${id}/versions/1`)
    expect(first.body).toEqual({ ...list.body.data[1], flowData: dataOf('1'), sources: [] })
  })

  it('adds no version when nodes and edges are unchanged', async () => {
    const { id } = await create()
    await save(id, { name: 'Two', isPublic: true })
    await save(id, { flowData: dataOf('1'), versionNote: 'Nothing new' })
    expect(numbers(await versionsOf(id))).toEqual([1])
    await save(id, { flowData: dataOf('2') })
    expect(numbers(await versionsOf(id))).toEqual([4, 1])
  })

  it('adds no version for a refused save', async () => {
    const { id } = await create()
    await save(id, { flowData: dataOf('2'), version: 1 })
    expect((await save(id, { flowData: dataOf('3'), version: 1 })).status).toBe(409)
    expect(numbers(await versionsOf(id))).toEqual([2, 1])
    expect((await save(id, { flowData: dataOf('4'), versionNote: 'x'.repeat(501) })).body.field).toBe('versionNote')
    expect(numbers(await versionsOf(id))).toEqual([2, 1])
  })

  it('adds one version for many saves of the same version', async () => {
    const { id } = await create()
    await Promise.all(Array.from({ length: 8 }, (_, i) => save(id, { flowData: dataOf(`tab ${i}`), version: 1 })))
    const { body } = await call(ann, 'GET', `/chatflows/${id}`)
    expect(numbers(await versionsOf(id))).toEqual([2, 1])
    expect((await call(ann, 'GET', `/chatflows/${id}/versions/2`)).body.flowData).toBe(body.flowData)
  })

  it('names the API key as the author', async () => {
    const permissions = ['agentflows:create', 'agentflows:view']
    const { apiKey } = (await call(ann, 'POST', '/apikey', { keyName: 'Deploy', permissions })).body
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'By key', flowData: dataOf('1'), type: 'AGENTFLOW' })
    const made = (await (await heddle.fetch('/api/v1/chatflows', { method: 'POST', headers, body })).json()) as Chatflow
    expect(await versionsOf(made.id)).toMatchObject([{ version: 1, author: 'Deploy' }])
  })

  it('lists versions in pages', async () => {
    const { id } = await create()
    for (const title of ['2', '3']) await save(id, { flowData: dataOf(title) })
    const page = await call(ann, 'GET', `/chatflows/${id}/versions?page=2&limit=2`)
    expect(page.body.total).toBe(3)
    expect(numbers(page.body.data)).toEqual([1])
    expect((await call(ann, 'GET', `/chatflows/${id}/versions?limit=0`)).body.field).toBe('limit')
  })
})

it('adds and removes the note of a version', async () => {
  const { id } = await create()
  const noted = await call(ann, 'PUT', `/chatflows/${id}/versions/1`, { note: ' Works well ' })
  expect(noted.body).toMatchObject({ version: 1, note: 'Works well', isDraft: true })
  expect((await call(ann, 'PUT', `/chatflows/${id}/versions/1`, { note: '' })).body.note).toBeNull()
  expect((await call(ann, 'PUT', `/chatflows/${id}/versions/1`, {})).body.field).toBe('note')
  expect((await call(ann, 'PUT', `/chatflows/${id}/versions/9`, { note: 'x' })).status).toBe(404)
  expect((await call(ann, 'PUT', `/chatflows/${id}/versions/first`, { note: 'x' })).body.field).toBe('version')
})

describe('publishing', () => {
  it('publishes the draft or a chosen version until it is unpublished', async () => {
    const { id, updatedDate } = await create()
    const published = await call(ann, 'POST', `/chatflows/${id}/publish`)
    expect(published.body).toMatchObject({ id, version: 1, publishedVersion: 1, updatedDate })
    expect(published.body.publishedDate >= updatedDate).toBe(true)
    expect(published.body.hasUnpublishedChanges).toBe(false)
    const renamed = await save(id, { name: 'Two' })
    expect(renamed.body).toMatchObject({ version: 2, publishedVersion: 1, hasUnpublishedChanges: false })
    const saved = await save(id, { flowData: dataOf('2') })
    expect(saved.body).toMatchObject({ version: 3, publishedVersion: 1, hasUnpublishedChanges: true })
    expect(await versionsOf(id)).toMatchObject([
      { version: 3, isPublished: false, isDraft: true },
      { version: 1, isPublished: true, isDraft: false },
    ])
    const [listed] = (await call(ann, 'GET', '/chatflows?page=1&limit=1')).body.data
    expect(listed).toMatchObject({ id, publishedVersion: 1, hasUnpublishedChanges: true })
    expect((await call(ann, 'POST', `/chatflows/${id}/publish`, {})).body.publishedVersion).toBe(3)
    expect((await call(ann, 'POST', `/chatflows/${id}/publish`, { version: 1 })).body.publishedVersion).toBe(1)
    const back = await call(ann, 'POST', `/chatflows/${id}/unpublish`)
    expect(back.body).toMatchObject({ publishedVersion: null, publishedDate: null, hasUnpublishedChanges: false })
  })

  it('refuses to publish an unknown version', async () => {
    const made = await create()
    expect((await call(ann, 'POST', `/chatflows/${made.id}/publish`, { version: 2 })).status).toBe(404)
    expect((await call(ann, 'POST', `/chatflows/${made.id}/publish`, { version: 0 })).body.field).toBe('version')
    expect((await call(ann, 'GET', `/chatflows/${made.id}`)).body).toEqual(made)
  })

  it('cannot be published by saving', async () => {
    const made = await create({ publishedVersion: 1, publishedDate: '2026-01-01T00:00:00.000Z' })
    expect(made).toMatchObject({ publishedVersion: null, publishedDate: null })
    expect((await save(made.id, { publishedVersion: 1 })).body.publishedVersion).toBeNull()
  })

  it('decides which version the public sees', async () => {
    const { id } = await create({ isPublic: true })
    const titleOf = async (path: string) => {
      const { flowData } = (await (await heddle.fetch(`/api/v1/${path}/${id}`)).json()) as { flowData: string }
      return JSON.parse(flowData).nodes[0].data.inputs.formTitle
    }
    const titles = async () => [await titleOf('public-chatbotConfig'), await titleOf('public-chatflows')]
    await save(id, { flowData: dataOf('2') })
    expect(await titles()).toEqual(['2', '2'])
    await call(ann, 'POST', `/chatflows/${id}/publish`, { version: 1 })
    expect(await titles()).toEqual(['1', '1'])
    await call(ann, 'POST', `/chatflows/${id}/unpublish`)
    expect(await titles()).toEqual(['2', '2'])
  })
})

describe('restoring', () => {
  it('restores an old version as a new one', async () => {
    const { id } = await create()
    await save(id, { flowData: dataOf('2') })
    const restored = await call(ann, 'POST', `/chatflows/${id}/versions/1/restore`, { version: 2 })
    expect(restored.body).toMatchObject({ version: 3, flowData: dataOf('1') })
    await call(ann, 'POST', `/chatflows/${id}/versions/2/restore`, { note: 'Better after all' })
    expect(await versionsOf(id)).toMatchObject([
      { version: 4, author: 'Ann', note: 'Better after all', isDraft: true },
      { version: 3, note: 'Restored from version 1' },
      { version: 2, note: null },
      { version: 1, note: null },
    ])
  })

  it('refuses to restore when someone else saved in the meantime', async () => {
    const { id } = await create()
    await save(id, { flowData: dataOf('2') })
    const late = await call(ann, 'POST', `/chatflows/${id}/versions/1/restore`, { version: 1 })
    expect(late).toMatchObject({ status: 409, body: { currentVersion: 2 } })
    expect((await call(ann, 'POST', `/chatflows/${id}/versions/7/restore`, {})).status).toBe(404)
    expect(numbers(await versionsOf(id))).toEqual([2, 1])
  })
})

it('keeps the newest 200 versions and older ones that are published, noted or were run', async () => {
  const { id, workspaceId } = await create()
  const { database } = heddle
  const date = '2026-01-01T00:00:00.000Z'
  const rows = Array.from({ length: 209 }, (_, index) => index + 2).map((version) => ({
    id: `${id}@${version}`,
    workspaceId,
    flowId: id,
    version,
    flowData: dataOf(String(version)),
    note: version === 3 ? 'Keep' : null,
    createdDate: date,
  }))
  // The save of version 6 changed settings only: what ran then is version 5.
  await database.insert(flowVersions).values(rows.filter(({ version }) => version !== 6))
  await database
    .update(chatflows)
    .set({ version: 210, flowData: dataOf('210') })
    .where(eq(chatflows.id, id))
  await database.insert(executions).values({
    id: crypto.randomUUID(),
    workspaceId,
    agentflowId: id,
    flowVersion: 6,
    sessionId: 's',
    chatId: 's',
    state: 'FINISHED',
    input: '{}',
    createdDate: date,
    updatedDate: date,
  })
  await call(ann, 'POST', `/chatflows/${id}/publish`, { version: 4 })
  await save(id, { flowData: dataOf('newest') })
  const { body } = await call(ann, 'GET', `/chatflows/${id}/versions?limit=200`)
  expect(body.total).toBe(KEPT_VERSIONS + 3)
  expect(numbers(body.data)).toEqual(Array.from({ length: KEPT_VERSIONS }, (_, index) => 211 - index))
  const older = await call(ann, 'GET', `/chatflows/${id}/versions?limit=200&page=2`)
  expect(numbers(older.body.data)).toEqual([5, 4, 3])
})

describe('another workspace', () => {
  it.each([
    ['GET', 'versions', undefined],
    ['GET', 'versions/1', undefined],
    ['PUT', 'versions/1', { note: 'stolen' }],
    ['POST', 'publish', {}],
    ['POST', 'unpublish', undefined],
    ['POST', 'versions/1/restore', {}],
  ])('cannot %s %s', async (method, path, json) => {
    const { id } = await create()
    await save(id, { flowData: dataOf('2') })
    await call(ann, 'POST', `/chatflows/${id}/publish`)
    const before = [(await call(ann, 'GET', `/chatflows/${id}`)).body, await versionsOf(id)]
    const refused = await call(bob, method, `/chatflows/${id}/${path}`, json)
    expect(refused.status).toBe(404)
    expect([(await call(ann, 'GET', `/chatflows/${id}`)).body, await versionsOf(id)]).toEqual(before)
  })
})

it('requires the permissions of the flow type', async () => {
  const { id } = await create()
  await save(id, { flowData: dataOf('2') })
  const statuses = async (permission: string) => {
    const { apiKey } = (await call(ann, 'POST', '/apikey', { keyName: permission, permissions: [permission] })).body
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const send = async (method: string, path: string, body?: string) =>
      (await heddle.fetch(`/api/v1/chatflows/${id}/${path}`, { method, headers, body })).status
    return [
      await send('GET', 'versions'),
      await send('GET', 'versions/1'),
      await send('PUT', 'versions/1', '{"note":"x"}'),
      await send('POST', 'publish', '{}'),
      await send('POST', 'versions/1/restore', '{}'),
      await send('POST', 'unpublish', '{}'),
    ]
  }
  expect(await statuses('chatflows:update')).toEqual([403, 403, 403, 403, 403, 403])
  expect(await statuses('agentflows:view')).toEqual([200, 200, 403, 403, 403, 403])
  expect(await statuses('agentflows:update')).toEqual([200, 200, 200, 200, 200, 200])
})

it('deletes versions with their flow', async () => {
  const { id } = await create()
  await save(id, { flowData: dataOf('2') })
  await call(ann, 'DELETE', `/chatflows/${id}`)
  expect(await heddle.database.select().from(flowVersions).where(eq(flowVersions.flowId, id))).toEqual([])
})

describe('limits of a flow', () => {
  const none = { maxTokens: null, maxCost: null, maxSteps: null, maxSeconds: null }

  it('sets and removes the limits of a flow', async () => {
    const made = await create({ runLimits: { maxTokens: 5000 } })
    expect(made.runLimits).toEqual({ ...none, maxTokens: 5000 })
    const changed = await save(made.id, { runLimits: { maxCost: 0.5, maxSteps: 20 } })
    expect(changed.body.runLimits).toEqual({ ...none, maxCost: 0.5, maxSteps: 20 })
    expect((await save(made.id, { name: 'Two' })).body.runLimits).toEqual(changed.body.runLimits)
    expect((await save(made.id, { runLimits: null })).body.runLimits).toBeNull()
    expect((await save(made.id, { runLimits: { maxSteps: 0 } })).body.field).toBe('runLimits.maxSteps')
  })
})
