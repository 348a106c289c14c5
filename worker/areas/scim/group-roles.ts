/** The roles that groups give in workspaces, given and taken with the change that is the reason. */
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { roles, scimGroupMembers, scimGroups, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import type { MemberRow, OrganizationChange } from '../users/index.ts'
import { leaveWorkspace } from '../workspaces/index.ts'

/** Ids of roles by workspace, by person. */
type RolesByPerson = Map<string, Map<string, string>>

/** Makes a change of groups, and gives and takes what it changes about these people's roles. Its actor is an admin. */
export async function changeGroupRoles(
  organization: OrganizationChange,
  userIds: readonly string[],
  change: () => Promise<unknown>,
): Promise<void> {
  const before = await readGiven(organization, userIds)
  await change()
  const after = await readGiven(organization, userIds)
  const changes = userIds.flatMap((userId) => changesOf(userId, before.get(userId), after.get(userId)))
  if (changes.length > 0) await applyChanges(organization, changes)
}

/** In each workspace the first group by name counts. */
async function readGiven({ tx, rows }: OrganizationChange, userIds: readonly string[]): Promise<RolesByPerson> {
  const { organizationId } = rows
  const isRole = and(
    eq(roles.id, scimGroups.roleId),
    eq(roles.organizationId, organizationId),
    eq(roles.kind, 'workspace'),
  )
  const isOpen = and(
    eq(workspaces.id, scimGroups.workspaceId),
    eq(workspaces.organizationId, organizationId),
    isNull(workspaces.deletedDate),
  )
  const found = await tx
    .select({ userId: scimGroupMembers.userId, workspaceId: workspaces.id, roleId: roles.id })
    .from(scimGroups)
    .innerJoin(scimGroupMembers, eq(scimGroupMembers.groupId, scimGroups.id))
    .innerJoin(workspaces, isOpen)
    .innerJoin(roles, isRole)
    .where(rows.inOrganization(scimGroups, inArray(scimGroupMembers.userId, [...userIds])))
    .orderBy(asc(scimGroups.displayName), asc(scimGroups.id))
  const given: RolesByPerson = new Map()
  for (const { userId, workspaceId, roleId } of found) {
    const own = given.get(userId) ?? new Map<string, string>()
    if (!own.has(workspaceId)) own.set(workspaceId, roleId)
    given.set(userId, own)
  }
  return given
}

interface RoleChange {
  userId: string
  workspaceId: string
  before: string | undefined
  after: string | undefined
}

function changesOf(
  userId: string,
  before = new Map<string, string>(),
  after = new Map<string, string>(),
): RoleChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((workspaceId) => ({
      ...{ userId, workspaceId },
      before: before.get(workspaceId),
      after: after.get(workspaceId),
    }))
    .filter((change) => change.before !== change.after)
}

async function applyChanges(organization: OrganizationChange, changes: RoleChange[]): Promise<void> {
  const members = await organization.members([...new Set(changes.map(({ userId }) => userId))])
  const byId = new Map(members.map((member) => [member.id, member]))
  const given = changes.filter(({ after }) => after !== undefined)
  const taken = changes.filter(({ after }) => after === undefined).filter((change) => stillHas(change, byId))
  for (const [key, each] of Map.groupBy(given, ({ workspaceId, after }) => `${workspaceId} ${after}`)) {
    const [workspaceId = '', roleId = ''] = key.split(' ')
    await give(organization, { workspaceId, roleId, people: each.flatMap(({ userId }) => byId.get(userId) ?? []) })
  }
  for (const [workspaceId, each] of Map.groupBy(taken, (change) => change.workspaceId)) {
    await removeRoles(organization, { workspaceId, people: each.flatMap(({ userId }) => byId.get(userId) ?? []) })
  }
}

/** A role that somebody gave by hand meanwhile stays. */
const stillHas = ({ userId, workspaceId, before }: RoleChange, members: Map<string, MemberRow>) =>
  members.get(userId)?.assignments.some((each) => each.workspaceId === workspaceId && each.role?.id === before)

interface Placing {
  workspaceId: string
  people: MemberRow[]
}

async function give({ tx, rows }: OrganizationChange, { workspaceId, roleId, people }: Placing & { roleId: string }) {
  await tx
    .insert(workspaceMembers)
    .values(people.map(({ id: userId }) => ({ workspaceId, userId, roleId })))
    .onConflictDoUpdate({ target: [workspaceMembers.workspaceId, workspaceMembers.userId], set: { roleId } })
  const own = tx
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.organizationId, rows.organizationId))
  const homeless = people
    .filter(({ isAdmin, assignments }) => !isAdmin && assignments.every(isGone))
    .map(({ id }) => id)
  await tx
    .update(users)
    .set({ activeWorkspaceId: workspaceId })
    .where(and(inArray(users.id, homeless), inArray(users.activeWorkspaceId, own)))
}

const isGone = ({ deletedDate }: { deletedDate: string | null }) => deletedDate !== null

async function removeRoles({ tx }: OrganizationChange, { workspaceId, people }: Placing): Promise<void> {
  const ids = people.map(({ id }) => id)
  await tx
    .delete(workspaceMembers)
    .where(and(eq(workspaceMembers.workspaceId, workspaceId), inArray(workspaceMembers.userId, ids)))
  const leaving = people.filter(({ isAdmin }) => !isAdmin).map(({ id }) => id)
  for (const statement of leaveWorkspace(tx, { workspaceId, userIds: leaving })) await statement
}
