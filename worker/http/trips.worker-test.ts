// @defends stale-guess
/** How often a call asks the database, how many of these requests wait for each other, and what a wrong guess at the caller reveals. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allPermissions } from '#contract/access/index.ts'
import { WORKSPACE_HEADER } from '#contract/organization/workspace-header.ts'
import { apikeys, scimTokens, sessions, variables } from '#db/schema/index.ts'
import { type DatabaseProxy, startDatabaseProxy, type Trips } from '#worker/local/testing/database-proxy.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../e2e/support/flows.ts'
import { routes } from '../areas/index.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'
import type { Route } from './route.ts'
import { addressOf, nameOf } from './testing/calls.ts'
import { putDirectoryToken, seedDirectory } from './testing/directory.ts'
import { joinWorkspace, putKey, userOf } from './testing/people.ts'
import { SEED_ID, SEED_MARK, seedWorkspace } from './testing/seed.ts'

const PASSWORD = 'Correct-horse-9-staple'

let proxy: DatabaseProxy
let scene: Scene
let bob: TestClient
let workspaceId: string
let elsewhereId: string
let setPermissions: (permissions: string[]) => PromiseLike<unknown>

beforeAll(async () => {
  proxy = await startDatabaseProxy()
  scene = await openScene({ databaseProxy: proxy })
  bob = await scene.heddle.signUp()
  workspaceId = (await userOf(scene.ann)).activeWorkspaceId
  elsewhereId = (await userOf(bob)).activeWorkspaceId
  setPermissions = (await joinWorkspace(scene.heddle, bob, scene.ann)).setPermissions
  await seedWorkspace(scene.heddle.database, { id: workspaceId, sealed: '' })
})
afterAll(async () => {
  await scene.close()
  await proxy.close()
})

const newKey = () => putKey(scene.heddle, { workspaceId, permissions: [...allPermissions] })

const getWithKey = (key: string, path: string) =>
  scene.heddle.fetch(path, { headers: { authorization: `Bearer ${key}` } })

async function tripsOf(send: () => Promise<Response>): Promise<Trips & { status: number }> {
  const counted = proxy.countTrips()
  const response = await send()
  await response.arrayBuffer()
  return { ...counted(), status: response.status }
}

const reads = routes.filter(({ method, access }) => method === 'GET' && access !== 'public')
const isForDirectories = ({ access }: Route) => typeof access === 'object' && 'directoryOnly' in access

/** Reads of more than one trip, and why. */
const ofFlow = { trips: 2, because: 'The flow is read first: its type decides who may see the rest' }
const MORE: Record<string, { trips: number; because: string }> = {
  'GET /chatflows/:id/versions': ofFlow,
  'GET /chatflows/:id/versions/:version': ofFlow,
  'GET /chatflows/:id/sources': ofFlow,
  'GET /chatflows/:id/versions/:version/sources': ofFlow,
  'GET /chatflows/:id/schedule/status': ofFlow,
  'GET /chatflows/:id/schedule/trigger-logs': ofFlow,
  'GET /chatmessage/:id': ofFlow,
  'GET /chatmessage/:id/sessions': ofFlow,
  'GET /internal-chatmessage/:id': ofFlow,
  'GET /feedback/:id': ofFlow,
  'GET /leads/:id': ofFlow,
  'GET /stats/:id': ofFlow,
  'GET /upsert-history/:id': ofFlow,
  'GET /vector/internal-upsert/:id': ofFlow,
  'GET /validation/:id': { trips: 2, because: 'The flow says which assets are checked' },
  'GET /audit-log/export': { trips: 2, because: 'Files are read in pieces, after who asks is known' },
  'GET /login-activity/export': { trips: 2, because: 'Files are read in pieces, after who asks is known' },
  'GET /internal-prediction/:id/:executionId': { trips: 2, because: 'The run that it follows is read before its rows' },
  'GET /scim-tokens': { trips: 2, because: 'The tokens say whose rights are read' },
}
const allowedTo = (route: Route, status: number) =>
  // What is refused is recorded behind the answer.
  (MORE[nameOf(route)]?.trips ?? 1) + (status < 400 ? 0 : 1)

