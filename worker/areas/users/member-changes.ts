/** Changes of a member, by admins and directories alike. */
import { and, eq, exists, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { type MemberChange, memberRefusal, REFUSALS, type Refusal } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { AuditEvent } from '#contract/organization/audit.ts'
import type { Database } from '#db/client.ts'
import {
  organizationMembers,
  scimGroupMembers,
  sessions,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { OrganizationChange } from './change-organization.ts'
import { type MemberRow, memberQueries, otherAdminsQuery, toMembers } from './members.ts'

export interface MemberAttempt {
  organization: OrganizationChange
  target: MemberRow
  /** Returns why the rules refuse the change. */
  refusalOf(change: MemberChange): Refusal | undefined
  /** Throws `conflict`, or `bad_request` when a field is to blame, when the rules refuse the change. */
  allow(change: MemberChange, field?: string): void
}

interface Named {
  id: string
  /** The actor changes their own membership. */
  isSelf: boolean
}

/** Returns undefined when the organization has no such member. */
export async function attemptMember(
  organization: OrganizationChange,
  { id, isSelf }: Named,
): Promise<MemberAttempt | undefined> {
  const { tx, rows, actor } = organization
  const [members, assignments, [others]] = await tx.batch([
    ...memberQueries(tx, rows.organizationId, [id]),
    otherAdminsQuery(tx, rows.organizationId, id),
  ])
  const [target] = toMembers([members, assignments])
  if (!target) return undefined
  const otherAdmins = others?.count ?? 0
  const refusalOf = (change: MemberChange) =>
    memberRefusal({ actor: actor.standing, target: target.standing, ...{ isSelf, change, otherAdmins } })
  const allow = (change: MemberChange, field?: string) => {
    const refusal = refusalOf(change)
    if (refusal === undefined) return
    if (refusal !== 'not_held' || !field) throw new HeddleError('conflict', REFUSALS[refusal], { error: refusal })
    throw new HeddleError('bad_request', `${field}: ${REFUSALS[refusal]}`, { field, error: refusal })
  }
  return { organization, target, refusalOf, allow }
}

/** Disables a member from a moment on, or enables them (null). */
export async function switchMember({ organization, target }: MemberAttempt, from: Date | null): Promise<void> {
  if ((target.disabledDate !== null) === (from !== null)) return
  const disabledDate = from?.toISOString() ?? null
  await organization.rows.update(organizationMembers, eq(organizationMembers.userId, target.id), { disabledDate })
  await recordChange(organization, target, from ? 'user.disable' : 'user.enable')
}

/** Removes a member, with their places, and ends their sessions here. */
export async function endMembership({ organization, target }: MemberAttempt, now: Date): Promise<void> {
  const { tx, rows } = organization
  const { organizationId } = rows
  const own = tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.organizationId, organizationId))
  await rows.delete(scimGroupMembers, eq(scimGroupMembers.userId, target.id))
  await tx
    .delete(workspaceMembers)
    .where(and(eq(workspaceMembers.userId, target.id), inArray(workspaceMembers.workspaceId, own)))
  await rows.delete(organizationMembers, eq(organizationMembers.userId, target.id))
  await endSessions(organization, target.id, now)
  await recordChange(organization, target, 'user.remove')
}

export const recordChange = (
  { record }: OrganizationChange,
  { id, email }: Pick<MemberRow, 'id' | 'email'>,
  event: AuditEvent,
  change?: Record<string, unknown>,
) => record({ event, target: { id, name: email }, ...(change && { change }) })

/** Ends the sessions that show a workspace of the organization; the next one begins where the person still belongs. */
export async function endSessions({ tx, rows }: OrganizationChange, userId: string, now: Date): Promise<void> {
  const { organizationId } = rows
  const own = tx.select({ id: workspaces.id }).from(workspaces).where(eq(workspaces.organizationId, organizationId))
  const begins = tx.select({ id: users.activeWorkspaceId }).from(users).where(eq(users.id, userId))
  const isHere = or(
    inArray(sessions.activeWorkspaceId, own),
    and(isNull(sessions.activeWorkspaceId), inArray(sql`(${begins})`, own)),
  )
  await tx
    .update(sessions)
    .set({ revokedDate: now.toISOString() })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedDate), isHere))
  const elsewhere = tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(ne(workspaces.organizationId, organizationId), isNull(workspaces.deletedDate), isIn(tx, userId)))
    .limit(1)
  await tx
    .update(users)
    .set({ activeWorkspaceId: sql`coalesce((${elsewhere}), ${users.activeWorkspaceId})` })
    .where(and(eq(users.id, userId), inArray(users.activeWorkspaceId, own)))
}

/** The condition that a person belongs to a workspace. */
function isIn(tx: Database, userId: string) {
  const membership = and(
    eq(organizationMembers.organizationId, workspaces.organizationId),
    eq(organizationMembers.userId, userId),
    isNull(organizationMembers.disabledDate),
  )
  const assigned = and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, userId))
  return or(
    exists(
      tx
        .select()
        .from(organizationMembers)
        .where(and(membership, eq(organizationMembers.isAdmin, true))),
    ),
    and(
      exists(tx.select().from(organizationMembers).where(membership)),
      exists(tx.select().from(workspaceMembers).where(assigned)),
    ),
  )
}

/** Returns true for a person of no other organization, disabled there or not. */
export async function isOnlyHere({ tx, rows }: OrganizationChange, userId: string): Promise<boolean> {
  const isElsewhere = and(
    eq(organizationMembers.userId, userId),
    ne(organizationMembers.organizationId, rows.organizationId),
  )
  const [elsewhere] = await acrossOrganizations(tx, 'whether a person is a member of any other organization')
    .select({ userId: organizationMembers.userId })
    .from(organizationMembers)
    .where(isElsewhere)
    .limit(1)
  return elsewhere === undefined
}
