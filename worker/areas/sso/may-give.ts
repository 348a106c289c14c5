/** Nobody grants by a provider's settings what they do not hold there. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { mayGiveRole, standingOf } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { RoleGrant } from '#contract/organization/sso-rules.ts'
import type { Database } from '#db/client.ts'
import { roles, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations, organizationScope } from '#db/scope.ts'
import type { UserActor } from '../../http/route.ts'
import type { ProviderRow } from './records.ts'

/** Returns what a provider gives, by the names of its fields. */
export function namedPlaces({
  defaultRole,
  groupRoles,
}: Pick<ProviderRow, 'defaultRole' | 'groupRoles'>): [string, RoleGrant][] {
  const named = groupRoles.map((place, at): [string, RoleGrant] => [`groupRoles.${at}`, place])
  return defaultRole ? [['defaultRole', defaultRole], ...named] : named
}

/** Throws `bad_request` that names the workspace or role that does not exist, `forbidden` for one that gives too much. */
export async function assertMayGive(db: Database, actor: UserActor, places: [string, RoleGrant][]): Promise<void> {
  if (places.length === 0) return
  const { organizationId } = actor
  const [rooms, given, held] = await db.batch([
    db
      .select({ id: workspaces.id })
      .from(workspaces)
      .where(and(eq(workspaces.organizationId, organizationId), isNull(workspaces.deletedDate))),
    db
      .select()
      .from(roles)
      .where(organizationScope(db, { organizationId }).inOrganization(roles, inArray(roles.id, idsOf(places)))),
    heldQuery(db, actor),
  ])
  const standing = standingOf({ isAdmin: actor.isOrganizationAdmin, role: null, workspaces: held })
  for (const [field, { workspaceId, roleId }] of places) {
    const role = given.find(({ id }) => id === roleId)
    if (!rooms.some(({ id }) => id === workspaceId))
      throw unknown(`${field}.workspaceId`, 'This workspace does not exist')
    if (role?.kind !== 'workspace') throw unknown(`${field}.roleId`, 'This is not a role of workspaces')
    if (!mayGiveRole(standing, role, workspaceId)) {
      const message = `${field}: The role “${role.name}” gives rights that you don’t have in this workspace yourself.`
      throw new HeddleError('forbidden', message, { field })
    }
  }
}

const idsOf = (places: [string, RoleGrant][]) => [...new Set(places.map(([, { roleId }]) => roleId))]

/** The actor's roles per workspace. */
function heldQuery(db: Database, { userId, organizationId }: UserActor) {
  return acrossOrganizations(db, 'a member’s roles are in the workspaces of their organization')
    .select({ workspaceId: workspaceMembers.workspaceId, role: roles })
    .from(workspaceMembers)
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .innerJoin(roles, and(eq(roles.id, workspaceMembers.roleId), eq(roles.organizationId, workspaces.organizationId)))
    .where(and(eq(workspaceMembers.userId, userId), eq(workspaces.organizationId, organizationId)))
}

function unknown(field: string, message: string): HeddleError {
  return new HeddleError('bad_request', `${field}: ${message}`, { field })
}
