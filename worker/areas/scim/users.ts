/** The people of an organization, as its directory sees them. */
import { and, asc, count, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import { partsOfName } from '#contract/scim/changes.ts'
import { SCIM_SCHEMAS, type ScimQuery, type ScimUser } from '#contract/scim/resources.ts'
import type { Database } from '#db/client.ts'
import { organizationMembers, scimGroupMembers, scimGroups, users } from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import type { AppEnv, DirectoryActor } from '../../http/route.ts'
import { type AttributeFilter, listOf, only, pageOf, scimBase, wantedOf } from './answers.ts'
import { always, asText, equalsAnyCase, type FilterColumns, isActive, parseCondition } from './filters.ts'

const address = (value: Parameters<typeof asText>[0]) => eq(users.email, asText(value).toLowerCase())

const FILTERS: FilterColumns = {
  id: (value) => eq(users.id, asText(value)),
  username: address,
  emails: address,
  'emails.value': address,
  'emails.type': always('work'),
  'emails.primary': always('true'),
  externalid: (value) => eq(organizationMembers.externalId, asText(value)),
  active: isActive(organizationMembers.disabledDate),
  displayname: equalsAnyCase(users.name),
}

function userQuery(db: Database, { organizationId }: DirectoryActor, condition: SQL | undefined) {
  return db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      externalId: organizationMembers.externalId,
      disabledDate: organizationMembers.disabledDate,
      createdDate: sql<string>`coalesce(nullif(${organizationMembers.createdDate}, ''), ${users.createdDate})`,
    })
    .from(organizationMembers)
    .innerJoin(users, eq(users.id, organizationMembers.userId))
    .where(organizationScope(db, { organizationId }).inOrganization(organizationMembers, condition))
    .orderBy(asc(users.email))
}

type UserRow = Awaited<ReturnType<typeof userQuery>>[number]

export async function listUsers(c: Context<AppEnv>, actor: DirectoryActor, query: ScimQuery) {
  const { db } = c.get('services')
  const condition = parseCondition(query.filter, FILTERS)
  const { startIndex, count: limit } = pageOf(query)
  const { inOrganization } = organizationScope(db, actor)
  const [rows, [counted]] = await db.batch([
    userQuery(db, actor, condition)
      .limit(limit)
      .offset(startIndex - 1),
    db
      .select({ total: count() })
      .from(organizationMembers)
      .innerJoin(users, eq(users.id, organizationMembers.userId))
      .where(inOrganization(organizationMembers, condition)),
  ])
  const resources = await withGroups(c, actor, rows, wantedOf(query))
  return listOf(resources, { total: counted?.total ?? 0, startIndex })
}

/** Throws `not_found`. */
export async function readUser(
  c: Context<AppEnv>,
  actor: DirectoryActor,
  { id, ...query }: Pick<ScimQuery, 'attributes' | 'excludedAttributes'> & { id: string },
): Promise<ScimUser> {
  const rows = await userQuery(c.get('services').db, actor, eq(users.id, id))
  const [user] = await withGroups(c, actor, rows, wantedOf(query))
  if (!user) throw userNotFound(id)
  return user
}

export const userNotFound = (id: string) => new HeddleError('not_found', `User ${id} not found`)

async function withGroups(
  c: Context<AppEnv>,
  actor: DirectoryActor,
  rows: UserRow[],
  isWanted: AttributeFilter,
): Promise<ScimUser[]> {
  const base = scimBase(c)
  const groups = isWanted('groups') && rows.length > 0 ? await readGroups(c.get('services').db, actor, rows) : []
  const byUser = Map.groupBy(groups, ({ userId }) => userId)
  return rows.map((row) => {
    const own = (byUser.get(row.id) ?? []).map(({ id, name }) => ({ value: id, display: name }))
    return only({ ...userOf(row, base), groups: own }, isWanted)
  })
}

function readGroups(db: Database, { organizationId }: DirectoryActor, rows: UserRow[]) {
  const ids = rows.map(({ id }) => id)
  return db
    .select({ userId: scimGroupMembers.userId, id: scimGroups.id, name: scimGroups.displayName })
    .from(scimGroupMembers)
    .innerJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
    .where(
      organizationScope(db, { organizationId }).inOrganization(
        scimGroupMembers,
        and(inArray(scimGroupMembers.userId, ids), eq(scimGroups.organizationId, organizationId)),
      ),
    )
    .orderBy(asc(scimGroups.displayName))
}

const userOf = ({ id, email, name, externalId, disabledDate, createdDate }: UserRow, base: string): ScimUser => ({
  schemas: [SCIM_SCHEMAS.user],
  id,
  ...(externalId !== null && { externalId }),
  userName: email,
  displayName: name,
  name: partsOfName(name),
  active: disabledDate === null,
  emails: [{ value: email, type: 'work', primary: true }],
  meta: { resourceType: 'User', created: createdDate, location: `${base}/Users/${id}` },
})
