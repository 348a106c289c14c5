/** The people of a workspace and their roles. */
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { mayGiveRole, memberRefusal, REFUSALS, type StoredRole } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { WorkspaceUsers } from '#contract/organization/workspaces.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, roles, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { changeOrganization, type OrganizationChange } from '../users/index.ts'
import { leaveWorkspace } from './leave.ts'
import { assertHolds, readStanding, workspaceNotFound } from './standings.ts'

/** People of one workspace that are listed. */
const MAX_LISTED = 1000

/** Returns the people of a workspace and the organization's admins, with the roles that the caller may give there. */
export async function listWorkspaceUsers(c: Context<AppEnv>, actor: UserActor, id: string): Promise<WorkspaceUsers> {
  const { db } = c.get('services')
  const standing = await readStanding(db, actor)
  assertHolds(standing, id, 'workspace:view')
  const { inOrganization } = organizationScope(db, actor)
  const membership = and(eq(workspaceMembers.workspaceId, id), eq(workspaceMembers.userId, users.id))
  const [[workspace], people, roleRows] = await db.batch([
    db.select({ id: workspaces.id, name: workspaces.name }).from(workspaces).where(isOpen(actor, id)),
    db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        isAdmin: organizationMembers.isAdmin,
        disabledDate: organizationMembers.disabledDate,
        roleId: roles.id,
        roleName: roles.name,
      })
      .from(organizationMembers)
      .innerJoin(users, eq(users.id, organizationMembers.userId))
      .leftJoin(workspaceMembers, membership)
      .leftJoin(roles, and(eq(roles.id, workspaceMembers.roleId), eq(roles.organizationId, actor.organizationId)))
      .where(
        inOrganization(
          organizationMembers,
          or(eq(organizationMembers.isAdmin, true), sql`${workspaceMembers.userId} is not null`),
        ),
      )
      .orderBy(asc(sql`lower(${users.name})`), asc(users.id))
      .limit(MAX_LISTED),
    db
      .select()
      .from(roles)
      .where(inOrganization(roles, eq(roles.kind, 'workspace')))
      .orderBy(sql`${roles.builtIn} is null`, asc(roles.name), asc(roles.id)),
  ])
  if (!workspace) throw workspaceNotFound(id)
  return {
    workspace,
    users: people.map(({ disabledDate, roleId, roleName, ...person }) => ({
      ...person,
      isDisabled: disabledDate !== null,
      role: roleId === null || roleName === null ? null : { id: roleId, name: roleName },
    })),
    roles: roleRows
      .filter((role) => mayGiveRole(standing, role, id))
      .map(({ id: roleId, name, description }) => ({ id: roleId, name, description })),
  }
}

interface Named {
  workspaceId: string
  userId: string
}

/** Adds a member of the organization. Throws `bad_request` naming the field, and `conflict` for who is in it already. */
export function addWorkspaceUser(
  c: Context<AppEnv>,
  actor: UserActor,
  { workspaceId, email, roleId }: { workspaceId: string; email: string; roleId: string },
): Promise<void> {
  return changePlace(c, { actor, workspaceId }, async (organization) => {
    const { tx, record } = organization
    const [workspace] = await tx.select({ id: workspaces.id }).from(workspaces).where(isOpen(actor, workspaceId))
    if (!workspace) throw workspaceNotFound(workspaceId)
    const [person] = await peopleOf(tx, actor, workspaceId, eq(users.email, email))
    if (!person || person.disabledDate !== null) {
      const message = 'email: Nobody who is active in your organization has this address. Invite them first.'
      throw new HeddleError('bad_request', message, { field: 'email' })
    }
    const role = await readRole(tx, actor, roleId)
    await assertAllowed(organization, { workspaceId, userId: person.id, role })
    if (person.assigned !== null) throw new HeddleError('conflict', `${person.name} is in this workspace already`)
    await tx.insert(workspaceMembers).values({ workspaceId, userId: person.id, roleId })
    await record({
      event: 'workspace.add-user',
      target: { id: person.id, name: person.name },
      change: { workspace: workspaceId, role: [null, role.name] },
    })
  })
}

export function changeWorkspaceRole(
  c: Context<AppEnv>,
  actor: UserActor,
  { workspaceId, userId, roleId }: Named & { roleId: string },
): Promise<void> {
  return changePlace(c, { actor, workspaceId }, async (organization) => {
    const { tx, record } = organization
    const person = await readWorkspaceUser(tx, actor, { workspaceId, userId })
    const role = await readRole(tx, actor, roleId)
    await assertAllowed(organization, { workspaceId, userId, role })
    if (person.roleId === roleId) return
    await tx.update(workspaceMembers).set({ roleId }).where(isMembership({ workspaceId, userId }))
    await record({
      event: 'workspace.change-role',
      target: { id: userId, name: person.name },
      change: { workspace: workspaceId, role: [person.roleName, role.name] },
    })
  })
}

