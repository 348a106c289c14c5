// @defends route-without-rule
// @defends workspace-rows-id
// @defends site-page-uses
// @defends body-sets-columns
// @defends api-key-reaches
// @defends member-reads-deletes
// @defends token-directory-opens
// @defends api-key-only
// @defends admin-makes-provider
/**
 * Calls every mounted route as everyone who must be rejected, and as those who may. New routes are included
 * automatically.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allPermissions, describePermissions, isKeyPermission } from '#contract/access/index.ts'
import { users, workspaces } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { routes } from '../areas/index.ts'
import { createCipher } from '../ports/cipher.ts'
import type { Route } from './route.ts'
import { addressOf, bodyOf, nameOf } from './testing/calls.ts'
import { clearDirectory, directoryRows, putDirectoryToken, seedDirectory } from './testing/directory.ts'
import { NOT_ON_SEED } from './testing/examples.ts'
import { joinWorkspace, putKey, userOf } from './testing/people.ts'
import { ownedRows, SEED_ID, SEED_MARK, seedWorkspace } from './testing/seed.ts'

/** Routes for everyone. Add one only after considering what it reveals. */
const PUBLIC = [
  'GET /account/basic-auth',
  'GET /account/setup-check',
  'DELETE /webhook/:id',
  'GET /chatflows-streaming/:id',
  'GET /chatflows-uploads/:id',
  'GET /chatflows/apikey/:key',
  'GET /components-credentials-icon/:name',
  'GET /get-upload-file',
  'GET /health',
  'GET /loginmethod/default',
  'GET /metrics',
  'GET /models',
  'GET /models/:id',
  'GET /version',
  'GET /node-icon/:name',
  'GET /oauth2-credential/callback',
  'GET /oauth2-mcp/callback',
  'GET /openapi.json',
  'GET /ping',
  'GET /prediction/:id/:executionId',
  'GET /public-chatbotConfig/:id',
  'GET /public-chatflows/:id',
  'GET /public-executions/:id',
  'GET /ready',
  'GET /settings',
  'GET /sso/:id/callback',
  'GET /sso/:id/start',
  'GET /verify/apikey/:key',
  'GET /webhook/:id',
  'GET /webhook/:id/deliveries/:deliveryId',
  'PATCH /webhook/:id',
  'POST /account/invitation',
  'POST /account/invitation/accept',
  'POST /account/basic-auth',
  'POST /account/email/undo',
  'POST /account/forgot-password',
  'POST /account/logout',
  'POST /account/register',
  'POST /account/resend-verification',
  'POST /account/reset-password',
  'POST /account/verify',
  'POST /auth/login',
  'POST /auth/methods',
  'POST /auth/passkey',
  'POST /auth/passkey/options',
  'POST /auth/refreshToken',
  'POST /auth/second-step',
  'POST /attachments/:id/:chatId',
  'POST /chat/completions',
  'POST /mcp',
  'POST /mcp/:id',
  'POST /feedback',
  'POST /feedback/:id',
  'PUT /feedback/:id',
  'POST /leads',
  'POST /openai-assistants-file/download',
  'POST /prediction/:id',
  'POST /public-executions/:id/answer',
  'POST /text-to-speech/abort',
  'POST /text-to-speech/generate',
  'POST /vector/upsert/:id',
  'POST /webhook/:id',
  'PUT /chatmessage/abort/:id/:chatId',
  'PUT /webhook/:id',
]

/** Also administers the platform. */
const OWNER = 'owner@example.com'
const PASSWORD = 'Correct-horse-9-staple'
const MASTER_KEY = 'the-master-key-of-this-test-is-43-chars-lon'

const guarded = routes.filter((route) => route.access !== 'public')
const isForOrganizationAdmin = ({ access }: Route) => typeof access === 'object' && 'organizationAdminOnly' in access
const isForAdmin = ({ access }: Route) => typeof access === 'object' && 'adminOnly' in access
const isForDirectory = ({ access }: Route) => typeof access === 'object' && 'directoryOnly' in access
const byDirectory = guarded.filter(isForDirectory)
const byPeople = guarded.filter((route) => !isForDirectory(route))
const byOrganizationAdmin = byPeople.filter(isForOrganizationAdmin)
const byPermission = byPeople.filter((route) => typeof route.access === 'object' && 'permission' in route.access)
const byAdmin = guarded.filter(isForAdmin)
const bySession = guarded.filter(({ access }) => access === 'signed-in' || access === 'account')
const cases = (list: Route[]) => list.map((route) => ({ name: nameOf(route), route }))

