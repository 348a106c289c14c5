/** The roles that groups give in workspaces, given and taken with the change that is the reason. */
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { roles, scimGroupMembers, scimGroups, users, workspaceMembers, workspaces } from '#db/schema/index.ts'
import type { MemberRow, OrganizationChange } from '../users/index.ts'
import { leaveWorkspace } from '../workspaces/index.ts'

/** Ids of roles by workspace, by person. */
type RolesByPerson = Map<string, Map<string, string>>

/** What a group becomes. */
interface GroupChange {
  group: { id: string; displayName: string; workspaceId: string | null; roleId: string | null }
  /** Its people afterwards; none when it is deleted. */
  members: ReadonlySet<string>
}

interface GroupOfPerson {
  userId: string
  groupId: string
  displayName: string
  workspaceId: string
  roleId: string
}

/** Gives and takes what a change of a group changes about these people's roles. Its actor is an admin. */
export async function changeGroupRoles(
  organization: OrganizationChange,
  userIds: readonly string[],
  { group, members }: GroupChange,
): Promise<void> {
  if (userIds.length === 0) return
  const before = await readGroups(organization, userIds)
  const { id: groupId, displayName } = group
  const place = await readPlace(organization, group)
  const afterwards = place ? userIds.filter((userId) => members.has(userId)) : []
  const after = [
    ...before.filter((each) => each.groupId !== groupId),
    ...afterwards.map((userId) => ({ userId, groupId, displayName, ...(place as RolePlace) })),
  ]
  const [given, giving] = [givenBy(before), givenBy(after)]
  const changes = userIds.flatMap((userId) => changesOf(userId, given.get(userId), giving.get(userId)))
  if (changes.length > 0) await applyChanges(organization, changes)
}

/** Selects the groups of these people that give a role, with what they give. */
async function readGroups({ tx, rows }: OrganizationChange, userIds: readonly string[]): Promise<GroupOfPerson[]> {
  const { id: groupId, displayName, workspaceId, roleId } = scimGroups
  return tx
    .select({ userId: scimGroupMembers.userId, groupId, displayName, workspaceId: workspaces.id, roleId: roles.id })
    .from(scimGroups)
    .innerJoin(scimGroupMembers, eq(scimGroupMembers.groupId, scimGroups.id))
    .innerJoin(workspaces, and(eq(workspaces.id, workspaceId), isOpen(rows)))
    .innerJoin(roles, and(eq(roles.id, roleId), isOfWorkspaces(rows)))
    .where(rows.inOrganization(scimGroups, inArray(scimGroupMembers.userId, [...userIds])))
}

interface RolePlace {
  workspaceId: string
  roleId: string
}

/** Returns what a group gives; nothing when the workspace or the role is not there any more. */
async function readPlace(
  { tx, rows }: OrganizationChange,
  given: GroupChange['group'],
): Promise<RolePlace | undefined> {
  const { workspaceId, roleId } = given
  if (workspaceId === null || roleId === null) return undefined
  const [found] = await tx
    .select({ workspaceId: workspaces.id, roleId: roles.id })
    .from(workspaces)
    .innerJoin(roles, and(eq(roles.id, roleId), isOfWorkspaces(rows)))
    .where(and(eq(workspaces.id, workspaceId), isOpen(rows)))
  return found
}

type Rows = OrganizationChange['rows']

const isOpen = ({ organizationId }: Rows) =>
  and(eq(workspaces.organizationId, organizationId), isNull(workspaces.deletedDate))

const isOfWorkspaces = ({ organizationId }: Rows) =>
  and(eq(roles.organizationId, organizationId), eq(roles.kind, 'workspace'))

/** In each workspace the first group by name counts. */
function givenBy(groups: GroupOfPerson[]): RolesByPerson {
  const given: RolesByPerson = new Map()
  const key = ({ displayName, groupId }: GroupOfPerson) => `${displayName}\0${groupId}`
  for (const { userId, workspaceId, roleId } of groups.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))) {
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
