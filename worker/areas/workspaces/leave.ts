/** Where people go on who lose a workspace. */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { organizationMembers, sessions, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'

interface Leaving {
  workspaceId: string
  /** By default everybody. */
  userIds?: string[]
}

/**
 * Returns the statements that move sessions out of a workspace, of some people or of everybody: into another workspace
 * that the person may use, of the same organization if there is one. Run them in the batch of the change, after it.
 */
export function leaveWorkspace(db: Database, { workspaceId, userIds }: Leaving) {
  const handle = acrossOrganizations(db, 'a person may go on in a workspace of another organization')
  const next = (user: SQL) => sql<string>`(
    select ${workspaces.id} from ${workspaces}
    join ${organizationMembers} on ${organizationMembers.organizationId} = ${workspaces.organizationId}
      and ${organizationMembers.userId} = ${user} and ${organizationMembers.disabledDate} is null
    where ${workspaces.deletedDate} is null and ${workspaces.id} <> ${workspaceId} and (
      ${organizationMembers.isAdmin} or exists (
        select 1 from ${workspaceMembers}
        where ${workspaceMembers.workspaceId} = ${workspaces.id} and ${workspaceMembers.userId} = ${user}))
    order by ${workspaces.organizationId} = (
      select home.organization_id from ${workspaces} home where home.id = ${workspaceId}) desc,
      ${workspaces.createdDate}, ${workspaces.id}
    limit 1)`
  const ofPerson = (column: typeof sessions.userId | typeof users.id) =>
    userIds === undefined ? undefined : inArray(column, userIds)
  return [
    handle
      .update(sessions)
      .set({ activeWorkspaceId: next(sql`${sessions.userId}`) })
      .where(and(eq(sessions.activeWorkspaceId, workspaceId), ofPerson(sessions.userId))),
    handle
      .update(users)
      .set({ activeWorkspaceId: sql`coalesce(${next(sql`${users.id}`)}, ${users.activeWorkspaceId})` })
      .where(and(eq(users.activeWorkspaceId, workspaceId), ofPerson(users.id))),
  ] as const
}
