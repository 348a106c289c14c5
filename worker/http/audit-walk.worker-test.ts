// @defends change-leaves-trace
// @defends audit-log-keeps
/** Calls every route that declares an audit event. New routes are included automatically. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditEvents, chatflows, loginActivity, users, workspaces } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import { createCipher } from '../ports/cipher.ts'
import type { Route } from './route.ts'
import { addressOf, bodyOf, nameOf } from './testing/calls.ts'
import { NOT_ON_SEED } from './testing/examples.ts'
import { userOf } from './testing/people.ts'
import { SEED_ID, seedWorkspace } from './testing/seed.ts'

const MASTER_KEY = 'the-master-key-of-this-test-is-43-chars-lon'
/** Also administers the platform. */
const OWNER = 'owner@example.com'
const UNKNOWN_ID = '00000000-0000-4000-8000-0000000000ff'
const SECRET = 'marked-as-a-secret'

/** The tests of their area call those for directories, with a directory's token. */
const isForDirectory = ({ access }: Route) => typeof access === 'object' && 'directoryOnly' in access
const audited = routes.filter((route) => typeof route.audit === 'string' && !isForDirectory(route))
const cases = audited.map((route) => ({ name: nameOf(route), route }))

let heddle: TestHeddle
let owner: TestClient
let workspaceId: string
let organizationId: string
let sealed: string

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { MASTER_KEY, PLATFORM_ADMIN_EMAIL: OWNER } })
  owner = await heddle.signUp({ email: OWNER })
  await heddle.database
    .update(users)
    .set({ emailVerifiedDate: '2026-01-01T00:00:00.000Z' })
    .where(eq(users.email, OWNER))
  const { activeWorkspaceId, activeOrganizationId } = await userOf(owner)
  workspaceId = activeWorkspaceId
  organizationId = activeOrganizationId
  const [row] = await heddle.database.select().from(workspaces).where(eq(workspaces.id, workspaceId))
  sealed = await createCipher(MASTER_KEY).encrypt(row?.wrappedKey ?? '', { openAIApiKey: SECRET })
})
afterAll(() => heddle.close())

const send = (method: string, path: string, json?: unknown) => owner.fetch(path, { method, ...(json ? { json } : {}) })

/** What must stand before a route changes anything. */
const FIRST: Record<string, () => Promise<unknown>> = {
  'DELETE /mcp-server/:id': () => send('POST', `/api/v1/mcp-server/${SEED_ID}`, {}),
  'DELETE /login-activity': async () => {
    await heddle.database.delete(loginActivity)
    const attempt = { method: 'password', result: 'success', createdDate: new Date().toISOString() } as const
    await heddle.database.insert(loginActivity).values({ id: SEED_ID, organizationId, ...attempt })
  },
  'DELETE /account/sessions': () =>
    heddle.newClient().fetch('/api/v1/auth/login', {
      method: 'POST',
      json: { email: OWNER, password: 'Correct-horse-9-staple' },
    }),
  'DELETE /assistants/:id': () =>
    heddle.database.update(chatflows).set({ type: 'ASSISTANT' }).where(eq(chatflows.id, SEED_ID)),
}

/** Requests that change nothing, besides those for what does not exist or with a body that is none. */
const REFUSED: Record<string, unknown[]> = {
  'DELETE /login-activity': [{ ids: [UNKNOWN_ID] }],
  'PUT /chatflows/:id': [{ callers: 'everyone', version: 99 }, { name: 'Saved by the way' }],
  'POST /chatflows/:id/publish': [{ version: 99 }],
}

async function startOver(route: Route): Promise<void> {
  await seedWorkspace(heddle.database, { id: workspaceId, sealed })
  await FIRST[nameOf(route)]?.()
  await heddle.database.delete(auditEvents)
}

const events = () => heddle.database.select().from(auditEvents)

describe.each(cases)('$name', ({ name, route }) => {
  it.skipIf(name in NOT_ON_SEED)('leaves one event when it succeeds', async () => {
    await startOver(route)
    const response = await send(route.method, addressOf(route), bodyOf(route))
    expect(response.ok, await response.text()).toBe(true)
    const { id: actorId } = await userOf(owner)
    const left = await events()
    expect(left).toMatchObject([{ event: route.audit, actorKind: 'user', actorId }])
    expect(left[0]?.requestId).toBe(response.headers.get('x-request-id'))
    expect(left[0]?.targetName).not.toBe('')
  })

  it.skipIf(!route.path.includes(':') && !route.body)('leaves no event when it fails', async () => {
    await startOver(route)
    const unknown = route.path.includes(':')
      ? await send(route.method, addressOf(route, UNKNOWN_ID), bodyOf(route))
      : await owner.fetch(addressOf(route), {
          method: route.method,
          body: '[1',
          headers: { 'content-type': 'application/json' },
        })
    expect(unknown.status, await unknown.text()).toBeGreaterThanOrEqual(400)
    for (const body of REFUSED[name] ?? []) await (await send(route.method, addressOf(route), body)).text()
    expect(await events()).toEqual([])
  })
})

