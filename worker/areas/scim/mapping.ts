/** What admins say about a directory's groups: which role they give, and where. */
import { asc, count, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { DirectoryGroup, MapDirectoryGroup } from '#contract/organization/directory.ts'
import { scimGroupMembers, scimGroups } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { assertMayGive } from '../sso/index.ts'
import { changeOrganization } from '../users/index.ts'
import { changeGroupRoles } from './group-roles.ts'

export async function listDirectoryGroups(c: Context<AppEnv>, actor: UserActor): Promise<DirectoryGroup[]> {
  const { db } = c.get('services')
  return db
    .select({
      id: scimGroups.id,
      name: scimGroups.displayName,
      members: count(scimGroupMembers.userId),
      workspaceId: scimGroups.workspaceId,
      roleId: scimGroups.roleId,
    })
    .from(scimGroups)
    .leftJoin(scimGroupMembers, eq(scimGroupMembers.groupId, scimGroups.id))
    .where(organizationScope(db, actor).inOrganization(scimGroups))
    .groupBy(scimGroups.id)
    .orderBy(asc(scimGroups.displayName))
}

/** Its people get the role at once, and lose what the group gave before. */
export async function mapGroup(
  c: Context<AppEnv>,
  { actor, id }: { actor: UserActor; id: string },
  { place }: MapDirectoryGroup,
): Promise<DirectoryGroup> {
  await assertMayGive(c.get('services').db, actor, place ? [['place', place]] : [])
  await changeOrganization(c, { actor, adminsOnly: true }, async (organization) => {
    const { tx, rows, record } = organization
    const [group] = (await rows.select(scimGroups, eq(scimGroups.id, id))) as (typeof scimGroups.$inferSelect)[]
    if (!group) throw new HeddleError('not_found', `Group ${id} not found`)
    const members = await tx
      .select({ userId: scimGroupMembers.userId })
      .from(scimGroupMembers)
      .where(rows.inOrganization(scimGroupMembers, eq(scimGroupMembers.groupId, id)))
    const after = { workspaceId: place?.workspaceId ?? null, roleId: place?.roleId ?? null }
    const people = members.map(({ userId }) => userId)
    await changeGroupRoles(organization, people, { group: { ...group, ...after }, members: new Set(people) })
    await rows.update(scimGroups, eq(scimGroups.id, id), after)
    await record({
      event: 'directory-group.map',
      target: { id, name: group.displayName },
      change: { workspaceId: [group.workspaceId, after.workspaceId], roleId: [group.roleId, after.roleId] },
    })
  })
  const groups = await listDirectoryGroups(c, actor)
  return groups.find((each) => each.id === id) as DirectoryGroup
}
