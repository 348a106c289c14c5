// @defends tab-works-workspace
// @defends gives-role-workspace
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BUILT_IN_ROLES } from '#contract/access/index.ts'
import type { SessionUser } from '#contract/account/account.ts'
import type { Workspace, WorkspaceList, WorkspaceUsers } from '#contract/organization/workspaces.ts'
import {
  auditEvents,
  organizationMembers,
  roles,
  sessions,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

import { joinWorkspace, userOf } from '../../http/testing/people.ts'

let heddle: TestHeddle
let owner: TestClient
let outsider: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  owner = await heddle.signUp()
  outsider = await heddle.signUp()
})
afterAll(() => heddle.close())

async function call<T>(
  client: TestClient,
  method: string,
  path: string,
  json?: unknown,
): Promise<{ status: number; body: T }> {
  const response = await client.fetch(`/api/v1${path}`, { method, json })
  const text = await response.text()
  return { status: response.status, body: (text ? JSON.parse(text) : undefined) as T }
}

let number = 0
const uniqueName = () => `Loom ${++number}`
const create = async (client: TestClient, name = uniqueName()) =>
  (await call<Workspace>(client, 'POST', '/workspaces', { name })).body
const list = async (client: TestClient) => (await call<WorkspaceList>(client, 'GET', '/workspaces')).body
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const eventsOf = (targetId: string) =>
  heddle.database.select().from(auditEvents).where(eq(auditEvents.targetId, targetId))

/** A new person in the owner's workspace, with these permissions there and in the organization. */
async function memberWith(...permissions: string[]) {
  const client = await heddle.signUp()
  const { setPermissions } = await joinWorkspace(heddle, client, owner)
  await setPermissions(permissions)
  return { client, user: await userOf(client) }
}

async function builtInRole(builtIn: (typeof BUILT_IN_ROLES)[number]): Promise<string> {
  const { activeOrganizationId } = await userOf(owner)
  const all = await heddle.database.select().from(roles).where(eq(roles.organizationId, activeOrganizationId))
  return all.find((role) => role.builtIn === builtIn)?.id as string
}

describe('workspaces', () => {
  it('are created with a key of their own, renamed once, and each change leaves its event', async () => {
    const made = await create(owner, ' North ')
    expect(made).toEqual({ id: made.id, name: 'North', users: 0, createdDate: made.createdDate, restorableUntil: null })
    const [row] = await heddle.database.select().from(workspaces).where(eq(workspaces.id, made.id))
    const [first] = await heddle.database.select().from(workspaces)
    expect(row?.wrappedKey).not.toBe(first?.wrappedKey)
    expect((await call(owner, 'PUT', `/workspaces/${made.id}`, { name: 'South' })).body).toMatchObject({
      name: 'South',
    })
    await call(owner, 'PUT', `/workspaces/${made.id}`, { name: 'South' })
    expect((await eventsOf(made.id)).map(({ event }) => event).sort()).toEqual(['workspace.create', 'workspace.update'])
    expect(idsOf((await list(owner)).workspaces)).toContain(made.id)
  })

  it('have names that differ, of 1 to 60 characters', async () => {
    const { id, name } = await create(owner)
    for (const body of [{ name: name.toUpperCase() }, { name: ' ' }, { name: 'x'.repeat(61) }, {}, { name: 'a', id }]) {
      const refused = await call(owner, 'POST', '/workspaces', body)
      expect(refused.status).toBe(400)
    }
    const other = await create(owner)
    expect((await call(owner, 'PUT', `/workspaces/${other.id}`, { name })).body).toMatchObject({ field: 'name' })
  })

  it('are seen by their people and by those who may delete them', async () => {
    const made = await create(owner)
    const viewer = await memberWith('workspace:view')
    const deleter = await memberWith('workspace:view', 'workspace:delete')
    expect(idsOf((await list(viewer.client)).workspaces)).toEqual([viewer.user.activeWorkspaceId])
    expect(idsOf((await list(deleter.client)).workspaces)).toContain(made.id)
    expect(idsOf((await list(outsider)).workspaces)).not.toContain(made.id)
  })

  it('workspaces of another organization, or that one may not see, do not exist', async () => {
    const made = await create(owner)
    const editor = await memberWith('workspace:view', 'workspace:update')
    for (const client of [outsider, editor.client]) {
      for (const [method, path, json] of [
        ['PUT', '', { name: 'Mine' }],
        ['POST', '/switch', {}],
        ['GET', '/users', undefined],
        ['POST', '/users', { email: 'a@example.com', roleId: 'r' }],
        ['PUT', '/users/x', { roleId: 'r' }],
        ['DELETE', '/users/x', undefined],
      ] as const) {
        const { status } = await call(client, method, `/workspaces/${made.id}${path}`, json)
        expect([method, path, status]).toEqual([method, path, 404])
      }
    }
    expect((await call(outsider, 'DELETE', `/workspaces/${made.id}`, { name: made.name })).status).toBe(404)
    expect((await call(outsider, 'POST', `/workspaces/${made.id}/restore`)).status).toBe(404)
    expect(await eventsOf(made.id)).toHaveLength(1)
  })

  it('make whoever creates one without being an admin its Workspace Admin', async () => {
    const { client, user } = await memberWith('workspace:create', 'workspace:view')
    const made = await create(client)
    const [membership] = await heddle.database
      .select()
      .from(workspaceMembers)
      .where(eq(workspaceMembers.workspaceId, made.id))
    expect(membership).toEqual({ workspaceId: made.id, userId: user.id, roleId: await builtInRole('workspace-admin') })
    expect((await call<SessionUser>(client, 'POST', `/workspaces/${made.id}/switch`)).body).toMatchObject({
      activeWorkspaceId: made.id,
      role: 'Workspace Admin',
    })
  })
})

