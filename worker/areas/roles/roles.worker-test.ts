import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { allPermissions } from '#contract/access/permissions.ts'
import { invitations, roles, scimGroups } from '#db/schema/index.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { addRole, startTeam, type Team, type Teammate } from '../users/testing/team.ts'

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

const draft = { name: 'Support', description: '', kind: 'workspace', permissions: ['tools:view'] }
const rowOf = async (id: string) => (await heddle.database.select().from(roles).where(eq(roles.id, id)))[0]

it('a role is created, changed and deleted, with an event each', async () => {
  const created = await ada.call('POST', '/roles', draft)
  expect(created).toMatchObject({ status: 200, body: { name: 'Support', kind: 'workspace', users: 0, builtIn: null } })
  const { id } = created.body
  const change = { name: 'Helpers', description: 'They help', permissions: ['tools:view', 'tools:update'] }
  expect(await ada.call('PUT', `/roles/${id}`, change)).toMatchObject({ status: 200, body: change })
  expect((await ada.call('GET', '/roles')).body.map((role: { name: string }) => role.name)).toEqual([
    ...['Editor', 'Viewer', 'Workspace Admin', 'Helpers'],
  ])
  expect((await ada.call('DELETE', `/roles/${id}`)).status).toBe(200)
  expect(await rowOf(id)).toBeUndefined()
  expect(await team.events()).toEqual(['role.create Support', 'role.update Helpers', 'role.delete Helpers'])
})

it('a changed role counts from the next request of its holders', async () => {
  const bo = await team.join({ workspace: ['variables:view'] })
  expect((await bo.call('GET', '/tools')).status).toBe(403)
  expect((await ada.call('PUT', `/roles/${bo.roleId}`, { name: 'T', permissions: ['tools:view'] })).status).toBe(200)
  expect((await bo.call('GET', '/tools')).status).toBe(200)
  expect((await bo.call('GET', '/variables')).status).toBe(403)
})

it('a renamed role keeps its names until another role takes one', async () => {
  const { id } = (await ada.call('POST', '/roles', { ...draft, name: 'Finance' })).body
  const rename = (name: string) => ada.call('PUT', `/roles/${id}`, { name, permissions: draft.permissions })
  const formerNames = async () => (await rowOf(id))?.formerNames
  await rename('Accounting')
  await rename('Ledger')
  await rename('Ledger')
  expect(await formerNames()).toEqual(['Finance', 'Accounting'])
  expect((await ada.call('POST', '/roles', { ...draft, name: 'Finance' })).status).toBe(200)
  expect(await formerNames()).toEqual(['Accounting'])
  await rename('Accounting')
  expect(await formerNames()).toEqual(['Ledger'])
  await rename('Finance')
  expect(await rowOf(id)).toMatchObject({ name: 'Accounting', formerNames: ['Ledger'] })
})

it.each([
  ['permissions.1', { ...draft, permissions: ['tools:view', 'users:manage'] }],
  ['permissions.0', { ...draft, permissions: ['tools:fly'] }],
  ['permissions.0', { ...draft, kind: 'organization' }],
  ['name', { ...draft, name: ' ' }],
  ['name', { ...draft, name: 'Editor' }],
  ['kind', { ...draft, kind: 'platform' }],
  ['builtIn', { ...draft, builtIn: 'editor' }],
])('a bad role names the field and changes nothing: %s', async (field, body) => {
  const before = await heddle.database.select().from(roles)
  expect(await ada.call('POST', '/roles', body)).toMatchObject({ status: 400, body: { field } })
  expect(await heddle.database.select().from(roles)).toEqual(before)
})

it('built-in roles are neither changed nor deleted, and no role changes its kind', async () => {
  const [editor] = await heddle.database
    .select()
    .from(roles)
    .where(and(eq(roles.organizationId, team.organizationId), eq(roles.builtIn, 'editor')))
  expect(await ada.call('PUT', `/roles/${editor?.id}`, { name: 'Mine', permissions: [] })).toMatchObject({
    status: 409,
    body: { error: 'built_in' },
  })
  expect((await ada.call('DELETE', `/roles/${editor?.id}`)).status).toBe(409)
  expect(await rowOf(editor?.id ?? '')).toEqual(editor)
  const { id } = (await ada.call('POST', '/roles', draft)).body
  expect(await ada.call('PUT', `/roles/${id}`, draft)).toMatchObject({ status: 400, body: { field: 'kind' } })
})

