/** The roles of an organization. */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import {
  kindOfPermission,
  permissionsForRoles,
  permissionsOfRole,
  REFUSALS,
  type Refusal,
  ROLE_KINDS,
  roleRefusal,
  type StoredRole,
} from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Role, RoleFields } from '#contract/organization/members.ts'
import { invitations, organizationMembers, roles, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { changeOrganization, memberQueries, type OrganizationChange, toMembers } from '../users/index.ts'
import { type RoleUse, readUses } from './uses.ts'

type RoleRow = typeof roles.$inferSelect

const notFound = (id: string) => new HeddleError('not_found', `Role ${id} not found`)

/** Built-in roles first, then by name. */
export async function listRoles({ db }: Pick<Services, 'db'>, { organizationId }: UserActor): Promise<Role[]> {
  const rows = organizationScope(db, { organizationId })
  const [found, ofOrganization, ofWorkspaces] = await db.batch([
    rows.select(roles).orderBy(asc(roles.name), asc(roles.id)),
    db
      .select({ userId: organizationMembers.userId, roleId: organizationMembers.roleId })
      .from(organizationMembers)
      .where(rows.inOrganization(organizationMembers)),
    db
      .select({ userId: workspaceMembers.userId, roleId: workspaceMembers.roleId })
      .from(workspaceMembers)
      .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
      .where(rows.inOrganization(workspaces)),
  ])
  const holders = Map.groupBy([...ofOrganization, ...ofWorkspaces], ({ roleId }) => roleId)
  const listed = (found as RoleRow[]).map((role) =>
    toRole(role, new Set(holders.get(role.id)?.map(({ userId }) => userId)).size),
  )
  return listed.sort((a, b) => Number(a.builtIn === null) - Number(b.builtIn === null))
}

/** Returns the permissions that the actor may put into a role. */
export async function listGivable({ db }: Pick<Services, 'db'>, actor: UserActor): Promise<string[]> {
  const [self] = toMembers(await db.batch(memberQueries(db, actor.organizationId, [actor.userId])))
  return self ? ROLE_KINDS.flatMap((kind) => permissionsForRoles(self.standing, kind)) : []
}

function toRole(role: RoleRow, users: number): Role {
  const { id, name, description, kind, builtIn } = role
  return { id, name, description, kind, builtIn, permissions: permissionsOfRole(role), users }
}

export function createRole(c: Context<AppEnv>, actor: UserActor, given: RoleFields): Promise<Role> {
  assertKind(given)
  return changeRoles(c, actor, async (change) => {
    await assertFreeName(change, given.name)
    check(roleRefusal({ ...summarizeUses(change, []), before: null, after: stored(given) }))
    await takeName(change, given.name)
    const row = { id: crypto.randomUUID(), ...given, builtIn: null, formerNames: [], createdDate: now(c) }
    await change.rows.insert(roles, row)
    await change.record({ event: 'role.create', target: row, change: { ...given } })
    return toRole({ ...row, organizationId: actor.organizationId }, 0)
  })
}

/** Changes a role. Everybody who has it gets the new permissions from their next request on. */
export function updateRole(
  c: Context<AppEnv>,
  { actor, id }: { actor: UserActor; id: string },
  given: Omit<RoleFields, 'kind'>,
): Promise<Role> {
  return changeRoles(c, actor, async (change) => {
    const before = await readRole(change, id)
    assertKind({ ...given, kind: before.kind })
    await assertFreeName(change, given.name, id)
    const uses = await readUses(change, id)
    check(roleRefusal({ ...summarizeUses(change, uses), before, after: stored({ ...given, kind: before.kind }) }))
    await takeName(change, given.name)
    await change.rows.update(roles, eq(roles.id, id), { ...given, formerNames: formerNamesOf(before, given.name) })
    await change.record({ event: 'role.update', target: { id, name: given.name }, change: changed(before, given) })
    return toRole({ ...before, ...given }, holdersIn(uses))
  })
}

/** Throws `conflict` that says who has the role. */
export function deleteRole(c: Context<AppEnv>, actor: UserActor, id: string) {
  return changeRoles(c, actor, async (change) => {
    const before = await readRole(change, id)
    const uses = await readUses(change, id)
    check(roleRefusal({ ...summarizeUses(change, uses), before, after: null }))
    if (uses.length > 0) throw roleInUse(uses)
    await change.rows.update(invitations, eq(invitations.roleId, id), { roleId: null })
    await change.rows.delete(roles, eq(roles.id, id))
    await change.record({ event: 'role.delete', target: before })
    return { raw: [], affected: 1 }
  })
}

const changeRoles = <Result>(
  c: Context<AppEnv>,
  actor: UserActor,
  work: (change: OrganizationChange) => Promise<Result>,
) => changeOrganization(c, { actor, permission: 'roles:manage' }, work)

const now = (c: Context<AppEnv>) => c.get('services').clock.now().toISOString()
const stored = ({ kind, permissions }: Pick<RoleFields, 'kind' | 'permissions'>): StoredRole => ({
  kind,
  permissions,
  builtIn: null,
})

/** What the rules ask about a role besides what it gives. */
function summarizeUses({ actor }: OrganizationChange, uses: readonly RoleUse[]) {
  const holders = uses.flatMap(({ member }) => member ?? [])
  return {
    actor: actor.standing,
    places: [...new Set(uses.map(({ place }) => place))],
    holders: holders.map(({ standing }) => standing),
    isOwn: holders.some(({ id }) => id === actor.id),
  }
}

function check(refusal: Refusal | undefined): void {
  if (refusal === undefined) return
  if (refusal !== 'role_not_held') throw new HeddleError('conflict', REFUSALS[refusal], { error: refusal })
  throw new HeddleError('bad_request', `permissions: ${REFUSALS[refusal]}`, { field: 'permissions', error: refusal })
}

/** Throws `bad_request` for a permission of the other kind. */
function assertKind({ kind, permissions }: Pick<RoleFields, 'kind' | 'permissions'>): void {
  const index = permissions.findIndex((permission) => kindOfPermission(permission) !== kind)
  if (index < 0) return
  const field = `permissions.${index}`
  const message = `${field}: A role of this kind cannot give the permission "${permissions[index]}"`
  throw new HeddleError('bad_request', message, { field })
}

async function assertFreeName({ rows }: OrganizationChange, name: string, ownId = ''): Promise<void> {
  const [other] = await rows.select(roles, and(eq(roles.name, name), ne(roles.id, ownId))).limit(1)
  if (other) throw new HeddleError('bad_request', 'name: Another role has this name', { field: 'name' })
}

/** Other roles are no longer meant by a name that a role gets. */
async function takeName({ rows }: OrganizationChange, name: string): Promise<void> {
  const { formerNames } = roles
  await rows.update(roles, sql`exists (select 1 from json_each(${formerNames}) where value = ${name})`, {
    formerNames: sql`(select json_group_array(value) from json_each(${formerNames}) where value <> ${name})` as never,
  })
}

const formerNamesOf = (before: RoleRow, name: string): string[] =>
  name === before.name ? before.formerNames : [...before.formerNames, before.name].filter((former) => former !== name)

async function readRole({ rows }: OrganizationChange, id: string): Promise<RoleRow> {
  const [role] = await rows.select(roles, eq(roles.id, id))
  if (!role) throw notFound(id)
  return role as RoleRow
}

function changed(before: RoleRow, { name, description, permissions }: Omit<RoleFields, 'kind'>) {
  const held = new Set(before.permissions)
  return {
    ...(name !== before.name && { name: [before.name, name] }),
    ...(description !== before.description && { description: [before.description, description] }),
    added: permissions.filter((permission) => !held.has(permission)),
    removed: before.permissions.filter((permission) => !permissions.includes(permission)),
  }
}

const holdersIn = (uses: readonly RoleUse[]) => new Set(uses.flatMap(({ member }) => member?.id ?? [])).size

const MOST_NAMED = 3

function roleInUse(uses: readonly RoleUse[]): HeddleError {
  const names = [...new Set(uses.map(({ name }) => name))]
  const more = names.length - MOST_NAMED
  const named = names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return new HeddleError('conflict', `This role is used by ${named}. Give them another role first.`, {
    error: 'role_in_use',
    usedBy: names,
  })
}
