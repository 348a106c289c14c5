// @defends two-admins-remove
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { organizationMembers, sessions, users, workspaceMembers } from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { addRole, startTeam, type Team, type Teammate } from './testing/team.ts'

let heddle: TestHeddle
let team: Team
let ada: Teammate

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
})
afterAll(() => heddle.close())
beforeEach(async () => {
  team = await startTeam(heddle)
  ada = team.ada
})

const refusal = (error: string) => ({ status: 409, body: { error } })

it('lists who is in the organization, with roles and workspaces, and who the caller may change', async () => {
  const bo = await team.join({ organization: ['users:manage'], workspace: ['tools:view'] })
  const cy = await team.join({ workspace: ['tools:view', 'tools:update'] })
  const { body } = await bo.call('GET', '/users')
  expect(body).toHaveLength(3)
  const byId = new Map(body.map((member: { id: string }) => [member.id, member]))
  expect(byId.get(ada.id)).toMatchObject({ isAdmin: true, role: null, canChange: false })
  expect(byId.get(bo.id)).toMatchObject({ role: { name: expect.any(String) }, canChange: false })
  expect(byId.get(cy.id)).toMatchObject({
    workspaces: [{ id: team.workspaceId, role: { name: 'Tester' } }],
    isDisabled: false,
    canChange: false,
  })
  expect(JSON.stringify(body)).not.toContain('scrypt')
  expect((await ada.call('GET', '/users?page=2&limit=2')).body).toMatchObject({ total: 3, data: [expect.anything()] })
  expect((await ada.call('GET', `/users/${cy.id}`)).body).toMatchObject({ id: cy.id, canChange: true })
})

it('another organization’s people are not found, and nothing of them changes', async () => {
  const other = await startTeam(heddle)
  const bo = await other.join()
  const calls: [string, string, unknown?][] = [
    ['GET', `/users/${bo.id}`],
    ['POST', `/users/${bo.id}/disable`],
    ['POST', `/users/${bo.id}/enable`],
    ['PUT', `/users/${bo.id}/admin`, { isAdmin: true }],
    ['PUT', `/users/${bo.id}/role`, { roleId: null }],
    ['DELETE', `/users/${bo.id}/second-step`],
    ['DELETE', `/users/${bo.id}`],
  ]
  for (const each of calls) expect((await ada.call(...each)).status).toBe(404)
  expect((await ada.call('GET', '/users')).text).not.toContain(bo.id)
  expect(await other.memberRow(bo.id)).toMatchObject({ isAdmin: false, disabledDate: null })
})

it('a role of another organization, or one for workspaces, cannot be given', async () => {
  const bo = await team.join()
  const foreign = await addRole(heddle, {
    organizationId: (await startTeam(heddle)).organizationId,
    ...{ kind: 'organization', permissions: ['users:manage'] },
  })
  for (const roleId of [foreign, bo.roleId, 'none']) {
    expect(await ada.call('PUT', `/users/${bo.id}/role`, { roleId })).toMatchObject({
      status: 400,
      body: { field: 'roleId' },
    })
  }
  expect(await team.memberRow(bo.id)).toMatchObject({ roleId: null })
  expect(await team.events()).toEqual([])
})

it('a disabled person can do nothing from the next request on, until somebody enables them', async () => {
  const bo = await team.join()
  expect((await bo.call('GET', '/tools')).status).toBe(200)
  expect(await ada.call('POST', `/users/${bo.id}/disable`)).toMatchObject({ status: 200, body: { isDisabled: true } })
  expect((await bo.call('GET', '/tools')).status).toBe(401)
  await ada.call('POST', `/users/${bo.id}/disable`)
  expect(await ada.call('POST', `/users/${bo.id}/enable`)).toMatchObject({ status: 200, body: { isDisabled: false } })
  expect((await bo.call('GET', '/tools')).status).toBe(200)
  expect(await team.events()).toEqual([`user.disable ${bo.email}`, `user.enable ${bo.email}`])
})