/** The person goes on in another workspace. */
export function removeWorkspaceUser(c: Context<AppEnv>, actor: UserActor, named: Named): Promise<void> {
  return changePlace(c, { actor, workspaceId: named.workspaceId }, async (organization) => {
    const person = await readWorkspaceUser(organization.tx, actor, named)
    if (named.userId !== actor.userId) await assertAllowed(organization, { ...named, role: null })
    await takeOut(organization, named, person)
  })
}

/** Anybody may leave by themselves. Throws `not_found` for who is not in the workspace. */
export function leaveOwnWorkspace(c: Context<AppEnv>, actor: UserActor, workspaceId: string): Promise<void> {
  return changeOrganization(c, { actor }, async (organization) => {
    const [person] = await peopleOf(organization.tx, actor, workspaceId, eq(users.id, actor.userId))
    if (!person?.assigned) throw workspaceNotFound(workspaceId)
    await takeOut(organization, { workspaceId, userId: actor.userId }, person)
  })
}

/** Checks `workspace:update` as part of the change: of two mutual changes, the second sees the first. */
function changePlace(
  c: Context<AppEnv>,
  { actor, workspaceId }: { actor: UserActor; workspaceId: string },
  work: (organization: OrganizationChange) => Promise<void>,
): Promise<void> {
  return changeOrganization(c, { actor }, (organization) => {
    assertHolds(organization.actor.standing, workspaceId, 'workspace:update')
    return work(organization)
  })
}

async function takeOut({ tx, record }: OrganizationChange, named: Named, person: Person): Promise<void> {
  await tx.delete(workspaceMembers).where(isMembership(named))
  if (!person.isAdmin) {
    const leaving = { workspaceId: named.workspaceId, userIds: [named.userId] }
    for (const statement of leaveWorkspace(tx, leaving)) await statement
  }
  await record({
    event: 'workspace.remove-user',
    target: { id: named.userId, name: person.name },
    change: { workspace: named.workspaceId, role: [person.roleName, null] },
  })
}

type Person = Awaited<ReturnType<typeof peopleOf>>[number]

const isMembership = ({ workspaceId, userId }: Named) =>
  and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, userId))

const isOpen = ({ organizationId }: UserActor, id: string) =>
  and(eq(workspaces.id, id), eq(workspaces.organizationId, organizationId), isNull(workspaces.deletedDate))

/** Selects members of the organization, with their place in a workspace that is in use. */
function peopleOf(db: Database, actor: UserActor, workspaceId: string, condition: ReturnType<typeof eq>) {
  const membership = and(eq(workspaceMembers.workspaceId, workspaceId), eq(workspaceMembers.userId, users.id))
  return db
    .select({
      id: users.id,
      name: users.name,
      isAdmin: organizationMembers.isAdmin,
      disabledDate: organizationMembers.disabledDate,
      assigned: workspaceMembers.userId,
      roleId: workspaceMembers.roleId,
      roleName: roles.name,
    })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .innerJoin(workspaces, isOpen(actor, workspaceId))
    .leftJoin(workspaceMembers, membership)
    .leftJoin(roles, eq(roles.id, workspaceMembers.roleId))
    .where(organizationScope(db, actor).inOrganization(organizationMembers, condition))
    .limit(1)
}

/** Throws `not_found` unless the person is in the workspace. */
async function readWorkspaceUser(db: Database, actor: UserActor, { workspaceId, userId }: Named) {
  const [person] = await peopleOf(db, actor, workspaceId, eq(users.id, userId))
  if (person?.assigned) return person
  throw new HeddleError('not_found', `User ${userId} not found in this workspace`)
}

/** Throws `bad_request` unless the organization has such a role of a workspace. */
async function readRole(db: Database, actor: UserActor, roleId: string) {
  const isOfWorkspaces = and(eq(roles.id, roleId), eq(roles.kind, 'workspace'))
  const [role] = await organizationScope(db, actor).select(roles, isOfWorkspaces)
  if (role) return role as typeof roles.$inferSelect
  throw new HeddleError('bad_request', 'roleId: There is no such role. Choose another one.', { field: 'roleId' })
}

/** Throws `forbidden` by the rules of who may change whose rights. */
async function assertAllowed(
  { actor, members }: OrganizationChange,
  { workspaceId, userId, role }: Named & { role: StoredRole | null },
): Promise<void> {
  const [target] = await members([userId])
  if (!target) throw new HeddleError('not_found', `User ${userId} not found in this workspace`)
  const refusal = memberRefusal({
    actor: actor.standing,
    target: target.standing,
    isSelf: userId === actor.id,
    change: { kind: 'role', place: workspaceId, role },
    otherAdmins: 1,
  })
  if (refusal) throw new HeddleError('forbidden', REFUSALS[refusal])
}
