// @defends anonymous-records
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatflows, rateLimits, workspaces } from '#db/schema/index.ts'
import { chain, code, directReply, start } from '../../../e2e/support/flows.ts'
import { addHook, SECRET, send, signed } from '../triggers/webhook/testing/webhooks.ts'
import { openScene, type Scene } from './testing/scene.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene({ anonymousMbPerDay: '1' })
})
afterAll(() => scene.close())
beforeEach(async () => {
  await scene.heddle.database.delete(rateLimits)
})

const KB = 1024

const echo = () => chain(start(), directReply('{{question}}'))
const large = () => chain(start(), code(`return "x".repeat(${200 * KB})`), directReply('done'))

const call = (path: string, json: object, headers = {}) =>
  scene.heddle.newClient().fetch(`/api/v1${path}`, { method: 'POST', json, headers })

const ask = (id: string, question: string) => call(`/prediction/${id}`, { question })

/** How many calls are answered before the first that is not. */
async function callsUntilRefused(send: () => Promise<{ status: number }>): Promise<number> {
  for (let calls = 0; calls < 50; calls++) if ((await send()).status === 429) return calls
  return Number.POSITIVE_INFINITY
}

/** So many calls use up the budget, whatever is stored beside the 200 KB of each. */
const ENOUGH = 8

async function useUp(): Promise<void> {
  const id = await scene.save(echo())
  await callsUntilRefused(() => ask(id, 'x'.repeat(90 * KB)))
}

it('anonymous callers leave at most so many bytes a day in a workspace, whatever they send', async () => {
  const id = await scene.save(echo())
  const calls = await callsUntilRefused(() => ask(id, 'x'.repeat(90 * KB)))
  expect(calls).toBeGreaterThan(0)
  expect(calls).toBeLessThan(ENOUGH)
  const refused = await ask(id, 'q')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
  expect(await refused.text()).toMatch(/1\.00 MB.*API key.*owner.*Share/)
})

it('what a flow makes of a short question counts too', async () => {
  const id = await scene.save(large())
  expect(await callsUntilRefused(() => ask(id, 'q'))).toBeLessThan(ENOUGH)
})

it('members, and callers with a key, go on, and so do callers of other workspaces', async () => {
  await useUp()
  const id = await scene.save(echo())
  expect((await scene.internally(id, { question: 'q' })).status).toBe(200)
  const headers = { authorization: `Bearer ${await apiKey()}` }
  expect((await call(`/prediction/${id}`, { question: 'q' }, headers)).status).toBe(200)
  const bob = await scene.heddle.signUp()
  const flow = { name: 'Open', type: 'AGENTFLOW', callers: 'everyone', flowData: JSON.stringify(echo()) }
  const { body } = await scene.call<{ id: string }>('POST', '/chatflows', flow, bob)
  expect((await ask(body.id, 'q')).status).toBe(200)
})

async function apiKey(): Promise<string> {
  const body = { keyName: 'k', permissions: ['agentflows:view'] }
  return (await scene.call<{ apiKey: string }>('POST', '/apikey', body)).body.apiKey
}

it('whoever answers a shared run takes from the same budget', async () => {
  const { body } = await scene.ask(await scene.save(echo()), { question: 'q' })
  await scene.call('PUT', `/executions/${body.executionId}`, { isPublic: true })
  await useUp()
  expect((await call(`/public-executions/${body.executionId}/answer`, { type: 'proceed' })).status).toBe(429)
})

describe('an unsigned webhook', () => {
  const addLarge = (settings: object = {}) => addHook(scene, { flow: large(), settings })

  it('takes from the same budget', async () => {
    const { id } = await addLarge()
    expect(await callsUntilRefused(() => send(scene, id, {}))).toBeLessThan(ENOUGH)
    expect((await ask(await scene.save(echo()), 'q')).status).toBe(429)
  })

  it('takes what it was sent, though nobody waits for its run', async () => {
    const { id } = await addHook(scene, { settings: { response: 'async', input: { mode: 'text', text: 'Go' } } })
    const body = { text: 'x'.repeat(200 * KB) }
    expect(await callsUntilRefused(() => send(scene, id, { body }))).toBeLessThan(ENOUGH)
  })

  it('takes what its run leaves, though nobody waits for it', async () => {
    const { id } = await addLarge({ response: 'async' })
    for (let delivery = 0; delivery < ENOUGH; delivery++) await send(scene, id, {})
    await expect.poll(async () => (await send(scene, id, {})).status).toBe(429)
  })

  it('goes on when it gets a signature', async () => {
    await useUp()
    const { id } = await addHook(scene, { settings: { signature: 'plain-token' }, secret: SECRET })
    expect((await send(scene, id, { body: '{}', headers: signed('plain-token', '{}') })).status).toBe(200)
  })
})

