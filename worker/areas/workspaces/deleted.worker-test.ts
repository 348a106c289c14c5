// @defends deleted-workspace-owns
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Workspace } from '#contract/organization/workspaces.ts'
import {
  chatflows,
  documentSearchIndexes,
  documentStores,
  executions,
  triggerDeliveries,
  triggers,
  variables,
  workspaces,
} from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Route } from '../../http/route.ts'
import { putKey } from '../../http/testing/people.ts'
import { sampleOf } from '../../http/testing/sample.ts'
import { ownedRows, SEED_ID, seedWorkspace } from '../../http/testing/seed.ts'
import { createCipher } from '../../ports/cipher.ts'
import { renewLease } from '../../runs/recovery/lease.ts'
import { routes } from '../index.ts'

const MASTER_KEY = 'the-master-key-of-this-test-is-43-chars-lon'
const NO_ID = '00000000-0000-4000-8000-0000000000ff'
const PAST = '2026-01-01T09:00:00.000Z'

let heddle: TestHeddle
let owner: TestClient
let workspace: Workspace

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { MASTER_KEY } })
  owner = await heddle.signUp()
})
afterAll(() => heddle.close())

/** A workspace whose every row the outside may reach. */
beforeEach(async () => {
  await heddle.database.delete(documentSearchIndexes)
  workspace = (await call('POST', '/workspaces', { name: crypto.randomUUID() })) as Workspace
  const [row] = await heddle.database.select().from(workspaces).where(eq(workspaces.id, workspace.id))
  const sealed = await createCipher(MASTER_KEY).encrypt(row?.wrappedKey ?? '', { a: 'b' })
  await seedWorkspace(heddle.database, { id: workspace.id, sealed })
  await heddle.database.update(chatflows).set({ callers: 'everyone', isPublic: true })
  await heddle.database.update(executions).set({ isPublic: true })
})

async function call(method: string, path: string, json?: unknown): Promise<unknown> {
  const response = await owner.fetch(`/api/v1${path}`, { method, json })
  expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
  return response.json()
}

const remove = () => call('DELETE', `/workspaces/${workspace.id}`, { name: workspace.name })
const restore = () => call('POST', `/workspaces/${workspace.id}/restore`, {})

/** Calls from outside that name a row. */
const open = routes.filter(({ access, path, body }) => access === 'public' && (path.includes(':') || body))

async function answersOf(route: Route, id: string): Promise<string> {
  const path = route.path.replace(/:[^/]+/g, id)
  const text = JSON.stringify(sampleOf(route.body)) ?? undefined
  const response = await heddle.fetch(`/api/v1${path}`, {
    method: route.method,
    ...(text &&
      route.method !== 'GET' && {
        headers: { 'content-type': 'application/json' },
        body: text.replaceAll(SEED_ID, id),
      }),
  })
  const { requestId: _, ...body } = asObject(await response.text())
  return `${route.method} ${route.path} ${response.status} ${JSON.stringify(body).replaceAll(id, 'ID')}`
}

function asObject(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) }
  } catch {
    return { text }
  }
}

it('a deleted workspace answers the outside as if nothing of it were there', async () => {
  const differing = []
  for (const route of open)
    if ((await answersOf(route, SEED_ID)) !== (await answersOf(route, NO_ID))) differing.push(route)
  expect(differing.length).toBeGreaterThan(8)
  await remove()
  for (const route of open) expect(await answersOf(route, SEED_ID)).toBe(await answersOf(route, NO_ID))
})

it('its API keys open nothing until it is restored', async () => {
  const key = await putKey(heddle, { workspaceId: workspace.id, permissions: ['chatflows:view'] })
  const headers = { authorization: `Bearer ${key}` }
  const statuses = async () =>
    Promise.all(
      ['/chatflows', '/models'].map(async (path) => (await heddle.fetch(`/api/v1${path}`, { headers })).status),
    )
  expect(await statuses()).toEqual([200, 200])
  await remove()
  expect(await statuses()).toEqual([401, 401])
  await restore()
  expect(await statuses()).toEqual([200, 200])
})