describe('switching', () => {
  it('changes the session and where the next one begins, and a page of the old workspace gets 409', async () => {
    const { id, name } = await create(owner)
    const before = await userOf(owner)
    expect((await call(owner, 'POST', `/workspaces/${id}/switch`)).body).toMatchObject({ activeWorkspaceId: id })
    expect((await userOf(owner)).activeWorkspaceId).toBe(id)
    const [row] = await heddle.database.select().from(users).where(eq(users.id, before.id))
    expect(row?.activeWorkspaceId).toBe(id)
    const stale = await owner.fetch('/api/v1/variables', { headers: { 'x-workspace-id': before.activeWorkspaceId } })
    expect([stale.status, await stale.json()]).toMatchObject([
      409,
      { error: 'workspace_switched', activeWorkspace: name },
    ])
    await call(owner, 'POST', `/workspaces/${before.activeWorkspaceId}/switch`)
  })

  it('needs a membership that is not disabled', async () => {
    const { client, user } = await memberWith('workspace:view')
    const { id } = await create(owner)
    await heddle.database
      .insert(workspaceMembers)
      .values({ workspaceId: id, userId: user.id, roleId: await builtInRole('viewer') })
    expect((await call(client, 'POST', `/workspaces/${id}/switch`)).status).toBe(200)
    const { activeOrganizationId, activeWorkspaceId: home } = await userOf(outsider)
    await heddle.database.insert(organizationMembers).values({
      organizationId: activeOrganizationId,
      userId: user.id,
      isAdmin: true,
      disabledDate: '2026-01-01T00:00:00.000Z',
    })
    expect((await call(client, 'POST', `/workspaces/${home}/switch`)).status).toBe(404)
  })
})