it('keeps no secret of a change', async () => {
  await seedWorkspace(heddle.database, { id: workspaceId, sealed })
  await heddle.database.delete(auditEvents)
  const json = async (method: string, path: string, body: unknown) =>
    (await send(method, `/api/v1${path}`, body)).json() as Promise<Record<string, string>>
  const credential = { name: 'Key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: SECRET } }
  const made = await json('POST', '/credentials', credential)
  await json('PUT', `/credentials/${made.id}`, { name: 'Other', plainDataObj: { openAIApiKey: `${SECRET}-2` } })
  const variable = await json('POST', '/variables', { name: 'v', type: 'secret', value: SECRET })
  await json('PUT', `/variables/${variable.id}`, { name: 'w', value: `${SECRET}-2` })
  const plain = await json('POST', '/variables', { name: 'p', value: SECRET })
  await json('PUT', `/variables/${plain.id}`, { type: 'secret' })
  expect(await json('POST', '/variables', { name: 'p', value: SECRET })).toMatchObject({ field: 'name' })
  expect(await json('PUT', `/variables/${plain.id}`, { name: 'w' })).toMatchObject({ field: 'name' })
  const key = await json('POST', '/apikey', { keyName: 'K', permissions: ['chatflows:view'] })
  const served = await json('POST', `/mcp-server/${SEED_ID}`, { toolName: 'tool' })
  const left = await events()
  expect(left.map(({ event, change }) => ({ event, change }))).toEqual([
    { event: 'credential.create', change: { credentialName: [null, 'openAIApi'], hosts: [null, []] } },
    { event: 'credential.update', change: { name: ['Key', 'Other'], plainDataObj: null } },
    { event: 'variable.create', change: { type: [null, 'secret'] } },
    { event: 'variable.update', change: { name: ['v', 'w'], value: null } },
    { event: 'variable.create', change: { type: [null, 'static'] } },
    { event: 'variable.update', change: { type: ['static', 'secret'], value: null } },
    {
      event: 'api-key.create',
      change: { permissions: [null, ['chatflows:view']], flowIds: [null, null], expiresDate: [null, null] },
    },
    { event: 'flow.share', change: { mcp: expect.objectContaining({ enabled: [false, true], token: null }) } },
  ])
  const text = JSON.stringify(left)
  for (const secret of [SECRET, key.apiKey, served.token]) expect(text).not.toContain(secret)
})

it('records what a save changes about who may call a flow', async () => {
  await seedWorkspace(heddle.database, { id: workspaceId, sealed })
  await heddle.database.delete(auditEvents)
  const chatbotConfig = JSON.stringify({ allowedOrigins: ['https://a.example'], title: 'T' })
  await send('PUT', `/api/v1/chatflows/${SEED_ID}`, { callers: 'sites', chatbotConfig })
  await send('PUT', `/api/v1/chatflows/${SEED_ID}`, { callers: 'sites', chatbotConfig })
  const left = await events()
  expect(left).toHaveLength(1)
  expect(left[0]?.change).toEqual({
    callers: ['keys', 'sites'],
    allowedOrigins: [null, ['https://a.example']],
  })
})

it('records who may call a new flow where somebody chose it', async () => {
  await seedWorkspace(heddle.database, { id: workspaceId, sealed })
  await heddle.database.delete(auditEvents)
  const flow = { name: 'New', type: 'AGENTFLOW', flowData: JSON.stringify({ nodes: [], edges: [] }) }
  await send('POST', '/api/v1/chatflows', flow)
  await send('POST', '/api/v1/chatflows', { ...flow, callers: 'keys', isPublic: false })
  expect(await events()).toEqual([])
  const chatbotConfig = JSON.stringify({ allowedOrigins: ['https://a.example'] })
  await send('POST', '/api/v1/chatflows', { ...flow, name: 'Open', callers: 'everyone', chatbotConfig })
  expect(await events()).toMatchObject([
    {
      ...{ event: 'flow.share', targetName: 'Open' },
      change: { callers: [null, 'everyone'], allowedOrigins: [null, ['https://a.example']] },
    },
  ])
})
