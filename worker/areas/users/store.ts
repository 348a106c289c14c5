/** The people of an organization, and what admins do with them. */
import { and, eq, inArray } from 'drizzle-orm'
import type { Context } from 'hono'
import { holdsMore, ORGANIZATION } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { OrganizationMember, RemovedMember } from '#contract/organization/members.ts'
import type { PageQuery } from '#contract/schemas/page.ts'
import { apikeys, auditEvents, organizationMembers, roles, workspaces } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { changeOrganization, type OrganizationChange } from './change-organization.ts'
import { attemptMember, endMembership, type MemberAttempt, recordChange, switchMember } from './member-changes.ts'
import { type MemberRow, memberQueries, toMembers } from './members.ts'

const notFound = (id: string) => new HeddleError('not_found', `User ${id} not found`)

/** Sorted by name. With page and limit, returns one page and the total. */
export async function listMembers({ db }: Pick<Services, 'db'>, actor: UserActor, { page, limit }: PageQuery) {
  const all = toMembers(await db.batch(memberQueries(db, actor.organizationId)))
  const self = all.find(({ id }) => id === actor.userId)
  const data = all.map((member) => toMember(member, self))
  if (!page || !limit) return data
  return { data: data.slice((page - 1) * limit, page * limit), total: data.length }
}

export async function readMember({ db }: Pick<Services, 'db'>, actor: UserActor, id: string) {
  const found = toMembers(await db.batch(memberQueries(db, actor.organizationId, [id, actor.userId])))
  const member = found.find((each) => each.id === id)
  if (!member) throw notFound(id)
  return toMember(
    member,
    found.find((each) => each.id === actor.userId),
  )
}

function toMember(member: MemberRow, viewer: MemberRow | undefined): OrganizationMember {
  const { id, name, email, isAdmin, disabledDate, role, lastLogin, authenticatorOf, assignments } = member
  return {
    ...{ id, name, email, isAdmin, lastLogin },
    isDisabled: disabledDate !== null,
    hasSecondStep: authenticatorOf !== null,
    role: named(role),
    workspaces: assignments
      .filter(({ deletedDate }) => deletedDate === null)
      .map(({ workspaceId, workspace, role }) => ({ id: workspaceId, name: workspace, role: named(role) })),
    canChange: viewer !== undefined && viewer.id !== id && !holdsMore(member.standing, viewer.standing),
  }
}

const named = (row: { id: string; name: string } | null) => row && { id: row.id, name: row.name }

export interface MemberChange {
  actor: UserActor
  /** The member who is changed. */
  id: string
  /** The actor goes, which needs no permission. */
  isLeaving?: true
}

export async function setDisabled(c: Context<AppEnv>, given: MemberChange & { disabled: boolean }): Promise<void> {
  const kind = given.disabled ? 'disable' : 'enable'
  await changeMember(c, given, async (attempt) => {
    attempt.allow({ kind })
    await switchMember(attempt, given.disabled ? c.get('services').clock.now() : null)
  })
}

export async function setAdmin(c: Context<AppEnv>, given: MemberChange & { isAdmin: boolean }): Promise<void> {
  const { isAdmin } = given
  await changeMember(c, given, async ({ organization, target, allow }) => {
    allow({ kind: 'admin', isAdmin })
    if (target.isAdmin === isAdmin) return
    await organization.rows.update(organizationMembers, eq(organizationMembers.userId, given.id), { isAdmin })
    await recordChange(organization, target, 'user.change-admin', { isAdmin: [target.isAdmin, isAdmin] })
  })
}

/** Gives the member another role in the organization, or none. */
export async function setRole(c: Context<AppEnv>, given: MemberChange & { roleId: string | null }): Promise<void> {
  const { roleId } = given
  await changeMember(c, given, async ({ organization, target, allow }) => {
    const [role = null] = roleId === null ? [] : await organization.rows.select(roles, eq(roles.id, roleId))
    if (roleId !== null && role?.kind !== 'organization') {
      throw new HeddleError('bad_request', 'roleId: There is no such role of the organization', { field: 'roleId' })
    }
    allow({ kind: 'role', place: ORGANIZATION, role }, 'roleId')
    if ((target.role?.id ?? null) === roleId) return
    await organization.rows.update(organizationMembers, eq(organizationMembers.userId, given.id), { roleId })
    await recordChange(organization, target, 'user.change-role', {
      role: [target.role?.name ?? null, role?.name ?? null],
    })
  })
}

/** Ends the membership and the sessions in the organization. Returns the API keys that the person made there. */
export function removeMember(c: Context<AppEnv>, given: MemberChange): Promise<RemovedMember> {
  return changeMember(c, given, async (attempt) => {
    attempt.allow({ kind: 'remove' })
    const apiKeys = await keysMadeBy(attempt.organization, given)
    await endMembership(attempt, c.get('services').clock.now())
    return { raw: [], affected: 1, apiKeys }
  })
}

/** The last active admin stays: `conflict`. */
export async function leaveOrganization(c: Context<AppEnv>, actor: UserActor): Promise<void> {
  await removeMember(c, { actor, id: actor.userId, isLeaving: true })
}

export function changeMember<Result>(
  c: Context<AppEnv>,
  { actor, id, isLeaving }: MemberChange,
  work: (attempt: MemberAttempt) => Promise<Result>,
): Promise<Result> {
  const access = isLeaving ? { actor } : { actor, permission: 'users:manage' }
  return changeOrganization(c, access, async (organization) => {
    const attempt = await attemptMember(organization, { id, isSelf: id === actor.userId })
    if (!attempt) throw notFound(id)
    return work(attempt)
  })
}

/** The audit log says who made a key. */
async function keysMadeBy(
  { tx, rows }: OrganizationChange,
  { actor, id }: MemberChange,
): Promise<RemovedMember['apiKeys']> {
  const made = tx
    .select({ id: auditEvents.targetId })
    .from(auditEvents)
    .where(rows.inOrganization(auditEvents, and(eq(auditEvents.actorId, id), eq(auditEvents.event, 'api-key.create'))))
  return acrossWorkspaces(tx, 'a person made API keys in several workspaces of one organization')
    .select({ id: apikeys.id, keyName: apikeys.keyName, workspaceId: workspaces.id, workspace: workspaces.name })
    .from(apikeys)
    .innerJoin(workspaces, eq(workspaces.id, apikeys.workspaceId))
    .where(and(eq(workspaces.organizationId, actor.organizationId), inArray(apikeys.id, made)))
    .orderBy(workspaces.name, apikeys.keyName)
}