it('the token of an MCP server takes from the same budget, an API key does not', async () => {
  const id = await scene.save(large())
  const settings = { toolName: 'big', description: 'Big' }
  const { body } = await scene.call<{ token: string }>('POST', `/mcp-server/${id}`, settings)
  const params = { name: 'big', arguments: { question: 'q' } }
  const callTool = (path: string, token: string) =>
    call(path, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { authorization: `Bearer ${token}` })
  const key = await apiKey()
  for (let calls = 0; calls < ENOUGH; calls++) expect((await callTool('/mcp', key)).status).toBe(200)
  expect(await callsUntilRefused(() => callTool(`/mcp/${id}`, body.token))).toBeLessThan(ENOUGH)
  expect((await callTool('/mcp', key)).status).toBe(200)
})

describe('leads', () => {
  async function askWho(): Promise<string> {
    const id = await scene.save(echo())
    const leads = { status: true, name: true, email: true, phone: true }
    await scene.call('PUT', `/chatflows/${id}`, { chatbotConfig: JSON.stringify({ leads }) })
    return id
  }

  const leave = (chatflowid: string, headers = {}) =>
    call('/leads', { chatflowid, chatId: crypto.randomUUID(), name: 'x'.repeat(200) }, headers)

  it('take from the same budget', async () => {
    const id = await askWho()
    const before = await takenBytes()
    expect((await leave(id)).status).toBe(200)
    expect((await takenBytes()) - before).toBeGreaterThan(200)
  })

  it('are refused once it is used up; members, and callers with a key, go on', async () => {
    const id = await askWho()
    await useUp()
    const refused = await leave(id)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(23 * 60 * 60)
    const before = await takenBytes()
    expect((await leave(id, { authorization: `Bearer ${await apiKey()}` })).status).toBe(200)
    const lead = { chatflowid: id, chatId: crypto.randomUUID(), name: 'Ann' }
    expect((await scene.call('POST', '/leads', lead)).status).toBe(200)
    expect(await takenBytes()).toBe(before)
  })

  async function takenBytes(): Promise<number> {
    const windows = await scene.heddle.database.select().from(rateLimits)
    return windows.filter(({ key }) => key.startsWith('records ')).reduce((sum, { count }) => sum + count, 0)
  }
})

describe('the room for runs and messages', () => {
  let workspaceId: string
  beforeAll(async () => {
    const id = await scene.save(echo())
    const [flow] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, id))
    workspaceId = flow?.workspaceId as string
  })

  const counted = async () => (await scene.heddle.database.select().from(workspaces).where(hers()))[0]?.recordsSize
  const hers = () => eq(workspaces.id, workspaceId)

  /** From the rows themselves. */
  async function recounted(): Promise<number> {
    const sum = (columns: string[]) => sql.raw(columns.map((column) => `coalesce(length(${column}), 0)`).join(' + '))
    const run = sum(['input', 'input_texts', 'error', 'flow_state', 'action'])
    const message = sum('content file_uploads source_documents used_tools artifacts reason_content action'.split(' '))
    const [row] = await scene.heddle.database.all<{ size: number }>(sql`select
      (select coalesce(sum(${run}), 0) from executions where workspace_id = w.id)
      + (select coalesce(sum(${message}), 0) from chat_messages where workspace_id = w.id)
      + (select coalesce(sum(${sum(['item', 'texts', 'sealed'])}), 0) from execution_steps where execution_id in
        (select id from executions where workspace_id = w.id))
      + (select coalesce(sum(${sum(['text'])}), 0) from run_texts where execution_id in
        (select id from executions where workspace_id = w.id)) as size from workspaces w where id = ${workspaceId}`)
    return row?.size ?? -1
  }

  it('is counted by what writes and deletes, and comes back with runs, flows and time', async () => {
    const id = await scene.save(large())
    const empty = await counted()
    const { body } = await scene.internally(id, { question: 'q' })
    await scene.internally(id, { question: 'x'.repeat(90 * KB) })
    const full = await recounted()
    expect(full).toBeGreaterThan(400 * KB)
    expect(await counted()).toBe(full)
    await scene.call('DELETE', '/executions', { executionIds: [body.executionId] })
    expect(await counted()).toBe(await recounted())
    expect(await counted()).toBeLessThan(full - 200 * KB)
    await scene.call('DELETE', `/chatflows/${id}`)
    expect(await counted()).toBe(empty)
    expect(await counted()).toBe(await recounted())
    await scene.heddle.scheduled(new Date(Date.now() + 1000 * 24 * 60 * 60_000))
    expect(await counted()).toBe(await recounted())
    expect((await scene.call<{ recordsBytes: number }>('GET', '/files')).body.recordsBytes).toBe(await counted())
  })

  it('keeps out anonymous callers once it is full, and says so; members and keys go on', async () => {
    const id = await scene.save(echo())
    const before = await counted()
    await scene.heddle.database
      .update(workspaces)
      .set({ recordsSize: 1024 ** 3 })
      .where(hers())
    const refused = await ask(id, 'q')
    expect(refused.status).toBe(413)
    expect(await refused.text()).toContain('The runs and messages of this workspace use 1.00 GB of 1.00 GB')
    expect((await scene.internally(id, { question: 'q' })).status).toBe(200)
    const headers = { authorization: `Bearer ${await apiKey()}` }
    expect((await call(`/prediction/${id}`, { question: 'q' }, headers)).status).toBe(200)
    await scene.heddle.database
      .update(workspaces)
      .set({ recordsSize: before as number })
      .where(hers())
  })
})