describe('one trip reads the caller and the page', () => {
  it.each(reads.filter((route) => !isForDirectories(route)).map((route) => ({ name: nameOf(route), route })))(
    'in $name, with a session',
    async ({ route }) => {
      const { status, inSequence } = await tripsOf(() => scene.ann.fetch(addressOf(route)))
      expect(inSequence).toBeLessThanOrEqual(allowedTo(route, status))
    },
  )

  it.each(reads.filter(isForDirectories).map((route) => ({ name: nameOf(route), route })))(
    'three trips read a token, whoever made it beside the answer, and its members, in $name',
    async ({ route }) => {
      const token = await putDirectoryToken(scene.heddle, scene.ann)
      await seedDirectory(scene.heddle, (await userOf(scene.ann)).activeOrganizationId)
      // The first use in an hour is noted.
      await scene.heddle.database.update(scimTokens).set({ lastUsedDate: '9999' })
      // Two requests that are sent together are on their way together.
      proxy.setDistance(20)
      const { status, inSequence } = await tripsOf(() => getWithKey(token, addressOf(route)))
      proxy.setDistance(0)
      expect(status).toBe(200)
      expect(inSequence).toBeLessThanOrEqual(3)
    },
  )

  it('with a key that this isolate has seen', async () => {
    const key = await newKey()
    const send = () => getWithKey(key, '/api/v1/variables')
    expect(await tripsOf(send)).toMatchObject({ inSequence: 2, status: 200 })
    expect(await tripsOf(send)).toEqual({ total: 1, inSequence: 1, status: 200 })
  })

  it('a change of a member is five trips, of which one writes', async () => {
    const { id } = await userOf(bob)
    const change = (isDisabled: boolean) => () =>
      scene.ann.fetch(`/api/v1/users/${id}/${isDisabled ? 'disable' : 'enable'}`, { method: 'POST' })
    expect(await tripsOf(change(true))).toMatchObject({ total: 5, inSequence: 5, status: 200 })
    expect(await tripsOf(change(false))).toMatchObject({ total: 5, inSequence: 5, status: 200 })
  })

  it('two of them delete a flow', async () => {
    const id = await scene.save({ nodes: [], edges: [] } as never)
    const send = () => scene.ann.fetch(`/api/v1/chatflows/${id}`, { method: 'DELETE' })
    expect(await tripsOf(send)).toMatchObject({ inSequence: 2, status: 200 })
  })
})

describe('a warm prediction', () => {
  let flowId: string
  let calls: Record<string, () => Promise<Response>>
  beforeAll(async () => {
    flowId = await scene.save(chain(start(), directReply('Well')))
    const key = await newKey()
    calls = {
      'a session': () => post(scene.ann, `/internal-prediction/${flowId}`),
      'a key': () => post(withKey(key), `/internal-prediction/${flowId}`),
      'a key, as a public call': () => post(withKey(key), `/prediction/${flowId}`),
      'a session, as a public call': () => post(scene.ann, `/prediction/${flowId}`),
      'no identity': () => post(scene.heddle.newClient(), `/prediction/${flowId}`),
    }
  })
  const post = (client: Pick<TestClient, 'fetch'>, path: string) =>
    client.fetch(`/api/v1${path}`, { method: 'POST', json: { question: 'Hello?' } })
  const withKey = (key: string): Pick<TestClient, 'fetch'> => ({
    fetch: (path, { json } = {}) =>
      scene.heddle.fetch(path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(json),
      }),
  })

  it.each(['a session', 'a key', 'a key, as a public call', 'a session, as a public call', 'no identity'])(
    'is two trips with %s',
    async (name) => {
      const call = calls[name] as () => Promise<Response>
      await tripsOf(call)
      expect(await tripsOf(call)).toEqual({ total: 2, inSequence: 2, status: 200 })
    },
  )

  it('reads nothing of another workspace for a key that has been moved', async () => {
    const key = await newKey()
    const call = () => post(withKey(key), `/internal-prediction/${flowId}`)
    expect((await call()).status).toBe(200)
    await scene.heddle.database
      .update(apikeys)
      .set({ workspaceId: elsewhereId })
      .where(eq(apikeys.keyHint, key.slice(-4)))
    expect((await call()).status).toBe(404)
  })
})

