/** The other organization of the walk, and everybody who calls with its ids. */
import { inArray } from 'drizzle-orm'
import { allPermissions } from '#contract/access/index.ts'
import type { BuiltInRole } from '#contract/access/roles.ts'
import {
  apikeys,
  chatflows,
  organizationMembers,
  roles,
  sessions,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import type { TestClient, TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { createCipher } from '../../ports/cipher.ts'
import type { Route } from '../route.ts'
import { nameOf } from './calls.ts'
import { putDirectoryToken } from './directory.ts'
import { idOf, kinds } from './kinds.ts'
import { openLimited, putKey, putPerson, userOf } from './people.ts'
import { organizationRows, SEED_MARK, seedOrganization } from './seed.ts'

const ADMIN = { email: 'owner@example.com', password: 'Correct-horse-9-staple' }
const MASTER_KEY = 'the-master-key-of-this-test-is-43-chars-lon'
/** The options of an installation for the walk. */
export const OF_WALK = {
  clientAddressHeader: 'x-client-address',
  bindings: { MASTER_KEY, PLATFORM_ADMIN_EMAIL: ADMIN.email },
}
/** Part of every text of the other organization itself, which its own members see. */
const ORGANIZATION_MARK = 'belongs-to-an-organization'
const DATE = '2026-01-01T00:00:00.000Z'

export interface Walker {
  name: string
  /** `everywhere`: in every type of installation. */
  tier: 'everywhere' | 'cloud'
  /** Texts that it may not see. */
  blindTo: string[]
  isSession: boolean
  /** Whether it might have a right to change something of the other organization with the route. */
  mayChange(route: Route): boolean
  /** False for routes that `route-walk.worker-test.ts` sees refuse it before anything is read. */
  reaches(route: Route): boolean
  /** Returns a browser for one call, which changes the session of no other. */
  client(): Pick<TestClient, 'fetch'>
}

export interface Walk {
  walkers: Walker[]
  /** A browser of the other organization's admin. */
  own: TestClient
  /** Headers of an address that nobody else has, so that limits by address refuse no call. */
  address(): Record<string, string>
  /** Keeps sessions open, and proofs of who is there fresh. */
  renewSessions(): Promise<void>
  /** Returns the tables whose rows of the other organization have changed since it was last asked. */
  changedTables(): Promise<string[]>
  /** Returns the tables of which the other organization had no row at first. */
  emptyTables: string[]
}

const isPublic = ({ access }: Route) => access === 'public'
const isNamed = ({ access }: Route) => typeof access === 'string'
const isFor = (rule: string, { access }: Route) => typeof access === 'object' && rule in access
export const isForPeople = (route: Route) => !isFor('directoryOnly', route)

/** Opens the sessions of everybody, and puts in the other organization, with its own people. */
export async function openWalk(heddle: TestHeddle): Promise<Walk> {
  const { database } = heddle
  const admin = await heddle.signUp(ADMIN)
  await database.update(users).set({ emailVerifiedDate: DATE })
  const of = await userOf(admin)
  await putOrganization(heddle)
  const limited = await openLimited(heddle, of, { organizationIds: [idOf('organizations')], password: ADMIN.password })
  const workspaceId = idOf('workspaces')
  const join = (place: Place) => joinOrganization(heddle, { of, place })
  const elsewhere = await join({ workspaceId: await putWorkspace(heddle), builtIn: 'workspace-admin' })
  const viewer = await join({ workspaceId, builtIn: 'viewer' })
  const { client: own } = await join({ workspaceId, isAdmin: true })
  const key = await putKey(heddle, { workspaceId: of.activeWorkspaceId, permissions: [...allPermissions] })
  const weakKey = await putKey(heddle, { workspaceId, permissions: ['templates:marketplace'] })
  // Its use is written once an hour.
  await database.update(apikeys).set({ lastUsedDate: '9999-01-01T00:00:00.000Z' })
  const token = await putDirectoryToken(heddle, admin)
  const walkers = walkersOf(heddle, {
    admin,
    limited,
    elsewhere: elsewhere.client,
    viewer: viewer.client,
    key,
    weakKey,
    token,
  })
  const read = () =>
    organizationRows(database, {
      ...{ workspaceId, ids: new Set(kinds.map(idOf)) },
      actorIds: new Set([elsewhere.id, viewer.id]),
    })
  let before = await read()
  let renewedAt = Date.now()
  let addresses = 0
  return {
    walkers,
    own,
    address: () => ({ 'x-client-address': `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses++ & 255}` }),
    emptyTables: [...before].filter(([, rows]) => rows === '[]').map(([table]) => table),
    async changedTables() {
      const after = await read()
      const changed = [...after].filter(([table, rows]) => rows !== before.get(table)).map(([table]) => table)
      before = after
      return changed
    },
    async renewSessions() {
      if (Date.now() - renewedAt < 5 * 60_000) return
      renewedAt = Date.now()
      const confirmedDate = new Date().toISOString()
      for (const client of [admin, limited, elsewhere.client, viewer.client]) {
        const { id } = await userOf(client)
        await client.fetch('/api/v1/auth/refreshToken', { method: 'POST' })
        await database
          .update(sessions)
          .set({ confirmedDate })
          .where(inArray(sessions.userId, [id]))
      }
    },
  }
}

interface Callers {
  admin: TestClient
  limited: TestClient
  elsewhere: TestClient
  viewer: TestClient
  key: string
  weakKey: string
  token: string
}

function walkersOf(heddle: TestHeddle, { admin, limited, elsewhere, viewer, key, weakKey, token }: Callers): Walker[] {
  const { newClient } = heddle
  const copyOf = (client: TestClient) => () => {
    const copy = newClient()
    for (const [name, value] of client.cookies) copy.cookies.set(name, value)
    return copy
  }
  const bearing = (bearer: string) => () => withBearer(heddle, bearer)

  const strange = { blindTo: [SEED_MARK, ORGANIZATION_MARK], mayChange: () => false, isSession: false }
  const everywhere = { ...strange, tier: 'everywhere' } as const
  const person = { ...everywhere, isSession: true, reaches: isForPeople }
  const inCloud = { ...strange, tier: 'cloud' } as const
  const weak = { ...inCloud, blindTo: [], mayChange: () => true }
  const leaves = (route: Route) => nameOf(route) === 'POST /account/leave'
  return [
    { ...everywhere, name: 'stranger', reaches: isPublic, client: newClient },
    { ...person, name: 'admin', client: copyOf(admin) },
    { ...person, name: 'limited', client: copyOf(limited) },
    {
      ...inCloud,
      name: 'key',
      reaches: (route) => isPublic(route) || isFor('permission', route),
      client: bearing(key),
    },
    {
      ...inCloud,
      name: 'directory',
      reaches: (route) => isPublic(route) || !isForPeople(route),
      client: bearing(token),
    },
    {
      ...{ ...person, name: 'member elsewhere', tier: 'cloud', blindTo: [SEED_MARK], mayChange: leaves },
      client: copyOf(elsewhere),
    },
    {
      ...{ ...weak, name: 'viewer', isSession: true, reaches: (route) => isPublic(route) || isNamed(route) },
      client: copyOf(viewer),
    },
    { ...weak, name: 'weak key', reaches: isPublic, client: bearing(weakKey) },
  ]
}

/** Puts in an organization whose rows all have ids of their own, with flows that answer. */
async function putOrganization({ database }: TestHeddle): Promise<void> {
  const cipher = createCipher(MASTER_KEY)
  const wrappedKey = await cipher.createWorkspaceKey()
  const sealed = await cipher.encrypt(wrappedKey, { openAIApiKey: SEED_MARK })
  const id = idOf('workspaces')
  await seedOrganization(database, { id, sealed, idOf, organizationMark: ORGANIZATION_MARK })
  await database
    .update(workspaces)
    .set({ wrappedKey })
    .where(inArray(workspaces.id, [id]))
  const flowData = JSON.stringify(chain(start(), directReply(`${SEED_MARK} {{question}}`)))
  await database.update(chatflows).set({ flowData, type: 'AGENTFLOW', callers: 'keys' })
}

/** Puts another workspace into that organization. */
async function putWorkspace({ database }: TestHeddle): Promise<string> {
  const wrappedKey = await createCipher(MASTER_KEY).createWorkspaceKey()
  const workspace = { id: crypto.randomUUID(), organizationId: idOf('organizations'), name: 'Elsewhere' }
  await database.insert(workspaces).values({ ...workspace, wrappedKey, createdDate: DATE })
  return workspace.id
}

interface Place {
  workspaceId: string
  builtIn?: BuiltInRole
  isAdmin?: boolean
}

/** Makes somebody a member of the other organization, and signs them in. */
async function joinOrganization(
  heddle: TestHeddle,
  { of, place }: { of: Awaited<ReturnType<typeof userOf>>; place: Place },
) {
  const { database } = heddle
  const { workspaceId, builtIn, isAdmin = false } = place
  const organizationId = idOf('organizations')
  const name = builtIn ?? 'admin'
  const person = { of, password: ADMIN.password, name, email: `${name}@example.com`, activeWorkspaceId: workspaceId }
  const { id, signIn } = await putPerson(heddle, person)
  await database.insert(organizationMembers).values({ organizationId, userId: id, isAdmin, createdDate: DATE })
  if (builtIn) {
    const role = { id: crypto.randomUUID(), organizationId, name, builtIn, permissions: [], createdDate: DATE }
    await database.insert(roles).values(role)
    await database.insert(workspaceMembers).values({ workspaceId, userId: id, roleId: role.id })
  }
  return { id, client: await signIn() }
}

/** Returns a program that sends a key or a token. */
function withBearer({ fetch }: TestHeddle, bearer: string): Pick<TestClient, 'fetch'> {
  return {
    fetch(path, { json, headers, ...init } = {}) {
      const sent = new Headers(headers)
      sent.set('authorization', `Bearer ${bearer}`)
      if (json !== undefined) sent.set('content-type', 'application/json')
      return fetch(path, { ...init, headers: sent, ...(json === undefined ? {} : { body: JSON.stringify(json) }) })
    },
  }
}
