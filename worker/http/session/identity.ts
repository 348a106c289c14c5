/** Finds the user of a session or an API key in one query. */
import { and, eq } from 'drizzle-orm'
import { isKeyPermission } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { apikeys, organizationMembers, roles, sessions, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import type { Actor, UserActor } from '../route.ts'
import { expiredKey, isExpired } from './key-use.ts'
import { tokenHash } from './secrets.ts'
import { invalidToken } from './tokens.ts'

/** Selects a session with its user, active workspace and membership. Returns at most one row. */
export function identityQuery(db: Database, sessionId: string) {
  const membership = and(
    eq(organizationMembers.organizationId, workspaces.organizationId),
    eq(organizationMembers.userId, users.id),
  )
  const assignment = and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, users.id))
  const role = and(eq(roles.id, workspaceMembers.roleId), eq(roles.organizationId, workspaces.organizationId))
  return db
    .select({
      sessionId: sessions.id,
      expiresDate: sessions.expiresDate,
      revokedDate: sessions.revokedDate,
      user: users,
      workspaceId: workspaces.id,
      workspaceName: workspaces.name,
      organizationId: workspaces.organizationId,
      isOrganizationAdmin: organizationMembers.isAdmin,
      assignedTo: workspaceMembers.workspaceId,
      roleName: roles.name,
      rolePermissions: roles.permissions,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(workspaces, eq(workspaces.id, users.activeWorkspaceId))
    .leftJoin(organizationMembers, membership)
    .leftJoin(workspaceMembers, assignment)
    .leftJoin(roles, role)
    .where(eq(sessions.id, sessionId))
}

export type IdentityRow = Awaited<ReturnType<typeof identityQuery>>[number]

/** Returns the row when the session is valid and its user may use the workspace. Throws 401 by the error catalogue. */
export function verifiedIdentity(row: IdentityRow | undefined, now: Date): IdentityRow {
  if (!row) throw invalidToken()
  if (row.revokedDate !== null || row.expiresDate <= now.toISOString()) throw endedSession()
  if (row.user.status !== 'active' || (!row.isOrganizationAdmin && !row.assignedTo)) {
    throw new HeddleError('unauthorized', 'Your account has no access to this workspace', {
      error: 'unauthorized',
      redirectTo: '/unauthorized',
    })
  }
  return row
}

export function endedSession(): HeddleError {
  return new HeddleError('unauthorized', 'Your session has ended. Sign in again.', {
    error: 'unauthorized',
    redirectTo: '/signin',
  })
}

export function userActor(row: IdentityRow): UserActor {
  return {
    kind: 'user',
    userId: row.user.id,
    sessionId: row.sessionId,
    workspaceId: row.workspaceId,
    organizationId: row.organizationId,
    isOrganizationAdmin: row.isOrganizationAdmin ?? false,
    permissions: row.rolePermissions ?? [],
    features: {},
  }
}

/** Selects an API key. Returns at most one row. */
export function apiKeyQuery(db: Database, key: string) {
  return acrossWorkspaces(db, 'an API key is found by its hash and names its workspace')
    .select({
      id: apikeys.id,
      workspaceId: apikeys.workspaceId,
      permissions: apikeys.permissions,
      flowIds: apikeys.flowIds,
      expiresDate: apikeys.expiresDate,
      lastUsedDate: apikeys.lastUsedDate,
    })
    .from(apikeys)
    .where(eq(apikeys.keyHash, tokenHash(key)))
}

type ApiKeyRow = Awaited<ReturnType<typeof apiKeyQuery>>[number]

/**
 * Returns the actor of an API key, without permissions that only people may hold. Throws 401 when the key does not
 * exist or has expired.
 */
export function apiKeyActor(row: ApiKeyRow | undefined, now: Date): Actor {
  if (!row) throw invalidToken()
  if (isExpired(row, now)) throw expiredKey(row)
  const permissions = row.permissions.filter(isKeyPermission)
  return { kind: 'apiKey', keyId: row.id, workspaceId: row.workspaceId, permissions }
}
