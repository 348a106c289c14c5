/** The roles an invitation grants, and the check that its inviter may grant them. */
import { and, asc, eq, isNull } from 'drizzle-orm'
import { holdsAt, mayGiveRole, ORGANIZATION, REFUSALS, type Standing } from '#contract/access/index.ts'
import type { Invite } from '#contract/organization/members.ts'
import type { Database } from '#db/client.ts'
import { roles, workspaces } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { type MemberRow, readMembers } from '../users/index.ts'

type Grants = Pick<Invite, 'roleId' | 'workspaces'>

export interface Givable {
  roles: (typeof roles.$inferSelect)[]
  workspaces: { id: string; name: string }[]
}

/** Statements that select the roles and workspaces that an organization has. */
export const givableQueries = (db: Database, organizationId: string) =>
  [
    organizationScope(db, { organizationId }).select(roles).orderBy(asc(roles.name), asc(roles.id)),
    db
      .select({ id: workspaces.id, name: workspaces.name })
      .from(workspaces)
      .where(and(eq(workspaces.organizationId, organizationId), isNull(workspaces.deletedDate)))
      .orderBy(asc(workspaces.name), asc(workspaces.id)),
  ] as const

export async function readGivable(db: Database, organizationId: string): Promise<Givable> {
  const [found, workspaces] = await db.batch(givableQueries(db, organizationId))
  return { roles: found as Givable['roles'], workspaces }
}

/** Returns the first field that names nothing, or gives more than the giver holds there. */
export function grantProblem(giver: Standing, given: Grants, { roles, workspaces }: Givable) {
  const problemOf = (roleId: string, place: string) => {
    const role = roles.find(({ id }) => id === roleId)
    if (!role || (role.kind === 'organization') !== (place === ORGANIZATION)) return 'There is no such role here'
    return mayGiveRole(giver, role, place) ? undefined : REFUSALS.not_held
  }
  const ofOrganization = given.roleId === null ? undefined : problemOf(given.roleId, ORGANIZATION)
  if (ofOrganization) return { field: 'roleId', message: ofOrganization }
  for (const [index, { workspaceId, roleId }] of given.workspaces.entries()) {
    const field = `workspaces.${index}`
    const isRepeated = given.workspaces.findIndex((each) => each.workspaceId === workspaceId) < index
    if (isRepeated) return { field: `${field}.workspaceId`, message: 'This workspace is named twice' }
    if (!workspaces.some(({ id }) => id === workspaceId)) {
      return { field: `${field}.workspaceId`, message: 'There is no such workspace' }
    }
    const ofWorkspace = problemOf(roleId, workspaceId)
    if (ofWorkspace) return { field: `${field}.roleId`, message: ofWorkspace }
  }
  return undefined
}

/** True while the inviter is an active member who may invite people, and holds everything that the invitation gives. */
export function isBacked(inviter: MemberRow | undefined, given: Grants, givable: Givable): boolean {
  if (!inviter || inviter.disabledDate !== null) return false
  return holdsAt(inviter.standing, ORGANIZATION, 'users:manage') && !grantProblem(inviter.standing, given, givable)
}

/** Works as `isBacked` does, for an invitation as its row has it. */
export async function isStillBacked(
  db: Database,
  invitation: Grants & { organizationId: string; invitedBy: string },
): Promise<boolean> {
  const [inviter] = await readMembers(db, invitation.organizationId, [invitation.invitedBy])
  return isBacked(inviter, invitation, await readGivable(db, invitation.organizationId))
}
