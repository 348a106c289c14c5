/** Who may work in a workspace, and as what. */
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { mayGiveRole, memberRefusal, REFUSALS, type StoredRole } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { WorkspaceUsers } from '#contract/organization/workspaces.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, roles, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import { auditEvent } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { leaveWorkspace } from './leave.ts'
import { assertHolds, noSuchWorkspace, readStanding, readStandings } from './standings.ts'

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
  if (!workspace) throw noSuchWorkspace(id)
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
export async function addWorkspaceUser(
  c: Context<AppEnv>,
  actor: UserActor,
  given: { workspaceId: string; email: string; roleId: string },
): Promise<void> {
  const { db } = c.get('services')
  const { workspaceId, email, roleId } = given
  assertHolds(await readStanding(db, actor), workspaceId, 'workspace:update')
  const [[workspace], [person]] = await db.batch([
    db.select({ id: workspaces.id }).from(workspaces).where(isOpen(actor, workspaceId)),
    peopleOf(db, actor, workspaceId, eq(users.email, email)),
  ])
  if (!workspace) throw noSuchWorkspace(workspaceId)
  if (!person || person.disabledDate !== null) {
    const message = 'email: Nobody who is active in your organization has this address. Invite them first.'
    throw new HeddleError('bad_request', message, { field: 'email' })
  }
  const role = await readRole(db, actor, roleId)
  await assertAllowed(db, actor, { workspaceId, userId: person.id, role })
  if (person.assigned !== null) throw new HeddleError('conflict', `${person.name} is in this workspace already`)
  const handle = acrossOrganizations(db, 'the person and the workspace were found in the organization')
  await db.batch([
    handle.insert(workspaceMembers).values({ workspaceId, userId: person.id, roleId }),
    auditEvent(c, actor, {
      event: 'workspace.add-user',
      target: { id: person.id, name: person.name },
      change: { workspace: workspaceId, role: { to: role.name } },
      ofOrganization: true,
    }),
  ])
}

export async function changeWorkspaceRole(
  c: Context<AppEnv>,
  actor: UserActor,
  { workspaceId, userId, roleId }: Named & { roleId: string },
): Promise<void> {
  const { db } = c.get('services')
  const person = await readWorkspaceUser(db, actor, { workspaceId, userId })
  const role = await readRole(db, actor, roleId)
  await assertAllowed(db, actor, { workspaceId, userId, role })
  if (person.roleId === roleId) return
  const handle = acrossOrganizations(db, 'the person and the workspace were found in the organization')
  await db.batch([
    handle.update(workspaceMembers).set({ roleId }).where(isMembership({ workspaceId, userId })),
    auditEvent(c, actor, {
      event: 'workspace.change-role',
      target: { id: userId, name: person.name },
      change: { workspace: workspaceId, role: { from: person.roleName, to: role.name } },
      ofOrganization: true,
    }),
  ])
}

/** The person goes on in another workspace. */
export async function removeWorkspaceUser(c: Context<AppEnv>, actor: UserActor, named: Named): Promise<void> {
  const { db } = c.get('services')
  const person = await readWorkspaceUser(db, actor, named)
  if (named.userId !== actor.userId) await assertAllowed(db, actor, { ...named, role: null })
  await takeOut(c, { actor, named, person })
}

/** Anybody may leave by themselves. Throws `not_found` for who is not in the workspace. */
export async function leaveOwnWorkspace(c: Context<AppEnv>, actor: UserActor, workspaceId: string): Promise<void> {
  const [person] = await peopleOf(c.get('services').db, actor, workspaceId, eq(users.id, actor.userId))
  if (!person?.assigned) throw noSuchWorkspace(workspaceId)
  await takeOut(c, { actor, named: { workspaceId, userId: actor.userId }, person })
}

async function takeOut(
  c: Context<AppEnv>,
  { actor, named, person }: { actor: UserActor; named: Named; person: Person },
): Promise<void> {
  const { db } = c.get('services')
  const handle = acrossOrganizations(db, 'the person and the workspace were found in the organization')
  await db.batch([
    handle.delete(workspaceMembers).where(isMembership(named)),
    ...(person.isAdmin ? [] : leaveWorkspace(db, { workspaceId: named.workspaceId, userIds: [named.userId] })),
    auditEvent(c, actor, {
      event: 'workspace.remove-user',
      target: { id: named.userId, name: person.name },
      change: { workspace: named.workspaceId, role: { from: person.roleName } },
      ofOrganization: true,
    }),
  ] as never)
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

/** Throws `not_found` unless the caller sees the workspace and the person is in it. */
async function readWorkspaceUser(db: Database, actor: UserActor, { workspaceId, userId }: Named) {
  assertHolds(await readStanding(db, actor), workspaceId, 'workspace:update')
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
  db: Database,
  actor: UserActor,
  { workspaceId, userId, role }: Named & { role: StoredRole | null },
): Promise<void> {
  const standings = await readStandings(db, actor, [actor.userId, userId])
  const [own, target] = [standings.get(actor.userId), standings.get(userId)]
  if (!own || !target) throw new HeddleError('not_found', `User ${userId} not found in this workspace`)
  const refusal = memberRefusal({
    actor: own,
    target,
    isSelf: userId === actor.userId,
    change: { kind: 'role', place: workspaceId, role },
    otherAdmins: 1,
  })
  if (refusal) throw new HeddleError('forbidden', REFUSALS[refusal])
}
