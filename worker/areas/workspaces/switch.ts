import { and, eq, exists, isNull, or } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { organizationMembers, sessions, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import type { UserActor } from '../../http/route.ts'
import { workspaceNotFound } from './standings.ts'

/** Sets the workspace of the session, and where the next one begins. Throws `not_found` for one that is not the person's. */
export async function switchWorkspace(db: Database, actor: UserActor, workspaceId: string): Promise<void> {
  const handle = acrossOrganizations(db, 'a person may switch to a workspace of another organization')
  const isAssigned = handle
    .select({ userId: workspaceMembers.userId })
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, actor.userId)))
  const isTheirs = handle
    .select({ id: workspaces.id })
    .from(workspaces)
    .innerJoin(organizationMembers, eq(organizationMembers.organizationId, workspaces.organizationId))
    .where(
      and(
        eq(workspaces.id, workspaceId),
        isNull(workspaces.deletedDate),
        eq(organizationMembers.userId, actor.userId),
        isNull(organizationMembers.disabledDate),
        or(eq(organizationMembers.isAdmin, true), exists(isAssigned)),
        // Who signed in with an organization's provider stays in that organization.
        actor.limitedTo === null ? undefined : eq(workspaces.organizationId, actor.limitedTo),
      ),
    )
  const [switched] = await handle.batch([
    handle
      .update(sessions)
      .set({ activeWorkspaceId: workspaceId })
      .where(and(eq(sessions.id, actor.sessionId), exists(isTheirs)))
      .returning({ id: sessions.id }),
    handle
      .update(users)
      .set({ activeWorkspaceId: workspaceId })
      .where(and(eq(users.id, actor.userId), exists(isTheirs))),
  ])
  if (switched.length === 0) throw workspaceNotFound(workspaceId)
}
