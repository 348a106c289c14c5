/** Who has a role, and what gives it to people. */
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { ORGANIZATION } from '#contract/access/index.ts'
import {
  identityProviders,
  invitations,
  organizationMembers,
  scimGroups,
  workspaceMembers,
  workspaces,
} from '#db/schema/index.ts'
import type { MemberRow, OrganizationChange } from '../users/index.ts'

export interface RoleUse {
  /** For people: a person, an address, a provider or a group. */
  name: string
  /** `ORGANIZATION` or a workspace's id. */
  place: string
  member?: MemberRow
}

export async function readUses(change: OrganizationChange, roleId: string): Promise<RoleUse[]> {
  return [
    ...(await readHolders(change, roleId)),
    ...(await readInvited(change, roleId)),
    ...(await readMapped(change, roleId)),
  ]
}

async function readHolders({ tx, rows, members }: OrganizationChange, roleId: string): Promise<RoleUse[]> {
  const ofOrganization = await tx
    .select({ userId: organizationMembers.userId, place: sql<string>`${ORGANIZATION}` })
    .from(organizationMembers)
    .where(rows.inOrganization(organizationMembers, eq(organizationMembers.roleId, roleId)))
  const ofWorkspaces = await tx
    .select({ userId: workspaceMembers.userId, place: workspaces.id })
    .from(workspaceMembers)
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .where(rows.inOrganization(workspaces, eq(workspaceMembers.roleId, roleId)))
  const uses = [...ofOrganization, ...ofWorkspaces]
  const people = await members([...new Set(uses.map(({ userId }) => userId))])
  return uses.flatMap(({ userId, place }) => {
    const member = people.find(({ id }) => id === userId)
    return member ? [{ name: member.name, place, member }] : []
  })
}

/** Invitations that somebody may still accept, or send again. */
async function readInvited({ rows }: OrganizationChange, roleId: string): Promise<RoleUse[]> {
  const isGiven = or(eq(invitations.roleId, roleId), listsRole(invitations.workspaces, roleId))
  const isOpen = and(isNull(invitations.acceptedDate), isNull(invitations.revokedDate))
  const found = await rows.select(invitations, and(isOpen, isGiven))
  return (found as (typeof invitations.$inferSelect)[]).flatMap(({ email, roleId: own, workspaces }) => [
    ...(own === roleId ? [{ name: `the invitation of ${email}`, place: ORGANIZATION }] : []),
    ...workspaces
      .filter((each) => each.roleId === roleId)
      .map(({ workspaceId }) => ({ name: `the invitation of ${email}`, place: workspaceId })),
  ])
}

/** Identity providers and directories that give the role. */
async function readMapped({ rows }: OrganizationChange, roleId: string): Promise<RoleUse[]> {
  const { defaultRole, groupRoles } = identityProviders
  const isMapped = or(eq(sql`${defaultRole} ->> 'roleId'`, roleId), listsRole(groupRoles, roleId))
  const providers = await rows.select(identityProviders as never, isMapped)
  const groups = await rows.select(scimGroups, eq(scimGroups.roleId, roleId))
  return [
    ...(providers as (typeof identityProviders.$inferSelect)[]).flatMap(({ name, defaultRole, groupRoles }) =>
      [defaultRole, ...groupRoles]
        .filter((each) => each?.roleId === roleId)
        .map((each) => ({ name, place: each?.workspaceId ?? ORGANIZATION })),
    ),
    ...(groups as (typeof scimGroups.$inferSelect)[]).map(({ displayName, workspaceId }) => ({
      name: displayName,
      place: workspaceId ?? ORGANIZATION,
    })),
  ]
}

/** The condition that a JSON list of `{ roleId }` names the role. */
const listsRole = (list: typeof invitations.workspaces | typeof identityProviders.groupRoles, roleId: string) =>
  sql`exists (select 1 from json_each(${list}) as given where given.value ->> 'roleId' = ${roleId})`