describe('signing in', () => {
  const signIn = (client: TestClient, password: string, email: string) =>
    client.fetch('/api/v1/auth/login', { method: 'POST', json: { email, password } })

  it.each([
    ['with the right password', PASSWORD, 200],
    ['with a wrong one', 'Wrong-horse-9-staple', 401],
  ])('%s is three trips', async (_, password, status) => {
    const { email } = await userOf(scene.ann)
    const client = scene.heddle.newClient()
    expect(await tripsOf(() => signIn(client, password, email))).toEqual({ total: 3, inSequence: 3, status })
  })

  it('again in the same browser is three trips', async () => {
    const { email } = await userOf(scene.ann)
    const client = scene.heddle.newClient()
    await signIn(client, PASSWORD, email)
    expect(await tripsOf(() => signIn(client, PASSWORD, email))).toEqual({ total: 3, inSequence: 3, status: 200 })
    expect(await tripsOf(() => client.fetch('/api/v1/variables'))).toEqual({ total: 1, inSequence: 1, status: 200 })
  })
})

/** Makes the isolate remember Bob as somebody who may see variables. */
async function seeVariables(): Promise<void> {
  await setPermissions(['variables:view', 'variables:delete'])
  await bob.fetch('/api/v1/auth/me')
  expect(await tripsOf(() => bob.fetch('/api/v1/variables'))).toEqual({ total: 1, inSequence: 1, status: 200 })
}

async function expectNoRow(status: number, send: () => Promise<Response>): Promise<void> {
  const response = await send()
  expect(response.status).toBe(status)
  expect(await response.text()).not.toContain(SEED_MARK)
}

describe('a guess at who calls reveals nothing when it is wrong', () => {
  it('to somebody who names a workspace that their session does not show', async () => {
    await seeVariables()
    const naming = (id: string) => () => bob.fetch('/api/v1/variables', { headers: { [WORKSPACE_HEADER]: id } })
    await expectNoRow(409, naming(elsewhereId))
    await expectNoRow(409, naming(crypto.randomUUID()))
  })

  it('to somebody whose permission was taken', async () => {
    await seeVariables()
    await setPermissions(['tools:view'])
    await expectNoRow(403, () => bob.fetch('/api/v1/variables'))
  })

  it('to somebody whose session shows another workspace now', async () => {
    await seeVariables()
    const { id } = await userOf(bob)
    const show = (activeWorkspaceId: string) =>
      scene.heddle.database.update(sessions).set({ activeWorkspaceId }).where(eq(sessions.userId, id))
    await show(elsewhereId)
    await expectNoRow(200, () => bob.fetch('/api/v1/variables'))
    await show(workspaceId)
    await expectNoRow(409, () => bob.fetch('/api/v1/variables', { headers: { [WORKSPACE_HEADER]: elsewhereId } }))
    expect(await (await bob.fetch('/api/v1/variables')).text()).toContain(SEED_MARK)
  })

  it('to a key that is gone, has another permission, or opens another workspace', async () => {
    const change = (key: string, set: Partial<typeof apikeys.$inferInsert>) =>
      scene.heddle.database
        .update(apikeys)
        .set(set)
        .where(eq(apikeys.keyHint, key.slice(-4)))
    const list = (key: string) => () => getWithKey(key, '/api/v1/variables')
    const seen = async () => {
      const key = await newKey()
      expect(await (await list(key)()).text()).toContain(SEED_MARK)
      return key
    }
    const [weak, moved, gone] = [await seen(), await seen(), await seen()]
    await change(weak, { permissions: ['tools:view'] })
    await expectNoRow(403, list(weak))
    await change(moved, { workspaceId: elsewhereId })
    await expectNoRow(200, list(moved))
    await scene.heddle.database.delete(apikeys).where(eq(apikeys.keyHint, gone.slice(-4)))
    await expectNoRow(401, list(gone))
  })

  it('and changes nothing', async () => {
    await seeVariables()
    await setPermissions(['variables:view'])
    const remove = () => bob.fetch(`/api/v1/variables/${SEED_ID}`, { method: 'DELETE' })
    await expectNoRow(403, remove)
    await seeVariables()
    const { id } = await userOf(bob)
    await scene.heddle.database
      .update(sessions)
      .set({ revokedDate: '2026-01-01T00:00:00.000Z' })
      .where(eq(sessions.userId, id))
    await expectNoRow(401, remove)
    await expectNoRow(401, () => bob.fetch('/api/v1/variables'))
    expect(await scene.heddle.database.select().from(variables)).toHaveLength(1)
  })
})