describe('deleting a workspace', () => {
  it('wants its name typed, and it can be restored', async () => {
    const { id, name } = await create(owner)
    for (const typed of ['', name.toLowerCase(), `${name} `]) {
      expect(await call(owner, 'DELETE', `/workspaces/${id}`, { name: typed })).toMatchObject({
        status: 400,
        body: { field: 'name' },
      })
    }
    const deleted = await call<Workspace>(owner, 'DELETE', `/workspaces/${id}`, { name })
    const days = (Date.parse(deleted.body.restorableUntil as string) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 2)
    expect((await call(owner, 'DELETE', `/workspaces/${id}`, { name })).status).toBe(404)
    expect((await call(owner, 'POST', `/workspaces/${id}/switch`)).status).toBe(404)
    expect((await call(owner, 'GET', `/workspaces/${id}/users`)).status).toBe(404)
    expect((await list(owner)).deleted.map((row) => row.id)).toContain(id)
    expect((await call(owner, 'POST', `/workspaces/${id}/restore`)).status).toBe(200)
    expect((await call(owner, 'POST', `/workspaces/${id}/restore`)).status).toBe(404)
    expect(idsOf((await list(owner)).workspaces)).toContain(id)
    expect((await eventsOf(id)).map(({ event }) => event).sort()).toEqual([
      'workspace.create',
      'workspace.delete',
      'workspace.restore',
    ])
  })

  it('moves its people to another one', async () => {
    const { client, user } = await memberWith('workspace:view')
    const made = await create(owner)
    const roleId = await builtInRole('viewer')
    await heddle.database.insert(workspaceMembers).values({ workspaceId: made.id, userId: user.id, roleId })
    await call(client, 'POST', `/workspaces/${made.id}/switch`)
    await call(owner, 'DELETE', `/workspaces/${made.id}`, { name: made.name })
    expect(await userOf(client)).toMatchObject({ activeWorkspaceId: user.activeWorkspaceId })
    expect(idsOf((await userOf(client)).assignedWorkspaces)).not.toContain(made.id)
  })

  it('tells who has no other one that they have no access', async () => {
    const made = await create(owner)
    const client = await heddle.signUp()
    const own = await userOf(client)
    const { setPermissions } = await joinWorkspace(heddle, client, owner)
    await setPermissions(['workspace:view'])
    await heddle.database
      .delete(organizationMembers)
      .where(eq(organizationMembers.organizationId, own.activeOrganizationId))
    await heddle.database
      .update(workspaceMembers)
      .set({ workspaceId: made.id })
      .where(eq(workspaceMembers.userId, own.id))
    await heddle.database.update(sessions).set({ activeWorkspaceId: made.id }).where(eq(sessions.userId, own.id))
    await call(owner, 'DELETE', `/workspaces/${made.id}`, { name: made.name })
    expect(await call(client, 'GET', '/auth/me')).toMatchObject({
      status: 401,
      body: { error: 'unauthorized', redirectTo: '/unauthorized' },
    })
  })

  it('refuses the last one, of two at once too', async () => {
    const client = await heddle.signUp()
    const { activeWorkspaceId: first, activeWorkspace } = await userOf(client)
    expect((await call(client, 'DELETE', `/workspaces/${first}`, { name: activeWorkspace })).status).toBe(409)
    const second = await create(client)
    const answers = await Promise.all([
      call(client, 'DELETE', `/workspaces/${first}`, { name: activeWorkspace }),
      call(client, 'DELETE', `/workspaces/${second.id}`, { name: second.name }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await list(client)).workspaces).toHaveLength(1)
  })
})

describe('the people of a workspace', () => {
  const add = (client: TestClient, workspaceId: string, json: unknown) =>
    call<WorkspaceUsers>(client, 'POST', `/workspaces/${workspaceId}/users`, json)

  it('are added by their address, get another role, and are removed, each with its event', async () => {
    const { id } = await create(owner)
    const { client, user } = await memberWith('workspace:view')
    const [viewer, editor] = [await builtInRole('viewer'), await builtInRole('editor')]
    const added = await add(owner, id, { email: user.email.toUpperCase(), roleId: viewer })
    expect(added.body.users.find((each) => each.id === user.id)).toMatchObject({ role: { id: viewer, name: 'Viewer' } })
    expect((await add(owner, id, { email: user.email, roleId: viewer })).status).toBe(409)
    expect((await call(client, 'POST', `/workspaces/${id}/switch`)).body).toMatchObject({ role: 'Viewer' })
    await call(owner, 'PUT', `/workspaces/${id}/users/${user.id}`, { roleId: editor })
    expect((await userOf(client)).role).toBe('Editor')
    expect((await call(owner, 'DELETE', `/workspaces/${id}/users/${user.id}`)).status).toBe(204)
    expect((await userOf(client)).activeWorkspaceId).toBe(user.activeWorkspaceId)
    expect((await eventsOf(user.id)).map(({ event }) => event).sort()).toEqual([
      'workspace.add-user',
      'workspace.change-role',
      'workspace.remove-user',
    ])
    expect((await eventsOf(user.id)).map(({ change }) => change)).toEqual(
      expect.arrayContaining([
        { workspace: id, role: [null, 'Viewer'] },
        { workspace: id, role: ['Viewer', 'Editor'] },
        { workspace: id, role: ['Editor', null] },
      ]),
    )
  })

  it('who remove each other at once: one of them stays', async () => {
    const { activeWorkspaceId: id } = await userOf(owner)
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await memberWith('workspace:update'), await memberWith('workspace:update')]
      const remove = (by: TestClient, userId: string) => call(by, 'DELETE', `/workspaces/${id}/users/${userId}`)
      const answers = await Promise.all([remove(one.client, other.user.id), remove(other.client, one.user.id)])
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
    }
  })

  it('are active members of the organization, with a role of its workspaces', async () => {
    const { id, activeOrganizationId } = { ...(await userOf(owner)), ...(await create(owner)) }
    const viewer = await builtInRole('viewer')
    const { user } = await memberWith('workspace:view')
    const foreign = (await userOf(outsider)).email
    for (const email of ['nobody@example.com', foreign]) {
      expect(await add(owner, id, { email, roleId: viewer })).toMatchObject({ status: 400, body: { field: 'email' } })
    }
    const ofOrganization = crypto.randomUUID()
    await heddle.database.insert(roles).values({
      id: ofOrganization,
      organizationId: activeOrganizationId,
      name: 'Recruiter',
      kind: 'organization',
      permissions: ['users:manage'],
      createdDate: '2026-01-01T00:00:00.000Z',
    })
    for (const roleId of ['nothing', ofOrganization]) {
      expect(await add(owner, id, { email: user.email, roleId })).toMatchObject({
        status: 400,
        body: { field: 'roleId' },
      })
    }
    await heddle.database
      .update(organizationMembers)
      .set({ disabledDate: 'now' })
      .where(eq(organizationMembers.userId, user.id))
    expect((await add(owner, id, { email: user.email, roleId: viewer })).status).toBe(400)
  })

  it('get no role that gives more than whoever gives it holds there', async () => {
    const giver = await memberWith('workspace:view', 'workspace:update')
    const home = giver.user.activeWorkspaceId
    const { user } = await memberWith('workspace:view')
    await heddle.database.delete(workspaceMembers).where(eq(workspaceMembers.userId, user.id))
    const offered = (await call<WorkspaceUsers>(giver.client, 'GET', `/workspaces/${home}/users`)).body.roles
    expect(offered.map(({ name }) => name)).not.toContain('Viewer')
    const refused = await add(giver.client, home, { email: user.email, roleId: await builtInRole('viewer') })
    expect(refused.status).toBe(403)
    const { activeOrganizationId } = giver.user
    const small = crypto.randomUUID()
    await heddle.database.insert(roles).values({
      id: small,
      organizationId: activeOrganizationId,
      name: 'Onlooker',
      permissions: ['workspace:view'],
      createdDate: '2026-01-01T00:00:00.000Z',
    })
    expect((await add(giver.client, home, { email: user.email, roleId: small })).status).toBe(200)
  })

  it('who hold more, or are oneself, are not changed', async () => {
    const giver = await memberWith('workspace:view', 'workspace:update')
    const strong = await memberWith('workspace:view', 'workspace:update', 'credentials:delete')
    const home = giver.user.activeWorkspaceId
    const path = `/workspaces/${home}/users/${strong.user.id}`
    expect((await call(giver.client, 'DELETE', path)).status).toBe(403)
    const own = `/workspaces/${home}/users/${giver.user.id}`
    expect((await call(giver.client, 'PUT', own, { roleId: await builtInRole('viewer') })).status).toBe(403)
    expect((await userOf(strong.client)).activeWorkspaceId).toBe(home)
  })
})

