// @defends deleted-id-claimed
import { eq, getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Workspace } from '#contract/organization/workspaces.ts'
import * as schema from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, node, start } from '../../../e2e/support/flows.ts'
import { userOf } from '../../http/testing/people.ts'
import { ownedTables, SEED_ID, seedWorkspace } from '../../http/testing/seed.ts'
import { readTakenIds } from './import.ts'

const { executions, retiredIds, workspaces } = schema

let heddle: TestHeddle
let owner: TestClient
let thief: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  owner = await heddle.signUp()
  thief = await heddle.signUp()
})
afterAll(() => heddle.close())

const saying = (text: string) => JSON.stringify(chain(start(), directReply(text)))

async function addFlow(flowData = saying('honest')): Promise<string> {
  const flow = { name: 'Shop', type: 'AGENTFLOW', callers: 'everyone', flowData }
  return (await call(owner, 'POST', '/chatflows', flow)).body.id
}

/** Returns the id that a row of this kind gets when a file with the id is imported. */
async function importedId(client: TestClient, key: string, row: { id: string }): Promise<string> {
  const { status, body } = await call(client, 'POST', '/export-import/import', { [key]: [row] })
  expect(status).toBe(200)
  expect(body.report.leftOut).toEqual([])
  const list = LISTS[key]
  if (!list) return body.report.flows[0].newId
  const { body: found } = await call(client, 'GET', list)
  const rows: { id: string; name: string }[] = found.data ?? found
  return rows.some(({ id }) => id === row.id) ? row.id : 'another'
}

/** Where rows of other kinds than flows are listed. */
const LISTS: Record<string, string> = {
  Tool: '/tools',
  Variable: '/variables',
  CustomTemplate: '/marketplaces/custom',
  DocumentStore: '/document-store/store',
  AssistantCustom: '/assistants?type=CUSTOM',
}

const evil = (id: string) => ({ id, name: 'Shop', type: 'AGENTFLOW', callers: 'everyone', flowData: saying('evil') })

