/** Rows for tests in every table of a workspace, generated from the table definitions. */
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '#db/client.ts'
import * as schema from '#db/schema/index.ts'
import { organizationTables } from '#db/tenant-guard.ts'

/** The id of every seeded row, so that any path finds one. */
export const SEED_ID = '00000000-0000-4000-8000-0000000000aa'
/** Part of every text in every seeded row; it must not appear in responses to anonymous callers. */
export const SEED_MARK = 'belongs-to-somebody-else'

const DATE = '2026-01-01T00:00:00.000Z'

export const SEED_SETTINGS = {
  kind: 'schedule',
  cron: '0 9 * * *',
  timezone: 'UTC',
  endDate: null,
  overlap: 'skip',
  missed: 'skip',
  jitterSeconds: 0,
  input: { mode: 'text', text: SEED_MARK },
}

export const SEED_OPERATIONS = {
  retries: 0,
  retryWaitSeconds: 60,
  pauseAfter: 5,
  perMinute: null,
  keepDays: 30,
  alertUrl: null,
  alertEmail: null,
}

/** Returns the id of a table's row. */
export type IdOf = (tableName: string) => string
const seedId: IdOf = () => SEED_ID

/** Formatted columns, by name. */
const formsOf = (idOf: IdOf): Record<string, unknown> => ({
  settings: SEED_SETTINGS,
  operations: SEED_OPERATIONS,
  credential_name: 'openAIApi',
  flow_data: JSON.stringify({ nodes: [], edges: [], note: SEED_MARK }),
  permissions: ['chatflows:view'],
  doc_id: idOf('document_loaders'),
  loader_config: JSON.stringify({ text: SEED_MARK }),
  input: JSON.stringify({ question: SEED_MARK }),
  result: JSON.stringify({ numAdded: 1, numDeleted: 0, numUpdated: 0, numSkipped: 0 }),
  date: DATE,
  group_roles: [],
  workspaces: [{ workspaceId: idOf('workspaces'), roleId: idOf('roles') }],
  transports: [],
  item: {
    nodeId: SEED_MARK,
    nodeLabel: SEED_MARK,
    previousNodeIds: [],
    status: 'FINISHED',
    data: { id: 'x', name: 'x' },
  },
})

/** Accounts and memberships, which a workspace does not own. */
const PEOPLE = new Set<SQLiteTable>([
  ...organizationTables,
  schema.organizations,
  schema.workspaces,
  schema.users,
  schema.userIdentities,
  schema.sessions,
  schema.knownBrowsers,
  schema.authenticators,
  schema.recoveryCodes,
  schema.passkeys,
  schema.challenges,
  schema.emails,
  schema.emailTokens,
  schema.keyChecks,
  schema.rateLimits,
  schema.writeReceipts,
  schema.longTexts,
  // What deletions leave.
  schema.retiredIds,
])

/** A row of it names tables, which a seed does not have. */
const TABLES_OF_ITS_OWN = schema.documentSearchIndexes

/** Parents before children. */
export const ownedTables: SQLiteTable[] = sortByReference(
  Object.values(schema).filter((value) => is(value, SQLiteTable) && !PEOPLE.has(value)),
)

export interface SeededWorkspace {
  id: string
  /** SEED_MARK encrypted with the workspace's key. */
  sealed: string
  /** By default every row has the id of the seed. */
  idOf?: IdOf
  /** Replaces SEED_MARK in rows that are the organization's. */
  organizationMark?: string
}

/** Inserts one row into every table of the workspace, after removing the existing ones. */
export async function seedWorkspace(db: Database, workspace: SeededWorkspace): Promise<void> {
  await batch(db, [
    ...[...ownedTables.toReversed(), schema.authenticators].map((table) => db.delete(table)),
    ...ownedTables
      .filter((table) => table !== TABLES_OF_ITS_OWN)
      .map((table) => db.insert(table).values(rowOf(table, workspace))),
  ])
}

/** Everything of an organization: its people, rooms, rights, settings and records. */
export const tablesOfOrganization: SQLiteTable[] = sortByReference([
  ...[schema.organizations, schema.users, schema.workspaces, ...organizationTables],
  ...[schema.userIdentities, schema.sessions, schema.passkeys, schema.emails],
])

/** Inserts another organization with a workspace: one row in each of their tables. */
export async function seedOrganization(db: Database, workspace: SeededWorkspace): Promise<void> {
  const insert = (table: SQLiteTable) => db.insert(table).values(rowOf(table, workspace, workspace.organizationMark))
  await batch(db, tablesOfOrganization.map(insert))
  await seedWorkspace(db, workspace)
}

/** Those that the walk of organizations seeds and compares. */
export const tablesOfSeed: SQLiteTable[] = [
  ...tablesOfOrganization,
  ...ownedTables.filter((table) => table !== TABLES_OF_ITS_OWN && table !== schema.requestFailures),
]

const MEMBERSHIPS = ['organization_members', 'workspace_members']
const IDS = ['id', 'organizationId', 'workspaceId', 'userId', 'groupId']

/**
 * Returns all rows of that organization and its workspace as text by table; equal texts mean that nothing changed.
 * @param ids of the seeded rows
 * @param actorIds people whose own traces are left out
 */
