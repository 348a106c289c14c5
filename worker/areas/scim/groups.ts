/** The groups of a directory. */
import { and, asc, count, eq, exists, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { type Assignment, changeGroup, type GroupState } from '#contract/scim/changes.ts'
import { badScim } from '#contract/scim/errors.ts'
import { SCIM_SCHEMAS, type ScimGroup, type ScimQuery } from '#contract/scim/resources.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, scimGroupMembers, scimGroups, users } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import type { AppEnv, DirectoryActor } from '../../http/route.ts'
import { changeOrganization, type OrganizationChange } from '../users/index.ts'
import { type AttributeFilter, listOf, only, pageOf, scimBase, wantedOf } from './answers.ts'
import { asText, equalsAnyCase, type FilterColumns, parseCondition } from './filters.ts'
import { changeGroupRoles } from './group-roles.ts'

type GroupRow = typeof scimGroups.$inferSelect

const MAX_GROUPS = 1000
/** Addresses that the record of a change names. */
const MAX_RECORDED = 100

function filtersOf(db: Database, actor: DirectoryActor): FilterColumns {
  const hasMember = (value: Parameters<typeof asText>[0]) =>
    exists(
      db
        .select({ one: sql`1` })
        .from(scimGroupMembers)
        .where(
          organizationScope(db, actor).inOrganization(
            scimGroupMembers,
            and(eq(scimGroupMembers.groupId, scimGroups.id), eq(scimGroupMembers.userId, asText(value))),
          ),
        ),
    )
  return {
    id: (value) => eq(scimGroups.id, asText(value)),
    displayname: equalsAnyCase(scimGroups.displayName),
    externalid: (value) => eq(scimGroups.externalId, asText(value)),
    members: hasMember,
    'members.value': hasMember,
  }
}

export async function listGroups(c: Context<AppEnv>, actor: DirectoryActor, query: ScimQuery) {
  const { db } = c.get('services')
  const condition = parseCondition(query.filter, filtersOf(db, actor))
  const { startIndex, count: limit } = pageOf(query)
  const groups = organizationScope(db, actor)
  const [rows, [counted]] = await db.batch([
    groups
      .select(scimGroups, condition)
      .orderBy(asc(scimGroups.displayName))
      .limit(limit)
      .offset(startIndex - 1),
    db.select({ total: count() }).from(scimGroups).where(groups.inOrganization(scimGroups, condition)),
  ])
  const resources = await withMembers(c, actor, rows as GroupRow[], wantedOf(query))
  return listOf(resources, { total: counted?.total ?? 0, startIndex })
}

/** Throws `not_found`. */
export async function readGroup(
  c: Context<AppEnv>,
  actor: DirectoryActor,
  { id, ...query }: Pick<ScimQuery, 'attributes' | 'excludedAttributes'> & { id: string },
): Promise<ScimGroup> {
  const rows = await organizationScope(c.get('services').db, actor).select(scimGroups, eq(scimGroups.id, id))
  const [group] = await withMembers(c, actor, rows as GroupRow[], wantedOf(query))
  if (!group) throw groupNotFound(id)
  return group
}

async function withMembers(
  c: Context<AppEnv>,
  actor: DirectoryActor,
  rows: GroupRow[],
  isWanted: AttributeFilter,
): Promise<ScimGroup[]> {
  const base = scimBase(c)
  const { db } = c.get('services')
  const ids = rows.map(({ id }) => id)
  const members = isWanted('members') && ids.length > 0 ? await memberQuery(db, actor, ids) : []
  const byGroup = Map.groupBy(members, ({ groupId }) => groupId)
  return rows.map((row) => {
    const own = (byGroup.get(row.id) ?? []).map(({ id, email }) => ({ value: id, display: email }))
    return only({ ...groupOf(row, base), members: own }, isWanted)
  })
}

function memberQuery(db: Database, actor: Pick<DirectoryActor, 'organizationId'>, groupIds: string[]) {
  return db
    .select({ groupId: scimGroupMembers.groupId, id: users.id, email: users.email })
    .from(scimGroupMembers)
    .innerJoin(users, eq(users.id, scimGroupMembers.userId))
    .where(organizationScope(db, actor).inOrganization(scimGroupMembers, inArray(scimGroupMembers.groupId, groupIds)))
    .orderBy(asc(users.email))
}

const groupOf = ({ id, displayName, externalId, createdDate, updatedDate }: GroupRow, base: string): ScimGroup => ({
  schemas: [SCIM_SCHEMAS.group],
  id,
  ...(externalId !== null && { externalId }),
  displayName,
  meta: {
    resourceType: 'Group',
    ...{ created: createdDate, lastModified: updatedDate, location: `${base}/Groups/${id}` },
  },
})

const EMPTY_GROUP: GroupState = { displayName: '', externalId: null, members: new Set() }

/** Returns the id of the new group, which gives nothing until an admin says what. Throws `conflict` for a used name. */
export function createGroup(c: Context<AppEnv>, actor: DirectoryActor, assignments: Assignment[]): Promise<string> {
  const state = changeGroup(EMPTY_GROUP, assignments)
  const now = c.get('services').clock.now().toISOString()
  return naming(state, () =>
    changeOrganization(c, { actor }, async (organization) => {
      const { tx, rows, record } = organization
      const counted = tx.select({ total: count() }).from(scimGroups).where(rows.inOrganization(scimGroups))
      if (((await counted)[0]?.total ?? 0) >= MAX_GROUPS) {
        throw new HeddleError('conflict', `An organization can have ${MAX_GROUPS} groups. Delete one that is not used.`)
      }
      const id = crypto.randomUUID()
      const { displayName, externalId } = state
      await rows.insert(scimGroups, { id, displayName, externalId, createdDate: now, updatedDate: now })
      const people = await assertMembers(organization, state.members)
      await addMembers(organization, id, [...state.members])
      await record({
        event: 'directory-group.create',
        target: { id, name: displayName },
        change: { members: [[], namesOf(people)] },
      })
      return id
    }),
  )
}

/** Changes a group, and the roles of those who join or leave it. `isWhole`: what is not named is dropped. */
export function updateGroup(
  c: Context<AppEnv>,
  { actor, id, isWhole }: { actor: DirectoryActor; id: string; isWhole: boolean },
  assignments: Assignment[],
): Promise<void> {
  const updatedDate = c.get('services').clock.now().toISOString()
  let state = EMPTY_GROUP
  return naming(
    () => state,
    () =>
      changeOrganization(c, { actor }, async (organization) => {
        const { rows } = organization
        const { group, members } = await readRow(organization, id)
        const before: GroupState = { ...group, members: new Set(members.keys()) }
        state = changeGroup(isWhole ? { ...EMPTY_GROUP, displayName: group.displayName } : before, assignments)
        const { displayName, externalId } = state
        const joined = [...state.members].filter((userId) => !before.members.has(userId))
        const left = [...before.members].filter((userId) => !state.members.has(userId))
        const people = await assertMembers(organization, new Set(joined))
        // A group's name decides which of two groups counts.
        const concerned = displayName === group.displayName ? [...joined, ...left] : [...before.members, ...joined]
        await changeGroupRoles(organization, concerned, { group: { ...group, displayName }, members: state.members })
        await rows.update(scimGroups, eq(scimGroups.id, id), { displayName, externalId, updatedDate })
        await removeMembers(organization, id, left)
        await addMembers(organization, id, joined)
        const leaving = left.map((userId) => ({ email: members.get(userId) ?? userId }))
        const change = groupChange(group, state, [namesOf(leaving), namesOf(people)])
        if (Object.keys(change).length === 0) return
        await organization.record({ event: 'directory-group.update', target: { id, name: displayName }, change })
      }),
  )
}

function groupChange(before: GroupRow, after: GroupState, members: [unknown[], unknown[]]): Record<string, unknown> {
  const fields = (['displayName', 'externalId'] as const).filter((field) => before[field] !== after[field])
  return {
    ...Object.fromEntries(fields.map((field) => [field, [before[field], after[field]]])),
    ...((members[0].length > 0 || members[1].length > 0) && { members }),
  }
}

/** Deletes a group; its people lose what it gave them. */
export function deleteGroup(c: Context<AppEnv>, actor: DirectoryActor, id: string): Promise<void> {
  return changeOrganization(c, { actor }, async (organization) => {
    const { group, members } = await readRow(organization, id)
    await changeGroupRoles(organization, [...members.keys()], { group, members: new Set() })
    await organization.rows.delete(scimGroupMembers, eq(scimGroupMembers.groupId, id))
    await organization.rows.delete(scimGroups, eq(scimGroups.id, id))
    await organization.record({ event: 'directory-group.delete', target: { id, name: group.displayName } })
  })
}

/** Returns the group and its people's addresses by id. */
async function readRow({ tx, rows }: OrganizationChange, id: string) {
  const [group] = (await rows.select(scimGroups, eq(scimGroups.id, id))) as GroupRow[]
  if (!group) throw groupNotFound(id)
  const members = await memberQuery(tx, rows, [id])
  return { group, members: new Map(members.map((member) => [member.id, member.email])) }
}

/** Returns the people with these ids. Throws for one who is no member of the organization. */
async function assertMembers({ tx, rows }: OrganizationChange, ids: ReadonlySet<string>) {
  if (ids.size === 0) return []
  const found = await tx
    .select({ id: users.id, email: users.email })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .where(rows.inOrganization(organizationMembers, inArray(organizationMembers.userId, [...ids])))
  const known = new Set(found.map(({ id }) => id))
  const unknown = [...ids].find((id) => !known.has(id))
  if (unknown !== undefined) throw badScim('invalidValue', `members: User ${unknown} not found`)
  return found
}

async function addMembers({ tx, rows }: OrganizationChange, groupId: string, userIds: string[]): Promise<void> {
  if (userIds.length === 0) return
  const { organizationId } = rows
  await tx.insert(scimGroupMembers).values(userIds.map((userId) => ({ organizationId, groupId, userId })))
}

async function removeMembers({ rows }: OrganizationChange, groupId: string, userIds: string[]): Promise<void> {
  const isTheirs: SQL | undefined = and(
    eq(scimGroupMembers.groupId, groupId),
    inArray(scimGroupMembers.userId, userIds),
  )
  if (userIds.length > 0) await rows.delete(scimGroupMembers, isTheirs)
}

/** The names of a group's people for the record of a change. */
function namesOf(people: { email: string }[]): string[] {
  const more = people.length - MAX_RECORDED
  const names = people.slice(0, MAX_RECORDED).map(({ email }) => email)
  return more > 0 ? [...names, `and ${more} more`] : names
}

/** Throws `conflict` for a name that another group has. */
async function naming<Result>(state: GroupState | (() => GroupState), change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    if (!isUniqueViolation(error, scimGroups.displayName)) throw error
    const { displayName } = typeof state === 'function' ? state() : state
    throw new HeddleError('conflict', `displayName: There is a group “${displayName}” already`, {
      scimType: 'uniqueness',
    })
  }
}

const groupNotFound = (id: string) => new HeddleError('not_found', `Group ${id} not found`)
