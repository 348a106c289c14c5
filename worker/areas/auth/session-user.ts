/** The user object that register, login, refreshToken and /auth/me return. */
import { and, eq, exists, or } from 'drizzle-orm'
import { allPermissions } from '#contract/access/index.ts'
import type { SessionUser } from '#contract/account.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, sessions, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { type IdentityRow, identityQuery, verifiedIdentity } from '../../http/session/identity.ts'
import type { Services } from '../../services.ts'

/** One round trip. Throws `unauthorized` when the session has ended. */
export async function sessionUser(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  sessionId: string,
): Promise<SessionUser> {
  const [rows, assignedWorkspaces] = await db.batch([identityQuery(db, sessionId), assignedQuery(db, sessionId)])
  return toSessionUser(verifiedIdentity(rows[0], clock.now()), assignedWorkspaces)
}

/** Organization admins have all workspaces, everyone else the assigned ones. */
function assignedQuery(db: Database, sessionId: string) {
  const administered = db
    .select()
    .from(organizationMembers)
    .where(
      and(
        eq(organizationMembers.organizationId, workspaces.organizationId),
        eq(organizationMembers.userId, sessions.userId),
        eq(organizationMembers.isAdmin, true),
      ),
    )
  const assigned = db
    .select()
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, sessions.userId)))
  return db
    .select({ id: workspaces.id, name: workspaces.name })
    .from(sessions)
    .innerJoin(workspaces, or(exists(administered), exists(assigned)))
    .where(eq(sessions.id, sessionId))
    .orderBy(workspaces.name, workspaces.id)
}

function toSessionUser(row: IdentityRow, assignedWorkspaces: SessionUser['assignedWorkspaces']): SessionUser {
  const isOrganizationAdmin = row.isOrganizationAdmin ?? false
  return {
    id: row.user.id,
    email: row.user.email,
    name: row.user.name,
    status: row.user.status,
    role: isOrganizationAdmin ? 'Organization Admin' : row.roleName,
    isSSO: false,
    activeOrganizationId: row.organizationId,
    activeOrganizationSubscriptionId: null,
    activeOrganizationCustomerId: null,
    activeOrganizationProductId: null,
    activeWorkspaceId: row.workspaceId,
    activeWorkspace: row.workspaceName,
    lastLogin: row.user.lastLogin,
    isOrganizationAdmin,
    assignedWorkspaces,
    permissions: isOrganizationAdmin ? [...allPermissions] : (row.rolePermissions ?? []),
    features: {},
  }
}