export async function organizationRows(
  db: Database,
  { ids, workspaceId, actorIds }: { ids: ReadonlySet<string>; workspaceId: string; actorIds: ReadonlySet<string> },
): Promise<Map<string, string>> {
  const tables = await readTables(db, tablesOfSeed)
  const people = new Set(tablesOfOrganization.map(getTableName))
  const isKnown = (value: unknown) => typeof value === 'string' && ids.has(value)
  const isTrace = ({ actorId, userId }: Record<string, unknown>) =>
    [actorId, userId].some((id) => typeof id === 'string' && actorIds.has(id))
  const isNamed = (name: string, row: Record<string, unknown>) => {
    if (!IDS.some((id) => isKnown(row[id]))) return false
    if (isKnown(row.id) || MEMBERSHIPS.includes(name)) return true
    // Its other workspaces, and sign-ins that failed, are not the walk's.
    return !isTrace(row) && name !== 'workspaces' && (name !== 'login_activity' || row.userId !== null)
  }
  /** A row without a workspace belongs to another row, which it names. */
  const isOwned = (row: Record<string, unknown>) =>
    typeof row.workspaceId === 'string'
      ? row.workspaceId === workspaceId
      : Object.values(row).some((value) => isKnown(value) || value === SEED_MARK)
  return new Map(
    tables.map(([name, rows]) => {
      const isTheirs = people.has(name) ? isNamed.bind(undefined, name) : isOwned
      return [name, JSON.stringify(rows.filter(isTheirs))]
    }),
  )
}

/** Returns all rows of the workspace as text, but for records of refusals; equal texts mean that nothing changed. */
export async function ownedRows(db: Database, workspaceId: string): Promise<string> {
  const tables = await readTables(
    db,
    ownedTables.filter((each) => each !== schema.requestFailures),
  )
  const isTheirs = (row: Record<string, unknown>) => (row.workspaceId ?? workspaceId) === workspaceId
  return JSON.stringify(Object.fromEntries(tables.map(([name, rows]) => [name, rows.filter(isTheirs)])))
}

/** Returns the name and the rows of each table, in one round trip. */
async function readTables(db: Database, tables: SQLiteTable[]): Promise<[string, Record<string, unknown>[]][]> {
  const results = await batch(
    db,
    tables.map((table) => db.select().from(table)),
  )
  return tables.map((table, at) => [getTableName(table), results[at] as Record<string, unknown>[]])
}

/** Runs a list of statements, whose length only the schema knows, in one round trip. */
const batch = async (db: Database, statements: unknown[]): Promise<unknown[]> => [
  ...(await db.batch(statements as unknown as Parameters<Database['batch']>[0])),
]

function rowOf(table: SQLiteTable, workspace: SeededWorkspace, mark = SEED_MARK): Record<string, unknown> {
  const { idOf = seedId } = workspace
  const { columns, foreignKeys } = getTableConfig(table)
  const references = new Map(
    foreignKeys.flatMap((key) => {
      const { columns: own, foreignTable } = key.reference()
      return own.map((column): [SQLiteColumn, string] => [column, getTableName(foreignTable)])
    }),
  )
  const contentOf = (column: SQLiteColumn) => {
    if (column.name === 'workspace_id') return workspace.id
    if (column.name === 'encrypted_data') return workspace.sealed
    if (column.name === 'id') return idOf(getTableName(table))
    const named = references.get(column) ?? (workspace.idOf && column.notNull ? NAMED[column.name] : undefined)
    return named === undefined ? fillerOf(column, { idOf, mark }) : idOf(named)
  }
  const values = columns.map((column) => [propertyOf(table, column), contentOf(column)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** The tables of ids that are no foreign keys. */
const NAMED: Record<string, string> = {
  active_workspace_id: 'workspaces',
  chat_id: 'chats',
  flow_id: 'chatflows',
  owner_id: 'credentials',
  store_id: 'document_stores',
  user_id: 'users',
}

function fillerOf(column: SQLiteColumn, { idOf, mark }: { idOf: IdOf; mark: string }): unknown {
  if (!column.notNull || column.hasDefault) return undefined
  const forms = formsOf(idOf)
  if (column.name in forms) return forms[column.name]
  if (column.enumValues?.[0]) return column.enumValues[0]
  if (column.dataType === 'number') return 1
  if (column.dataType === 'boolean') return false
  if (column.dataType === 'json') return {}
  if (column.getSQLType() === 'blob') return new TextEncoder().encode(mark)
  return /(_date|_at)$/.test(column.name) ? DATE : mark
}

function propertyOf(table: SQLiteTable, column: SQLiteColumn): string {
  const entry = Object.entries(table).find(([, value]) => value === column)
  if (!entry) throw new Error(`${getTableName(table)} has no property for ${column.name}`)
  return entry[0]
}

function sortByReference(tables: SQLiteTable[]): SQLiteTable[] {
  const sorted: SQLiteTable[] = []
  const add = (table: SQLiteTable) => {
    if (sorted.includes(table) || !tables.includes(table)) return
    for (const key of getTableConfig(table).foreignKeys) add(key.reference().foreignTable)
    sorted.push(table)
  }
  for (const table of tables) add(table)
  return sorted
}