it('a role in the organization counts from the next request on', async () => {
  const bo = await team.join()
  const roleId = await addRole(heddle, {
    organizationId: team.organizationId,
    ...{ kind: 'organization', permissions: ['users:manage'] },
  })
  expect((await bo.call('GET', '/users')).status).toBe(403)
  expect(await ada.call('PUT', `/users/${bo.id}/role`, { roleId })).toMatchObject({ body: { role: { id: roleId } } })
  expect((await bo.call('GET', '/users')).status).toBe(200)
  await ada.call('PUT', `/users/${bo.id}/role`, { roleId: null })
  expect((await bo.call('GET', '/users')).status).toBe(403)
  expect(await team.events()).toEqual([`user.change-role ${bo.email}`, `user.change-role ${bo.email}`])
})

describe('a user manager', () => {
  let bo: Teammate
  beforeEach(async () => {
    bo = await team.join({ organization: ['users:manage'], workspace: ['tools:view'] })
  })

  it('changes nobody who holds more', async () => {
    const cy = await team.join({ workspace: ['tools:view', 'tools:update'] })
    for (const id of [cy.id, ada.id]) {
      expect(await bo.call('POST', `/users/${id}/disable`)).toMatchObject(
        refusal(id === ada.id ? 'last_admin' : 'holds_more'),
      )
      expect((await bo.call('DELETE', `/users/${id}`)).status).toBe(409)
      expect((await bo.call('PUT', `/users/${id}/role`, { roleId: null })).status).toBe(409)
    }
    expect(await team.memberRow(cy.id)).toMatchObject({ disabledDate: null })
    expect(await team.events()).toEqual([])
  })

  it('gives no role that they do not hold, and makes nobody an admin', async () => {
    const cy = await team.join()
    const roleId = await addRole(heddle, {
      organizationId: team.organizationId,
      ...{ kind: 'organization', permissions: ['sso:manage'] },
    })
    expect(await bo.call('PUT', `/users/${cy.id}/role`, { roleId })).toMatchObject({
      status: 400,
      body: { field: 'roleId', error: 'not_held' },
    })
    expect(await bo.call('PUT', `/users/${cy.id}/admin`, { isAdmin: true })).toMatchObject(refusal('admins_only'))
    expect(await team.memberRow(cy.id)).toMatchObject({ isAdmin: false, roleId: null })
  })

  it('does not change their own rights', async () => {
    expect(await bo.call('PUT', `/users/${bo.id}/role`, { roleId: null })).toMatchObject(refusal('own_rights'))
    expect(await bo.call('POST', `/users/${bo.id}/disable`)).toMatchObject(refusal('own_rights'))
  })
})

describe('admins', () => {
  it('the last active one is not demoted, disabled or removed, and does not leave', async () => {
    const bo = await team.join({ isAdmin: true })
    expect((await ada.call('POST', `/users/${bo.id}/disable`)).status).toBe(200)
    expect(await ada.call('DELETE', `/users/${ada.id}`)).toMatchObject(refusal('last_admin'))
    expect((await ada.call('POST', `/users/${bo.id}/enable`)).status).toBe(200)
    expect((await bo.call('PUT', `/users/${ada.id}/admin`, { isAdmin: false })).status).toBe(200)
    expect(await bo.call('DELETE', `/users/${bo.id}`)).toMatchObject(refusal('last_admin'))
    expect(await team.memberRow(bo.id)).toMatchObject({ isAdmin: true, disabledDate: null })
  })

  it('two who remove, disable or demote each other at once leave one', async () => {
    const attempts: ((by: Teammate, on: Teammate) => Promise<{ status: number }>)[] = [
      (by, on) => by.call('PUT', `/users/${on.id}/admin`, { isAdmin: false }),
      (by, on) => by.call('POST', `/users/${on.id}/disable`),
      (by, on) => by.call('DELETE', `/users/${on.id}`),
    ]
    for (const attempt of attempts) {
      const mine = await startTeam(heddle)
      const bo = await mine.join({ isAdmin: true })
      const answers = await Promise.all([attempt(mine.ada, bo), attempt(bo, mine.ada)])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      const active = (await heddle.database.select().from(organizationMembers)).filter(
        (row) => row.organizationId === mine.organizationId && row.isAdmin && row.disabledDate === null,
      )
      expect(active).toHaveLength(1)
    }
  })
})