const ask = (id: string) =>
  heddle.fetch(`/api/v1/prediction/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'q' }),
  })

it('the id of a deleted flow comes back to its own workspace, and to no other', async () => {
  const id = await addFlow()
  expect((await ask(id)).status).toBe(200)
  await call(owner, 'DELETE', `/chatflows/${id}`)
  expect(await importedId(thief, 'AgentFlowV2', evil(id))).not.toBe(id)
  expect((await ask(id)).status).toBe(401)

  expect(await importedId(owner, 'AgentFlowV2', { ...evil(id), flowData: saying('honest') } as never)).toBe(id)
  expect(await (await ask(id)).json()).toMatchObject({ text: 'honest' })
  await call(owner, 'DELETE', `/chatflows/${id}`)
  expect(await importedId(thief, 'AgentFlowV2', evil(id))).not.toBe(id)
  expect(await importedId(owner, 'AgentFlowV2', evil(id))).toBe(id)
})

it('a sender goes on posting to the address of a deleted webhook, and nobody else gets what they post', async () => {
  const settings = { startInputType: 'webhookTrigger', webhookMethod: 'POST', webhookContentType: 'application/json' }
  const hook = JSON.stringify(chain(node('startAgentflow', 0, settings), directReply('{{ $webhook.body }}')))
  const id = await addFlow(hook)
  const post = async () => (await heddle.fetch(`/api/v1/webhook/${id}`, { method: 'POST', body: '{}' })).status
  expect(await post()).not.toBe(401)
  await call(owner, 'DELETE', `/chatflows/${id}`)
  expect(await importedId(thief, 'AgentFlowV2', { ...evil(id), flowData: hook } as never)).not.toBe(id)
  expect(await post()).toBe(401)
})

describe('the id of what another workspace deleted is new again in an import', () => {
  it.each<[string, () => Promise<{ id: string }>, (id: string) => string, (id: string) => object]>([
    [
      'Tool',
      async () => (await call(owner, 'POST', '/tools', { ...TOOL, name: 'tool' })).body,
      (id) => `/tools/${id}`,
      () => ({ ...TOOL, name: 'tool' }),
    ],
    [
      'Variable',
      async () => (await call(owner, 'POST', '/variables', { name: 'town', value: 'Ghent', type: 'static' })).body,
      (id) => `/variables/${id}`,
      () => ({ name: 'town', value: 'Rome', type: 'static' }),
    ],
    [
      'DocumentStore',
      async () => (await call(owner, 'POST', '/document-store/store', { name: 'Docs', description: '' })).body,
      (id) => `/document-store/store/${id}`,
      () => ({ name: 'Docs', description: '', loaders: '[]', status: 'EMPTY' }),
    ],
    [
      'AssistantCustom',
      async () => {
        const details = JSON.stringify({ name: 'Helper' })
        return (await call(owner, 'POST', '/assistants', { details, type: 'CUSTOM' })).body
      },
      (id) => `/assistants/${id}`,
      () => ({ type: 'CUSTOM', details: JSON.stringify({ name: 'Helper' }) }),
    ],
  ])('%s', async (key, add, path, row) => {
    const { id } = await add()
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await call(owner, 'DELETE', path(id))).status).toBe(200)
    expect(await importedId(thief, key, { ...row(id), id })).not.toBe(id)
    expect(await importedId(owner, key, { ...row(id), id })).toBe(id)
  })
})

const TOOL = { description: 'Adds', color: '#fff', schema: '[]', func: 'return 1' }

it('the link of a shared run is dead when the run is unshared or deleted, for every other workspace', async () => {
  const flow = await addFlow()
  const shared = async () => {
    await call(owner, 'POST', `/internal-prediction/${flow}`, { question: 'q', chatId: crypto.randomUUID() })
    const [run] = (await call(owner, 'GET', `/executions?agentflowId=${flow}`)).body.data
    expect((await call(owner, 'PUT', `/executions/${run.id}`, { isPublic: true })).status).toBe(200)
    return run.id as string
  }
  const deleted = await shared()
  await call(owner, 'DELETE', '/executions', { executionIds: [deleted] })
  const unshared = await shared()
  await call(owner, 'PUT', `/executions/${unshared}`, { isPublic: false })
  await call(owner, 'DELETE', '/executions', { executionIds: [unshared] })

  const flowOfThief = evil(crypto.randomUUID())
  const runs = [deleted, unshared].map((id) => ({
    ...{ id, agentflowId: flowOfThief.id, sessionId: 's', state: 'FINISHED', executionData: '[]', isPublic: true },
    ...{ createdDate: '2026-01-01T00:00:00.000Z', updatedDate: '2026-01-01T00:00:00.000Z' },
  }))
  const { body } = await call(thief, 'POST', '/export-import/import', { AgentFlowV2: [flowOfThief], Execution: runs })
  expect(body.report.imported.Execution).toBe(2)
  for (const id of [deleted, unshared]) {
    expect(await heddle.database.select().from(executions).where(eq(executions.id, id))).toEqual([])
    expect((await heddle.fetch(`/api/v1/public-executions/${id}`)).status).toBe(404)
  }
  const taken = async (client: TestClient) => {
    const { activeWorkspaceId: workspaceId } = await userOf(client)
    return (await readTakenIds(heddle.database, { workspaceId }, [deleted, unshared])).taken.toSorted()
  }
  expect(await taken(thief)).toEqual([deleted, unshared].toSorted())
  expect(await taken(owner)).toEqual([])
})

const isId = ({ name }: { name: string }) => name === 'id'

describe('whatever deletes a row', () => {
  /** Rows that nobody outside names by their ids, or that no import gives an id of its choice. */
  const NOT_NAMED = [
    ...['apikeys', 'asset_usages', 'chat_message_feedback', 'chat_messages', 'credentials', 'document_chunks'],
    ...['document_jobs', 'document_loaders', 'document_sources', 'file_deletions', 'files', 'flow_sources'],
    ...['flow_versions', 'leads', 'mcp_servers', 'oauth_requests', 'request_failures', 'trigger_deliveries'],
    ...['unindexed_flows', 'upsert_history', 'upsert_jobs', 'upsert_records', 'workspace_imports'],
  ]
  const tables = ownedTables.filter(
    (table) => table !== schema.documentSearchIndexes && getTableConfig(table).columns.some(isId),
  )
  const isNamed = (table: SQLiteTable) => !NOT_NAMED.includes(getTableName(table))

  it('its id is retired where outsiders name it, and no other table’s rows are', async () => {
    const workspace = (await call(owner, 'POST', '/workspaces', { name: 'Seeded' })).body as Workspace
    await seedWorkspace(heddle.database, { id: workspace.id, sealed: '' })
    await heddle.database.update(executions).set({ isPublic: true })
    const retired: string[] = []
    for (const table of tables.toReversed()) {
      await heddle.database.delete(retiredIds)
      await heddle.database.delete(table)
      const rows = await heddle.database.select().from(retiredIds)
      if (rows.length > 0) retired.push(getTableName(table))
      expect(rows.every(({ workspaceId }) => workspaceId === workspace.id)).toBe(true)
    }
    expect(retired.toSorted()).toEqual(tables.filter(isNamed).map(getTableName).toSorted())
  })

  it('the ids of a workspace that nobody restored, and its own, stay with it for ever', async () => {
    const workspace = (await call(owner, 'POST', '/workspaces', { name: 'Short-lived' })).body as Workspace
    await seedWorkspace(heddle.database, { id: workspace.id, sealed: '' })
    await heddle.database.delete(retiredIds)
    await heddle.database.delete(schema.documentSearchIndexes)
    await call(owner, 'DELETE', `/workspaces/${workspace.id}`, { name: workspace.name })
    const deletedDate = new Date(Date.now() - 8 * 86_400_000).toISOString()
    await heddle.database.update(workspaces).set({ deletedDate }).where(eq(workspaces.id, workspace.id))
    await heddle.scheduled()
    await heddle.scheduled()
    expect(await heddle.database.select().from(workspaces).where(eq(workspaces.id, workspace.id))).toEqual([])
    const ids = (await heddle.database.select().from(retiredIds)).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([SEED_ID, workspace.id]))
    expect(await importedId(thief, 'AgentFlowV2', evil(SEED_ID))).not.toBe(SEED_ID)
  })
})
