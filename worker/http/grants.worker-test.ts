// @defends gives-rights-hold
/** Nobody grants what they do not hold there: random rights against every route that gives some. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isKeyPermission, permissionsOfKind } from '#contract/access/index.ts'
import { apikeys, invitations, organizationMembers, roles, workspaceMembers } from '#db/schema/index.ts'
import { addRole, startTeam, type Team, type Teammate } from '../areas/users/testing/team.ts'
import { startTestHeddle, type TestHeddle } from '../local/testing/heddle.ts'

/** What the giver needs to reach the routes. */
const REACH = {
  organization: ['users:manage', 'roles:manage'],
  workspace: ['workspace:view', 'workspace:update', 'apikeys:create', 'apikeys:update'],
}
const others = (kind: 'organization' | 'workspace') =>
  permissionsOfKind(kind).filter((permission) => !REACH[kind].includes(permission))

let heddle: TestHeddle
let team: Team
/** Gives. */
let bo: Teammate
/** Is given to. */
let cy: Teammate
/** Is in no workspace. */
let dee: Teammate
let boRole: string

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  team = await startTeam(heddle)
  bo = await team.join({ organization: REACH.organization, workspace: REACH.workspace })
  cy = await team.join({ workspace: [] })
  dee = await team.join({ workspace: [] })
  boRole = (await team.memberRow(bo.id))?.roleId ?? ''
})
afterAll(() => heddle.close())

const setPermissions = (id: string, permissions: string[]) =>
  heddle.database.update(roles).set({ permissions }).where(eq(roles.id, id))

let number = 0
const name = () => `Given ${++number}`
const inWorkspace = (roleId: string) => ({ workspaceId: team.workspaceId, roleId })
const inviteWith = (roleId: string | null, workspaceRoleId: string) => ({
  email: `${name().replace(' ', '')}@example.com`,
  ...{ roleId, workspaces: [inWorkspace(workspaceRoleId)] },
})

type Call = readonly [method: string, path: string, body: object]

/** Calls that give a role of a workspace, or what it gives. `nothing` is a role that gives nothing. */
const workspaceCalls: Record<string, (roleId: string, permissions: string[], nothing: string) => Call> = {
  'POST /roles': (_, permissions) => ['POST', '/roles', { name: name(), kind: 'workspace', permissions }],
  'PUT /roles/:id': (_, permissions, nothing) => ['PUT', `/roles/${nothing}`, { name: name(), permissions }],
  'POST /account/invite': (roleId) => ['POST', '/account/invite', inviteWith(null, roleId)],
  'POST /account/invitations/:id/resend': (roleId) => ['POST', `/account/invitations/${roleId}/resend`, {}],
  'POST /workspaces/:id/users': (roleId) => [
    ...(['POST', `/workspaces/${team.workspaceId}/users`, { email: dee.email, roleId }] as const),
  ],
  'PUT /workspaces/:id/users/:userId': (roleId) => [
    ...(['PUT', `/workspaces/${team.workspaceId}/users/${cy.id}`, { roleId }] as const),
  ],
}

const organizationCalls: typeof workspaceCalls = {
  'POST /account/invitations/:id/resend': (roleId) => ['POST', `/account/invitations/${roleId}/resend`, {}],
  'POST /roles': (_, permissions) => ['POST', '/roles', { name: name(), kind: 'organization', permissions }],
  'PUT /roles/:id': (_, permissions, nothing) => ['PUT', `/roles/${nothing}`, { name: name(), permissions }],
  'POST /account/invite': (roleId) => ['POST', '/account/invite', inviteWith(roleId, cy.roleId)],
  'PUT /users/:id/role': (roleId) => ['PUT', `/users/${cy.id}/role`, { roleId }],
}

/** What stands before each call: the receiver holds nothing, and nothing is given yet. */
async function startOver(kind: 'organization' | 'workspace', roleId: string) {
  const { database } = heddle
  await database.update(organizationMembers).set({ roleId: null }).where(eq(organizationMembers.userId, cy.id))
  await database.update(workspaceMembers).set({ roleId: cy.roleId }).where(eq(workspaceMembers.userId, cy.id))
  await database.delete(workspaceMembers).where(eq(workspaceMembers.userId, dee.id))
  await database.delete(invitations)
  // By somebody who holds everything; its id is the role's.
  await database.insert(invitations).values({
    ...{ id: roleId, organizationId: team.organizationId, email: `${roleId}@example.com`, invitedBy: team.ada.id },
    roleId: kind === 'organization' ? roleId : null,
    workspaces: [inWorkspace(kind === 'workspace' ? roleId : cy.roleId)],
    ...{ expiresDate: '2999-01-01T00:00:00.000Z', createdDate: '2026-01-01T00:00:00.000Z' },
  })
}

const cases = (kind: 'organization' | 'workspace') =>
  fc.sample(
    fc.record({ held: fc.subarray(others(kind)), given: fc.subarray(others(kind), { minLength: 1, maxLength: 3 }) }),
    { numRuns: 6, seed: 15 },
  )

describe.each([
  ['workspace', workspaceCalls],
  ['organization', organizationCalls],
] as const)('a right of kind %s', (kind, calls) => {
  it.each(Object.keys(calls))('is given only by who holds it there: %s', async (route) => {
    const giver = kind === 'workspace' ? bo.roleId : boRole
    const { organizationId } = team
    for (const { held, given } of cases(kind)) {
      const isHeld = given.every((permission) => held.includes(permission))
      const roleId = await addRole(heddle, { organizationId, kind, permissions: given })
      const nothing = await addRole(heddle, { organizationId, kind, permissions: [] })
      await startOver(kind, roleId)
      await setPermissions(giver, [...REACH[kind], ...held])
      const [method, path, body] = calls[route]?.(roleId, given, nothing) ?? ['', '', {}]
      const { status, text } = await bo.call(method, path, body)
      expect([status < 300, status < 500], `${given} by ${held}: ${status} ${text}`).toEqual([isHeld, true])
      await setPermissions(giver, [...REACH[kind], ...given])
      await startOver(kind, roleId)
      const [, again, after] = calls[route]?.(roleId, given, nothing) ?? ['', '', {}]
      expect((await bo.call(method, again, after)).status, `${given}, held`).toBeLessThan(300)
    }
  })
})

it.each(['POST', 'PUT'])('a key gets only what its maker holds: %s', async (method) => {
  for (const { held, given } of cases('workspace')) {
    await setPermissions(bo.roleId, [...REACH.workspace, ...held])
    await heddle.database.delete(apikeys)
    const own = await bo.call('POST', '/apikey', { keyName: name(), permissions: ['apikeys:create'] })
    const path = method === 'POST' ? '/apikey' : `/apikey/${own.body.id}`
    const { status, text } = await bo.call(method, path, { keyName: name(), permissions: given })
    const isHeld = given.every((permission) => held.includes(permission) && isKeyPermission(permission))
    expect([status < 300, status < 500], `${given} by ${held}: ${status} ${text}`).toEqual([isHeld, true])
  }
})
