/** Members of an organization with their roles, as the rules of `worker/contract/access/grants.ts` see them. */
import { and, asc, count, eq, inArray, isNotNull, isNull, ne } from 'drizzle-orm'
import { type Standing, standingOf } from '#contract/access/index.ts'
import type { Database } from '#db/client.ts'
import { authenticators, organizationMembers, roles, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'

/** Statements that select members; all of them without ids. Run them in a batch, and `toMembers` on their rows. */
export function memberQueries(db: Database, organizationId: string, userIds?: readonly string[]) {
  const { inOrganization } = organizationScope(db, { organizationId })
  const isRole = eq(roles.organizationId, organizationId)
  return [
    db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        lastLogin: users.lastLogin,
        isAdmin: organizationMembers.isAdmin,
        disabledDate: organizationMembers.disabledDate,
        authenticatorOf: authenticators.userId,
        role: roles,
      })
      .from(organizationMembers)
      .innerJoin(users, eq(users.id, organizationMembers.userId))
      .leftJoin(roles, and(eq(roles.id, organizationMembers.roleId), isRole))
      .leftJoin(authenticators, and(eq(authenticators.userId, users.id), isNotNull(authenticators.confirmedDate)))
      .where(inOrganization(organizationMembers, userIds && inArray(organizationMembers.userId, [...userIds])))
      .orderBy(asc(users.name), asc(users.id)),
    db
      .select({
        userId: workspaceMembers.userId,
        workspaceId: workspaces.id,
        workspace: workspaces.name,
        deletedDate: workspaces.deletedDate,
        role: roles,
      })
      .from(workspaceMembers)
      .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
      .leftJoin(roles, and(eq(roles.id, workspaceMembers.roleId), isRole))
      .where(inOrganization(workspaces, userIds && inArray(workspaceMembers.userId, [...userIds])))
      .orderBy(asc(workspaces.name), asc(workspaces.id)),
  ] as const
}

type Queries = ReturnType<typeof memberQueries>
type Rows = readonly [Awaited<Queries[0]>, Awaited<Queries[1]>]

export type MemberRow = Rows[0][number] & { assignments: Rows[1]; standing: Standing }

export function toMembers([members, assignments]: Rows): MemberRow[] {
  const byUser = Map.groupBy(assignments, ({ userId }) => userId)
  return members.map((member) => {
    const own = byUser.get(member.id) ?? []
    return { ...member, assignments: own, standing: standingOf({ ...member, workspaces: own }) }
  })
}

/** Selects the number of active admins besides one member. */
export function otherAdminsQuery(db: Database, organizationId: string, userId: string) {
  return db
    .select({ count: count() })
    .from(organizationMembers)
    .where(
      organizationScope(db, { organizationId }).inOrganization(
        organizationMembers,
        and(
          eq(organizationMembers.isAdmin, true),
          isNull(organizationMembers.disabledDate),
          ne(organizationMembers.userId, userId),
        ),
      ),
    )
}