let heddle: TestHeddle
let owner: TestClient
let member: TestClient
let outsider: TestClient
let workspaceId: string
let sealed: string
let outsidersWorkspaceId: string
let setPermissions: (permissions: string[]) => PromiseLike<unknown>
let organizationId: string
let directoryTokens: { own: string; outsiders: string }

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud', bindings: { MASTER_KEY, PLATFORM_ADMIN_EMAIL: OWNER } })
  owner = await heddle.signUp({ email: OWNER })
  await heddle.database
    .update(users)
    .set({ emailVerifiedDate: '2026-01-01T00:00:00.000Z' })
    .where(eq(users.email, OWNER))
  outsider = await heddle.signUp()
  member = await heddle.signUp()
  workspaceId = (await userOf(owner)).activeWorkspaceId
  outsidersWorkspaceId = (await userOf(outsider)).activeWorkspaceId
  const [row] = await heddle.database.select().from(workspaces).where(eq(workspaces.id, workspaceId))
  sealed = await createCipher(MASTER_KEY).encrypt(row?.wrappedKey ?? '', { apiKey: SEED_MARK })
  setPermissions = (await joinWorkspace(heddle, member, owner)).setPermissions
  organizationId = (await userOf(owner)).activeOrganizationId
  directoryTokens = {
    own: await putDirectoryToken(heddle, owner),
    outsiders: await putDirectoryToken(heddle, outsider),
  }
})
afterAll(() => heddle.close())

/** Sessions end after a quarter of an hour, and proofs of who is there after ten minutes, which the walk may take on a busy machine. */
const RENEW_MS = 5 * 60_000
let renewedAt = Date.now()
beforeEach(async () => {
  if (Date.now() - renewedAt < RENEW_MS) return
  renewedAt = Date.now()
  for (const person of [owner, outsider, member]) {
    await person.fetch('/api/v1/auth/refreshToken', { method: 'POST' })
    await person.fetch('/api/v1/auth/confirm', { method: 'POST', json: { password: PASSWORD } })
  }
})

/** Somebody who is not asked again. */
async function leavingMember(): Promise<TestClient> {
  const person = await heddle.signUp()
  await (await joinWorkspace(heddle, person, owner)).setPermissions([])
  return person
}

const call = (client: TestClient, route: Route, headers: Record<string, string> = {}) =>
  client.fetch(addressOf(route), { method: route.method, json: bodyOf(route), headers })