it('its schedules and refreshes wait, and go on when it is restored', async () => {
  await heddle.database.update(triggers).set({ state: 'active', kind: 'schedule', nextDue: PAST })
  await heddle.database.update(documentStores).set({ nextRefresh: PAST })
  const times = async () => {
    const [[trigger], [store]] = [
      await heddle.database.select().from(triggers),
      await heddle.database.select().from(documentStores),
    ]
    return [trigger?.nextDue, store?.nextRefresh]
  }
  await remove()
  await heddle.scheduled()
  expect(await times()).toEqual([PAST, PAST])
  await restore()
  await heddle.scheduled()
  for (const time of await times()) expect(time).not.toBe(PAST)
})

it('its queued deliveries are not handed to a worker', async () => {
  await heddle.database
    .update(triggerDeliveries)
    .set({ state: 'queued', handedDate: null, dueDate: PAST, nextAttemptDate: null, timesHanded: 0 })
  const handed = async () =>
    (await heddle.database.select().from(triggerDeliveries)).map(({ timesHanded }) => timesHanded)
  await remove()
  await heddle.scheduled()
  expect(await handed()).toEqual([0])
  await restore()
  await heddle.scheduled()
  expect(await handed()).toEqual([1])
})

it('its runs stop at their next write', async () => {
  await heddle.database.update(executions).set({ state: 'INPROGRESS', leaseExpiresDate: 'held' })
  const renew = async (held: string, next: string) => {
    const run = { executionId: SEED_ID, held, next, now: new Date(), workSeconds: 1 }
    const [rows] = await heddle.database.batch([renewLease(heddle.database, run)])
    return rows
  }
  expect(await renew('held', 'next')).toHaveLength(1)
  await remove()
  await expect(renew('next', 'later')).rejects.toThrow()
  await restore()
  expect(await renew('next', 'later')).toHaveLength(1)
})

it('its lost runs are not taken up', async () => {
  await heddle.database.update(executions).set({ state: 'INPROGRESS', leaseExpiresDate: PAST, attempts: 2 })
  const states = async () => (await heddle.database.select().from(executions)).map(({ state }) => state)
  await remove()
  await heddle.scheduled()
  expect(await states()).toEqual(['INPROGRESS'])
})

const makeOld = () =>
  heddle.database
    .update(workspaces)
    .set({ deletedDate: new Date(Date.now() - 7 * 86_400_000 - 1000).toISOString() })
    .where(eq(workspaces.id, workspace.id))

it('its rows stay for 7 days, then they and it are removed, and nothing of others', async () => {
  const other = (await call('POST', '/workspaces', { name: crypto.randomUUID() })) as Workspace
  const variable = {
    id: crypto.randomUUID(),
    name: 'kept',
    value: 'v',
    type: 'static' as const,
    createdDate: PAST,
    updatedDate: PAST,
  }
  await heddle.database.insert(variables).values({ ...variable, workspaceId: other.id })
  // Other jobs delete what is old anyway.
  const lasting = async () => {
    const rows = JSON.parse(await ownedRows(heddle.database, workspace.id)) as Record<string, unknown[]>
    return ['apikeys', 'chatflows', 'credentials', 'tools', 'variables', 'document_stores'].map((name) => rows[name])
  }
  const before = await lasting()
  for (const rows of before) expect(rows).toHaveLength(1)
  await remove()
  await heddle.scheduled()
  expect(await lasting()).toEqual(before)
  await makeOld()
  expect((await owner.fetch(`/api/v1/workspaces/${workspace.id}/restore`, { method: 'POST', json: {} })).status).toBe(
    404,
  )
  await heddle.scheduled()
  await heddle.scheduled()
  const left = JSON.parse(await ownedRows(heddle.database, workspace.id)) as Record<string, unknown[]>
  delete left.file_deletions
  expect(Object.entries(left).filter(([, rows]) => rows.length > 0)).toEqual([])
  expect(await heddle.database.select().from(workspaces).where(eq(workspaces.id, workspace.id))).toEqual([])
  expect(await heddle.database.select().from(variables)).toMatchObject([{ id: variable.id }])
})

it('many rows are removed over several minutes', async () => {
  await remove()
  await makeOld()
  await heddle.database.run(sql`
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 30000)
    insert into ${variables} (id, workspace_id, name, value, type, created_date, updated_date)
    select 'many-' || i, ${workspace.id}, 'many-' || i, 'v', 'static', ${PAST}, ${PAST} from n`)
  const left = async () => heddle.database.$count(variables, eq(variables.workspaceId, workspace.id))
  await heddle.scheduled()
  expect(await left()).toBeGreaterThan(0)
  expect(await left()).toBeLessThan(30_000)
  await heddle.scheduled()
  expect(await left()).toBe(0)
})
