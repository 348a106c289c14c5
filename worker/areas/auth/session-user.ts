/** The user object that register, login, refreshToken and /auth/me return. */
import { and, eq, exists, isNull, or, sql } from 'drizzle-orm'
import { allPermissions, featuresOf } from '#contract/access/index.ts'
import type { SessionUser } from '#contract/account/account.ts'
import type { Database } from '#db/client.ts'
import { identityProviders, organizationMembers, sessions, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { remember, sessionName } from '../../http/known-actors.ts'
import {
  type IdentityRow,
  identityQuery,
  isPlatformAdmin,
  permissionsOf,
  rolesOf,
  userActor,
  verifiedIdentity,
} from '../../http/session/identity.ts'
import { speaksForAccount } from '../../http/session/managed-account.ts'
import type { Services } from '../../services.ts'

type UserServices = Pick<Services, 'db' | 'clock' | 'config'>

/** One round trip. Throws `unauthorized` when the session has ended. */
export async function sessionUser(services: UserServices, sessionId: string): Promise<SessionUser> {
  return toSessionUser(services, await services.db.batch(userQueries(services.db, sessionId)))
}

export const userQueries = (db: Database, sessionId: string) =>
  [identityQuery(db, sessionId), assignedQuery(db, sessionId)] as const

export type UserRows = readonly [IdentityRow[], SessionUser['assignedWorkspaces']]

/** Reads the rows of `userQueries`. Throws `unauthorized` when the session has ended. */
export async function toSessionUser(
  { db, clock, config }: UserServices,
  [rows, assignedWorkspaces]: UserRows,
): Promise<SessionUser> {
  const row = verifiedIdentity(rows[0], clock.now())
  const actor = remember(sessionName(row.sessionId), userActor(row, config))
  const managesAccount = await speaksForAccount(db, actor)
  return { ...describeUser(row, assignedWorkspaces, config), managesAccount }
}

/** Organization admins have all workspaces, everyone else the assigned ones. */
function assignedQuery(db: Database, sessionId: string) {
  const handle = acrossOrganizations(db, 'a session names its user, who may belong to several organizations')
  const membership = handle
    .select()
    .from(organizationMembers)
    .where(
      and(
        eq(organizationMembers.organizationId, workspaces.organizationId),
        eq(organizationMembers.userId, sessions.userId),
        isNull(organizationMembers.disabledDate),
      ),
    )
  const administered = handle
    .select()
    .from(organizationMembers)
    .where(
      and(
        eq(organizationMembers.organizationId, workspaces.organizationId),
        eq(organizationMembers.userId, sessions.userId),
        eq(organizationMembers.isAdmin, true),
      ),
    )
  const assigned = handle
    .select()
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, sessions.userId)))
  return handle
    .select({ id: workspaces.id, name: workspaces.name })
    .from(sessions)
    .innerJoin(workspaces, isNull(workspaces.deletedDate))
    .leftJoin(identityProviders, eq(identityProviders.id, sessions.identityProviderId))
    .where(
      and(
        eq(sessions.id, sessionId),
        // An organization's identity provider opens its own workspaces only.
        eq(workspaces.organizationId, sql`coalesce(${identityProviders.organizationId}, ${workspaces.organizationId})`),
        exists(membership),
        or(exists(administered), exists(assigned)),
      ),
    )
    .orderBy(workspaces.name, workspaces.id)
}

function describeUser(
  row: IdentityRow,
  assignedWorkspaces: SessionUser['assignedWorkspaces'],
  config: Services['config'],
): Omit<SessionUser, 'managesAccount'> {
  const isOrganizationAdmin = row.isOrganizationAdmin ?? false
  return {
    id: row.user.id,
    email: row.user.email,
    name: row.user.name,
    status: row.user.status,
    role: isOrganizationAdmin ? 'Organization Admin' : (row.role?.name ?? null),
    roles: rolesOf(row),
    isSSO: row.identityProviderId !== null,
    activeOrganizationId: row.organizationId,
    activeOrganizationSubscriptionId: null,
    activeOrganizationCustomerId: null,
    activeOrganizationProductId: null,
    activeWorkspaceId: row.workspaceId,
    activeWorkspace: row.workspaceName,
    lastLogin: row.user.lastLogin,
    isOrganizationAdmin,
    isPlatformAdmin: isPlatformAdmin(row, config),
    assignedWorkspaces,
    permissions: isOrganizationAdmin ? [...allPermissions] : permissionsOf(row),
    features: featuresOf(config.platformType),
  }
}