describe('removing a person', () => {
  it('ends the membership and the sessions here, and says which API keys they made', async () => {
    const bo = await team.join({ workspace: ['tools:view', 'apikeys:view', 'apikeys:create'] })
    await bo.call('POST', '/apikey', { keyName: 'Website', permissions: ['tools:view'] })
    await ada.call('POST', '/apikey', { keyName: 'Of Ada', permissions: ['tools:view'] })
    const { status, body } = await ada.call('DELETE', `/users/${bo.id}`)
    expect(status).toBe(200)
    expect(body.apiKeys).toMatchObject([{ keyName: 'Website', workspaceId: team.workspaceId }])
    expect((await bo.call('GET', '/auth/me')).status).toBe(401)
    expect(await team.memberRow(bo.id)).toBeUndefined()
    const rows = await heddle.database.select().from(workspaceMembers).where(eq(workspaceMembers.userId, bo.id))
    expect(rows).toEqual([])
    expect(await team.events()).toContain(`user.remove ${bo.email}`)
  })

  it('leaves the sessions that the person has in another organization, and signs them in there next time', async () => {
    const bo = await team.join()
    const home = await heddle.database
      .select({ workspaceId: users.activeWorkspaceId })
      .from(users)
      .where(eq(users.id, bo.id))
    const elsewhere = await startTeam(heddle)
    await heddle.database
      .insert(organizationMembers)
      .values({ organizationId: elsewhere.organizationId, userId: bo.id })
    const own = { workspaceId: elsewhere.workspaceId, userId: bo.id, roleId: null }
    await heddle.database.insert(workspaceMembers).values(own)
    expect(home[0]?.workspaceId).toBe(team.workspaceId)
    const kept = crypto.randomUUID()
    const [session] = await heddle.database.select().from(sessions).where(eq(sessions.userId, bo.id))
    if (!session) throw new Error('no session')
    await heddle.database
      .insert(sessions)
      .values({ ...session, id: kept, refreshHash: 'x', activeWorkspaceId: elsewhere.workspaceId })
    await ada.call('DELETE', `/users/${bo.id}`)
    const after = await heddle.database.select().from(sessions).where(eq(sessions.userId, bo.id))
    expect(after.filter(({ revokedDate }) => revokedDate === null).map(({ id }) => id)).toEqual([kept])
    const [person] = await heddle.database.select().from(users).where(eq(users.id, bo.id))
    expect(person?.activeWorkspaceId).not.toBe(team.workspaceId)
  })
})

describe('leaving the organization', () => {
  it('needs no permission, ends the own sessions there, and leaves an event', async () => {
    const bo = await team.join({ workspace: [] })
    expect((await bo.call('DELETE', `/users/${bo.id}`)).status).toBe(403)
    expect((await bo.call('POST', '/account/leave')).status).toBe(204)
    expect((await bo.call('GET', '/auth/me')).status).toBe(401)
    expect(await team.memberRow(bo.id)).toBeUndefined()
    expect(await team.events()).toEqual([`user.remove ${bo.email}`])
  })

  it('is refused to the last active admin', async () => {
    await team.join()
    expect(await ada.call('POST', '/account/leave')).toMatchObject(refusal('last_admin'))
    expect(await team.memberRow(ada.id)).toMatchObject({ isAdmin: true })
  })

  it('lets one of two admins go who leave at once', async () => {
    const bo = await team.join({ isAdmin: true })
    const answers = await Promise.all([ada.call('POST', '/account/leave'), bo.call('POST', '/account/leave')])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
  })
})

it('managing users is refused in open source', async () => {
  const free = await startTestHeddle()
  const client = await free.signUp()
  expect((await client.fetch('/api/v1/users')).status).toBe(403)
  expect((await client.fetch('/api/v1/roles')).status).toBe(403)
  await free.close()
})
