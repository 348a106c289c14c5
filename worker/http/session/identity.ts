/** Finds the user of a session or an API key in one query. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { featuresOf, isKeyPermission, permissionsOfRole, type StoredRole } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import {
  apikeys,
  identityProviders,
  organizationMembers,
  roles,
  sessions,
  users,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import { acrossOrganizations, acrossWorkspaces, isInUse } from '#db/scope.ts'
import type { Config } from '../../services.ts'
import type { Actor, UserActor } from '../route.ts'
import { expiredKey, isExpired } from './key-use.ts'
import { tokenHash } from './secrets.ts'
import { invalidToken } from './tokens.ts'

const organizationRoles = alias(roles, 'organization_roles')

/** Selects a session with its user, active workspace and membership. Returns at most one row. */
export function identityQuery(db: Database, sessionId: string) {
  const activeWorkspaceId = sql`coalesce(${sessions.activeWorkspaceId}, ${users.activeWorkspaceId})`
  const membership = and(
    eq(organizationMembers.organizationId, workspaces.organizationId),
    eq(organizationMembers.userId, users.id),
    isNull(organizationMembers.disabledDate),
  )
  const assignment = and(eq(workspaceMembers.workspaceId, workspaces.id), eq(workspaceMembers.userId, users.id))
  const role = and(eq(roles.id, workspaceMembers.roleId), eq(roles.organizationId, workspaces.organizationId))
  const organizationRole = and(
    eq(organizationRoles.id, organizationMembers.roleId),
    eq(organizationRoles.organizationId, workspaces.organizationId),
  )
  return acrossOrganizations(db, 'a session names its user and workspace, and so the organization')
    .select({
      sessionId: sessions.id,
      expiresDate: sessions.expiresDate,
      revokedDate: sessions.revokedDate,
      confirmedDate: sessions.confirmedDate,
      lastSeenDate: sessions.lastSeenDate,
      identityProviderId: sessions.identityProviderId,
      providerId: identityProviders.id,
      providerOrganizationId: identityProviders.organizationId,
      user: users,
      workspaceId: workspaces.id,
      workspaceName: workspaces.name,
      workspaceDeletedDate: workspaces.deletedDate,
      organizationId: workspaces.organizationId,
      memberOf: organizationMembers.organizationId,
      isOrganizationAdmin: organizationMembers.isAdmin,
      assignedTo: workspaceMembers.workspaceId,
      role: roles,
      organizationRole: organizationRoles,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(workspaces, eq(workspaces.id, activeWorkspaceId))
    .leftJoin(organizationMembers, membership)
    .leftJoin(workspaceMembers, assignment)
    .leftJoin(roles, role)
    .leftJoin(organizationRoles, organizationRole)
    .leftJoin(identityProviders, eq(identityProviders.id, sessions.identityProviderId))
    .where(eq(sessions.id, sessionId))
}

export type IdentityRow = Awaited<ReturnType<typeof identityQuery>>[number]

/** Returns the row when the session is valid and its user may use the workspace. Throws 401 by the error catalogue. */
export function verifiedIdentity(row: IdentityRow | undefined, now: Date): IdentityRow {
  if (!row) throw invalidToken()
  if (row.revokedDate !== null || row.expiresDate <= now.toISOString()) throw endedSession()
  // Of a provider that is gone nobody can say for whom it spoke.
  if (row.identityProviderId !== null && row.providerId === null) throw endedSession()
  if (isOutside(row)) {
    throw new HeddleError('unauthorized', 'You signed in for another organization. Sign in again to work here.', {
      error: 'unauthorized',
      redirectTo: '/signin',
    })
  }
  const isMember = row.memberOf !== null && (row.isOrganizationAdmin || row.assignedTo !== null)
  if (row.user.status !== 'active' || !isMember || row.workspaceDeletedDate !== null) {
    throw new HeddleError('unauthorized', 'Your account has no access to this workspace', {
      error: 'unauthorized',
      redirectTo: '/unauthorized',
    })
  }
  return row
}

/** An organization's provider speaks for people in that organization only, whatever else is theirs. */
const isOutside = ({ providerOrganizationId, organizationId }: IdentityRow): boolean =>
  providerOrganizationId !== null && providerOrganizationId !== organizationId

export function endedSession(): HeddleError {
  return new HeddleError('unauthorized', 'Your session has ended. Sign in again.', {
    error: 'unauthorized',
    redirectTo: '/signin',
  })
}

export function userActor(row: IdentityRow, config: PlatformConfig): UserActor {
  return {
    kind: 'user',
    userId: row.user.id,
    name: row.user.name,
    sessionId: row.sessionId,
    workspaceId: row.workspaceId,
    organizationId: row.organizationId,
    isOrganizationAdmin: row.isOrganizationAdmin ?? false,
    roles: rolesOf(row),
    permissions: permissionsOf(row),
    features: featuresOf(config.platformType),
    isPlatformAdmin: isPlatformAdmin(row, config),
    confirmedDate: row.confirmedDate,
    limitedTo: row.providerOrganizationId,
  }
}

/** Returns the names of the member's roles, former ones included: questions of runs name a role. */
export const rolesOf = ({ role, organizationRole }: Pick<IdentityRow, 'role' | 'organizationRole'>): string[] =>
  [role, organizationRole].flatMap((each) => (each ? [each.name, ...each.formerNames] : []))

/** Returns the permissions of the member's two roles: each gives only permissions of its kind. */
export function permissionsOf({ role, organizationRole }: Pick<IdentityRow, 'role' | 'organizationRole'>): string[] {
  return [...readPermissions(role, 'workspace'), ...readPermissions(organizationRole, 'organization')]
}

function readPermissions(role: StoredRole | null, kind: StoredRole['kind']): string[] {
  return role?.kind === kind ? permissionsOfRole(role) : []
}

type PlatformConfig = Pick<Config, 'platformType' | 'platformAdminEmail'>

/**
 * The account of PLATFORM_ADMIN_EMAIL, whose address is confirmed; without that setting whoever made the first account,
 * and in cloud nobody. Never somebody who came through an organization's identity provider.
 */
export function isPlatformAdmin(
  { user, identityProviderId }: Pick<IdentityRow, 'user' | 'identityProviderId'>,
  { platformType, platformAdminEmail }: PlatformConfig,
): boolean {
  if (identityProviderId !== null) return false
  if (platformAdminEmail) return user.email === platformAdminEmail && user.emailVerifiedDate !== null
  return platformType !== 'cloud' && user.isInstaller
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
    .where(and(eq(apikeys.keyHash, tokenHash(key)), isInUse(apikeys.workspaceId)))
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