describe('leaving a workspace', () => {
  it('needs no permission: the person goes on in another one, and stays in the organization', async () => {
    const { client, user } = await memberWith()
    const other = await create(owner)
    const viewer = await builtInRole('viewer')
    await heddle.database.insert(workspaceMembers).values({ workspaceId: other.id, userId: user.id, roleId: viewer })
    expect((await call(client, 'DELETE', `/workspaces/${user.activeWorkspaceId}/users/${user.id}`)).status).toBe(403)
    expect((await call(client, 'POST', `/workspaces/${user.activeWorkspaceId}/leave`)).status).toBe(204)
    expect(await userOf(client)).toMatchObject({ activeWorkspaceId: other.id })
    expect((await call(client, 'POST', `/workspaces/${user.activeWorkspaceId}/leave`)).status).toBe(404)
    expect((await eventsOf(user.id)).map(({ event, actorId }) => [event, actorId])).toEqual([
      ['workspace.remove-user', user.id],
    ])
  })

  it('is not found by who is in another organization', async () => {
    const { user } = await memberWith()
    expect((await call(outsider, 'POST', `/workspaces/${user.activeWorkspaceId}/leave`)).status).toBe(404)
    const rows = await heddle.database.select().from(workspaceMembers).where(eq(workspaceMembers.userId, user.id))
    expect(rows).toHaveLength(1)
  })
})

it('open source refuses all of it', async () => {
  const free = await startTestHeddle()
  const client = await free.signUp()
  const { activeWorkspaceId: id } = await userOf(client)
  for (const [method, path] of [
    ['GET', '/workspaces'],
    ['POST', '/workspaces'],
    ['PUT', `/workspaces/${id}`],
    ['DELETE', `/workspaces/${id}`],
    ['POST', `/workspaces/${id}/restore`],
    ['GET', `/workspaces/${id}/users`],
    ['POST', `/workspaces/${id}/users`],
    ['PUT', `/workspaces/${id}/users/x`],
    ['DELETE', `/workspaces/${id}/users/x`],
  ] as const) {
    expect((await call(client, method, path, method === 'GET' ? undefined : {})).status).toBe(403)
  }
  await free.close()
})
