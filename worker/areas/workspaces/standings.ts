/** The permissions of members in an organization and its workspaces. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { describePermissions, holdsAt, ORGANIZATION, type Standing, standingOf } from '#contract/access/index.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, roles, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { UserActor } from '../../http/route.ts'

type Organization = Pick<UserActor, 'organizationId'>

/** Returns what each of these people holds, or would hold if they are disabled; nothing for who is no member. */
async function readStandings(
  db: Database,
  { organizationId }: Organization,
  userIds: string[],
): Promise<Map<string, Standing>> {
  const organization = organizationScope(db, { organizationId })
  const [members, assigned] = await db.batch([
    db
      .select({ userId: organizationMembers.userId, isAdmin: organizationMembers.isAdmin, role: roles })
      .from(organizationMembers)
      .leftJoin(roles, and(eq(roles.id, organizationMembers.roleId), eq(roles.organizationId, organizationId)))
      .where(organization.inOrganization(organizationMembers, inArray(organizationMembers.userId, userIds))),
    db
      .select({ userId: workspaceMembers.userId, workspaceId: workspaceMembers.workspaceId, role: roles })
      .from(workspaceMembers)
      .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
      .leftJoin(roles, and(eq(roles.id, workspaceMembers.roleId), eq(roles.organizationId, organizationId)))
      .where(
        organization.inOrganization(
          workspaces,
          and(inArray(workspaceMembers.userId, userIds), isNull(workspaces.deletedDate)),
        ),
      ),
  ])
  const places = Map.groupBy(assigned, ({ userId }) => userId)
  return new Map(
    members.map(({ userId, isAdmin, role }) => {
      const own = places.get(userId) ?? []
      return [userId, standingOf({ isAdmin, role, workspaces: own })]
    }),
  )
}

export async function readStanding(db: Database, actor: UserActor): Promise<Standing> {
  if (actor.isOrganizationAdmin) return { isAdmin: true, held: new Map() }
  return (await readStandings(db, actor, [actor.userId])).get(actor.userId) ?? { isAdmin: false, held: new Map() }
}

/** Returns true for who may see a workspace: its people, and those who may delete any. */
export const maySee = (standing: Standing, workspaceId: string): boolean =>
  standing.isAdmin || standing.held.has(workspaceId) || holdsAt(standing, ORGANIZATION, 'workspace:delete')

/** Throws `not_found` for who may not see the workspace, and `forbidden` without the permission there. */
export function assertHolds(standing: Standing, workspaceId: string, permission: string): void {
  if (!maySee(standing, workspaceId)) throw workspaceNotFound(workspaceId)
  if (holdsAt(standing, workspaceId, permission)) return
  throw new HeddleError('forbidden', `You need the permission ${describePermissions(permission)} in this workspace.`)
}

export const workspaceNotFound = (id: string): HeddleError => new HeddleError('not_found', `Workspace ${id} not found`)
