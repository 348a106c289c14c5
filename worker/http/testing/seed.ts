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

/** Formatted columns, by name. */
const FORMS: Record<string, unknown> = {
  settings: SEED_SETTINGS,
  operations: SEED_OPERATIONS,
  credential_name: 'openAIApi',
  flow_data: JSON.stringify({ nodes: [], edges: [], note: SEED_MARK }),
  permissions: ['chatflows:view'],
  doc_id: SEED_ID,
  loader_config: JSON.stringify({ text: SEED_MARK }),
  input: JSON.stringify({ question: SEED_MARK }),
  result: JSON.stringify({ numAdded: 1, numDeleted: 0, numUpdated: 0, numSkipped: 0 }),
  date: DATE,
  group_roles: [],
  workspaces: [{ workspaceId: SEED_ID, roleId: SEED_ID }],
  transports: [],
  item: {
    nodeId: SEED_MARK,
    nodeLabel: SEED_MARK,
    previousNodeIds: [],
    status: 'FINISHED',
    data: { id: 'x', name: 'x' },
  },
}

/** Accounts and memberships, which a workspace does not own. */
const PEOPLE = new Set<SQLiteTable>([
  ...organizationTables,
  schema.organizations,
  schema.workspaces,
  schema.users,
  schema.userIdentities,
  schema.sessions,
  schema.authenticators,
  schema.recoveryCodes,
  schema.passkeys,
  schema.challenges,
  schema.emails,
  schema.emailTokens,
  schema.rateLimits,
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

/** Inserts another organization with a workspace: one row in each of their tables, which all have the id of the seed. */
export async function seedOrganization(db: Database): Promise<void> {
  const insert = (table: SQLiteTable) => db.insert(table).values(rowOf(table, { id: SEED_ID, sealed: '' }))
  await batch(db, tablesOfOrganization.map(insert))
  await seedWorkspace(db, { id: SEED_ID, sealed: '' })
}

/** Those that the walk of organizations seeds and compares. */
export const tablesOfSeed: SQLiteTable[] = [
  ...tablesOfOrganization,
  ...ownedTables.filter((table) => table !== TABLES_OF_ITS_OWN && table !== schema.requestFailures),
]

const IDS = ['id', 'organizationId', 'workspaceId', 'userId', 'groupId']

/** Returns all rows of that organization and its workspace as text; equal texts mean that nothing changed. */
export async function organizationRows(db: Database): Promise<string> {
  const tables = await readTables(db, tablesOfSeed)
  const people = new Set(tablesOfOrganization.map(getTableName))
  return JSON.stringify(
    Object.fromEntries(tables.map(([name, rows]) => [name, rows.filter(people.has(name) ? isNamed : isOwned)])),
  )
}

const isNamed = (row: Record<string, unknown>): boolean => IDS.some((name) => row[name] === SEED_ID)

/** A row without a workspace belongs to another row, which it names. */
const isOwned = (row: Record<string, unknown>): boolean =>
  typeof row.workspaceId === 'string'
    ? row.workspaceId === SEED_ID
    : Object.values(row).some((value) => value === SEED_ID || value === SEED_MARK)

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

function rowOf(table: SQLiteTable, workspace: SeededWorkspace): Record<string, unknown> {
  const { columns, foreignKeys } = getTableConfig(table)
  const references = new Set(foreignKeys.flatMap((key) => key.reference().columns))
  const values = columns.map((column) => {
    if (column.name === 'workspace_id') return [propertyOf(table, column), workspace.id]
    if (column.name === 'encrypted_data') return [propertyOf(table, column), workspace.sealed]
    const isId = column.name === 'id' || references.has(column)
    return [propertyOf(table, column), isId ? SEED_ID : fillerOf(column)]
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

function fillerOf(column: SQLiteColumn): unknown {
  if (!column.notNull || column.hasDefault) return undefined
  if (column.name in FORMS) return FORMS[column.name]
  if (column.enumValues?.[0]) return column.enumValues[0]
  if (column.dataType === 'number') return 1
  if (column.dataType === 'boolean') return false
  if (column.dataType === 'json') return {}
  if (column.getSQLType() === 'blob') return new TextEncoder().encode(SEED_MARK)
  return /(_date|_at)$/.test(column.name) ? DATE : SEED_MARK
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