const callWithKey = (key: string, route: Route) => {
  const body = bodyOf(route)
  return heddle.fetch(addressOf(route), {
    method: route.method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
}

const required = ({ access }: Route) =>
  typeof access === 'object' && 'permission' in access ? access.permission.split(',') : []
/** Permissions that a body with every field filled needs besides that of its route. */
const BESIDE: Record<string, string[]> = {
  'POST /executions/:id/replay': ['agentflows:view', 'agentflows:update', 'chatflows:view', 'chatflows:update'],
}
const enough = (route: Route) => [...required(route), ...(BESIDE[nameOf(route)] ?? [])]
const allBut = (route: Route) => allPermissions.filter((permission) => !required(route).includes(permission))

/** Expects the status, and that no row of the workspace changed. */
async function expectRefusal(status: number, send: () => Promise<Response>): Promise<Response> {
  await seedWorkspace(heddle.database, { id: workspaceId, sealed })
  return expectUnchanged(status, send)
}

async function expectUnchanged(status: number, send: () => Promise<Response>): Promise<Response> {
  const before = await ownedRows(heddle.database, workspaceId)
  const response = await send()
  expect(response.status).toBe(status)
  expect(await ownedRows(heddle.database, workspaceId)).toBe(before)
  return response
}

/** Expects that a response to another workspace reveals nothing and changes nothing. */
async function expectBlind(send: () => Promise<Response>): Promise<void> {
  const before = await ownedRows(heddle.database, workspaceId)
  const response = await send()
  expect(await response.text()).not.toContain(SEED_MARK)
  expect(response.status).toBeLessThan(500)
  expect(await ownedRows(heddle.database, workspaceId)).toBe(before)
}

it('lists every public route', () => {
  const found = routes.filter((route) => route.access === 'public').map(nameOf)
  expect(found.filter((name) => !PUBLIC.includes(name))).toEqual([])
})

it('requires only permissions that exist', () => {
  const unknown = byPermission.flatMap(required).filter((permission) => !allPermissions.includes(permission))
  expect(unknown).toEqual([])
})

describe.each(cases(guarded))('$name, called without an identity,', ({ route }) => {
  it('refuses nobody', async () => {
    const response = await expectRefusal(401, () => call(heddle.newClient(), route))
    const message = 'Invalid or Missing token'
    expect(await response.json()).toMatchObject(
      isForDirectory(route) ? { status: '401', detail: message } : { message, success: false, statusCode: 401 },
    )
  })

  it('rejects an API key that does not exist', async () => {
    await expectRefusal(401, () => call(owner, route, { authorization: 'Bearer nonsense' }))
    await expectRefusal(401, () => call(owner, route, { authorization: 'Basic b3duZXI6b3duZXI=' }))
  })
})

describe.each(cases(byPeople))('$name, called with a directory’s token,', ({ route }) => {
  it('knows no such key', async () => {
    await expectRefusal(401, () => callWithKey(directoryTokens.own, route))
  })
})

describe.each(cases(byPeople))('$name, called by the owner or an outsider,', ({ route }) => {
  it('succeeds for the owner', async () => {
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    const response = await call(owner, route)
    const answer = `${response.status} ${await response.text()}`
    const known = NOT_ON_SEED[nameOf(route)]
    if (known) expect(response.status, answer).toBe(known.status)
    else expect(response.ok, answer).toBe(true)
  })

  it('returns not found to an outsider instead of a bad request', async () => {
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    const { status } = await call(outsider, route)
    expect(status === 400 && !(nameOf(route) in NOT_ON_SEED)).toBe(false)
  })
})

describe.each(cases(byPeople.filter((route) => route.method !== 'GET')))(
  '$name, called with a session,',
  ({ route }) => {
    it('rejects a page of another site', async () => {
      await expectRefusal(403, () => call(owner, route, { origin: 'https://evil.example' }))
      await expectRefusal(403, () => call(owner, route, { origin: 'null' }))
    })

    it('rejects a session without its XSRF token', async () => {
      await expectRefusal(403, () => call(owner, route, { 'x-xsrf-token': 'guessed' }))
      const foreign = outsider.cookies.get('XSRF-TOKEN') as string
      const withForeign = { ...Object.fromEntries(owner.cookies), 'XSRF-TOKEN': foreign }
      const cookie = Object.entries(withForeign).map(([name, value]) => `${name}=${value}`)
      await expectRefusal(403, () => call(owner, route, { 'x-xsrf-token': foreign, cookie: cookie.join('; ') }))
    })

    it('rejects a session without an Origin header', async () => {
      const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, 'x-xsrf-token': owner.cookies.get('XSRF-TOKEN') as string }
      await expectRefusal(403, () => heddle.fetch(addressOf(route), { method: route.method, headers }))
    })
  },
)

describe.each(cases(byPermission))('$name, which needs a permission,', ({ route }) => {
  it('rejects a member with all other permissions', async () => {
    await setPermissions(allBut(route))
    const response = await expectRefusal(403, () => call(member, route))
    expect(await response.json()).toMatchObject({
      success: false,
      message: expect.stringContaining(describePermissions(required(route).join(','))),
    })
  })

  it('rejects an API key with all other permissions', async () => {
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    const key = await putKey(heddle, { workspaceId, permissions: allBut(route) })
    await expectUnchanged(403, () => callWithKey(key, route))
  })

  it('accepts a member with the permission', async () => {
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    await setPermissions(enough(route))
    const response = await call(member, route)
    await response.text()
    expect([401, 403]).not.toContain(response.status)
    expect(response.status).toBeLessThan(500)
  })

  it('accepts an API key with the permission, without cookie or XSRF token, unless it is for people', async () => {
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    const key = await putKey(heddle, { workspaceId, permissions: enough(route) })
    const response = await callWithKey(key, route)
    await response.text()
    if (required(route).some(isKeyPermission)) expect([401, 403]).not.toContain(response.status)
    else expect(response.status).toBe(403)
  })
})

describe.each(cases([...byPermission, ...byOrganizationAdmin]))(
  '$name, called from another workspace,',
  ({ route }) => {
    it('reveals nothing to the admin and the keys of another workspace', async () => {
      await seedWorkspace(heddle.database, { id: workspaceId, sealed })
      await expectBlind(() => call(outsider, route))
      const key = await putKey(heddle, { workspaceId: outsidersWorkspaceId, permissions: [...allPermissions] })
      await expectBlind(() => callWithKey(key, route))
    })

    it('ignores a workspace id from the caller', async () => {
      await seedWorkspace(heddle.database, { id: workspaceId, sealed })
      const json = { ...bodyOf(route), workspaceId, id: SEED_ID }
      await expectBlind(() =>
        outsider.fetch(`${addressOf(route)}?workspaceId=${workspaceId}`, {
          method: route.method,
          headers: { 'x-workspace-id': workspaceId },
          ...(route.method === 'GET' ? {} : { json }),
        }),
      )
    })
  },
)

describe.each(cases(byOrganizationAdmin))('$name, which is for admins of the organization,', ({ route }) => {
  it('rejects members with all permissions and API keys', async () => {
    await setPermissions([...allPermissions])
    const response = await expectRefusal(403, () => call(member, route))
    expect(await response.json()).toMatchObject({ message: expect.stringContaining('Only admins') })
    const key = await putKey(heddle, { workspaceId, permissions: [...allPermissions] })
    await expectUnchanged(403, () => callWithKey(key, route))
  })
})

describe.each(cases(byDirectory))('$name, which is for directories,', ({ route }) => {
  beforeEach(() => seedDirectory(heddle, organizationId))
  afterAll(() => clearDirectory(heddle))
  const atRoot = () => addressOf(route).replace('/api/v1', '')
  const send = (headers: Record<string, string>, path = atRoot()) => {
    const body = bodyOf(route)
    return heddle.fetch(path, {
      method: route.method,
      headers: { ...headers, ...(body && { 'content-type': 'application/scim+json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const expectUntouched = async (status: number, ask: () => Promise<Response>) => {
    const before = await directoryRows(heddle, organizationId)
    const response = await ask()
    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain(SEED_MARK)
    expect(await directoryRows(heddle, organizationId)).toBe(before)
  }

  it('succeeds with the organization’s token, at the root and below /api/v1', async () => {
    for (const path of [atRoot(), addressOf(route)]) {
      await seedDirectory(heddle, organizationId)
      const response = await send(bearer(directoryTokens.own), path)
      expect(response.ok, await response.text()).toBe(true)
    }
  })

  it('refuses sessions, API keys and requests without a token', async () => {
    const key = await putKey(heddle, { workspaceId, permissions: [...allPermissions] })
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const session = { cookie, origin: heddle.url, 'x-xsrf-token': owner.cookies.get('XSRF-TOKEN') as string }
    for (const headers of [session, bearer(key), {}, { authorization: `Basic ${directoryTokens.own}` }]) {
      await expectUntouched(401, () => send(headers))
    }
  })

  it('shows and changes nothing of another organization', async () => {
    const isFound = route.path.includes('/Users/:id') || route.path.includes('/Groups/:id')
    const before = await directoryRows(heddle, organizationId)
    const response = await send(bearer(directoryTokens.outsiders))
    expect(await response.text()).not.toContain(SEED_MARK)
    if (isFound) expect(response.status).toBe(404)
    expect(await directoryRows(heddle, organizationId)).toBe(before)
  })
})

describe.each(cases(byAdmin))('$name, which is for the platform admin,', ({ route }) => {
  it('rejects members with all permissions, admins of organizations and API keys', async () => {
    await setPermissions([...allPermissions])
    await expectRefusal(403, () => call(member, route))
    await expectRefusal(403, () => call(outsider, route))
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    const key = await putKey(heddle, { workspaceId, permissions: [...allPermissions] })
    await expectUnchanged(403, () => callWithKey(key, route))
  })
})

describe.each(cases(bySession))('$name, which needs a session,', ({ route }) => {
  it('rejects API keys', async () => {
    await seedWorkspace(heddle.database, { id: workspaceId, sealed })
    const key = await putKey(heddle, { workspaceId, permissions: [...allPermissions] })
    await expectUnchanged(403, () => callWithKey(key, route))
  })

  it('accepts a signed-in user', async () => {
    await setPermissions([])
    const person = nameOf(route) === 'POST /account/leave' ? await leavingMember() : member
    expect([401, 403]).not.toContain((await call(person, route)).status)
  })
})