it('a role in use is not deleted, and the answer says who uses it', async () => {
  const bo = await team.join()
  const inUse = await ada.call('DELETE', `/roles/${bo.roleId}`)
  expect(inUse).toMatchObject({ status: 409, body: { error: 'role_in_use', usedBy: [bo.name] } })
  expect(inUse.body.message).toContain(bo.name)
  const { id } = (await ada.call('POST', '/roles', draft)).body
  const stamp = { createdDate: '2026-01-01T00:00:00.000Z', organizationId: team.organizationId }
  await heddle.database.insert(invitations).values({
    ...{ id: crypto.randomUUID(), email: 'cy@example.com', invitedBy: ada.id, expiresDate: '2099-01-01', ...stamp },
    workspaces: [{ workspaceId: team.workspaceId, roleId: id }],
  })
  const group = { id: crypto.randomUUID(), displayName: 'Engineers', workspaceId: team.workspaceId, roleId: id }
  await heddle.database.insert(scimGroups).values({ ...group, ...stamp, updatedDate: stamp.createdDate })
  expect((await ada.call('DELETE', `/roles/${id}`)).body.usedBy).toEqual([
    'the invitation of cy@example.com',
    'Engineers',
  ])
  expect(await rowOf(id)).toBeDefined()
})

it('whoever manages roles makes none that gives more than they hold', async () => {
  const bo = await team.join({ organization: ['roles:manage'], workspace: ['tools:view'] })
  const refused = (permissions: string[], kind = 'workspace') =>
    bo.call('POST', '/roles', { ...draft, name: permissions.join(), permissions, kind })
  expect(await refused(['tools:update'])).toMatchObject({ status: 400, body: { field: 'permissions' } })
  expect((await refused(['users:manage'], 'organization')).status).toBe(400)
  const made = await refused(['tools:view'])
  expect(made.status).toBe(200)
  const cy = await team.join({ workspace: ['tools:view'] })
  const change = { name: 'C', permissions: ['tools:view', 'tools:update'] }
  expect((await bo.call('PUT', `/roles/${cy.roleId}`, change)).status).toBe(400)
  expect((await bo.call('PUT', `/roles/${cy.roleId}`, { name: 'C', permissions: [] })).status).toBe(200)
})

it('a role can contain what the caller holds somewhere, and for admins everything', async () => {
  const bo = await team.join({ organization: ['roles:manage'], workspace: ['tools:view'] })
  expect((await bo.call('GET', '/roles/permissions')).body).toEqual(['roles:manage', 'tools:view'])
  expect((await ada.call('GET', '/roles/permissions')).body.sort()).toEqual([...allPermissions].sort())
  const cy = await team.join({ organization: ['users:manage'] })
  expect((await cy.call('GET', '/roles/permissions')).status).toBe(403)
})

it('whoever manages roles changes neither their own role nor one of people who hold more', async () => {
  const bo = await team.join({ organization: ['roles:manage'], workspace: ['tools:view'] })
  const more = await team.join({ workspace: ['tools:view'], organization: ['users:manage'] })
  const change = { name: 'X', permissions: ['tools:view'] }
  expect(await bo.call('PUT', `/roles/${bo.roleId}`, change)).toMatchObject({
    status: 409,
    body: { error: 'own_role' },
  })
  expect(await bo.call('PUT', `/roles/${more.roleId}`, change)).toMatchObject({
    status: 409,
    body: { error: 'holder_holds_more' },
  })
})

it('another organization’s roles are neither listed nor found', async () => {
  const roleId = await addRole(heddle, {
    organizationId: (await startTeam(heddle)).organizationId,
    ...{ kind: 'workspace', permissions: [] },
  })
  expect((await ada.call('GET', '/roles')).text).not.toContain(roleId)
  expect((await ada.call('PUT', `/roles/${roleId}`, { name: 'Mine', permissions: [] })).status).toBe(404)
  expect((await ada.call('DELETE', `/roles/${roleId}`)).status).toBe(404)
  expect(await rowOf(roleId)).toMatchObject({ name: `Role ${roleId}` })
})
