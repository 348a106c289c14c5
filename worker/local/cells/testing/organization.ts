/** The rows of an organization by the schema, and its way from one cell to another (`docs/capacity.md`). */
import { createHash } from 'node:crypto'
import { getTableName, is, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '#db/client.ts'
import * as schema from '#db/schema/index.ts'

export const tables: SQLiteTable[] = Object.values(schema).filter((value) => is(value, SQLiteTable))

export const referencesOf = (table: SQLiteTable) =>
  getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignColumns, foreignTable } = key.reference()
    return { column: columns[0]?.name as string, to: foreignTable, key: foreignColumns[0]?.name as string }
  })

/** Returns the condition for the rows of an organization, found from the schema; none for a table of no organization. */
export function conditionFor(table: SQLiteTable, organizationId: string): string | undefined {
  const { name, columns } = getTableConfig(table)
  const has = (column: string) => columns.some((each) => each.name === column)
  if (table === schema.organizations) return `id = '${organizationId}'`
  if (has('organization_id')) return `organization_id = '${organizationId}'`
  if (has('workspace_id')) {
    return `workspace_id in (select id from workspaces where organization_id = '${organizationId}')`
  }
  for (const { column, to, key } of referencesOf(table)) {
    const condition = getTableName(to) === name ? undefined : conditionFor(to, organizationId)
    if (condition) return `${column} in (select ${key} from ${getTableName(to)} where ${condition})`
  }
  return undefined
}

/** The tables of organizations, parents before children. */
export const organizationsTables = ((): SQLiteTable[] => {
  const sorted: SQLiteTable[] = []
  const add = (table: SQLiteTable) => {
    if (sorted.includes(table) || !conditionFor(table, '')) return
    for (const { to } of referencesOf(table)) if (to !== table) add(to)
    sorted.push(table)
  }
  tables.forEach(add)
  return sorted
})()

const columnsOf = (table: SQLiteTable) => getTableConfig(table).columns.map(({ name }) => name)

/** Returns the matching rows of a table, each as the SQL of its values. */
async function linesOf(db: Database, table: SQLiteTable, condition: string): Promise<string[]> {
  const values = columnsOf(table).map((column) => `quote("${column}")`)
  const text = `select ${values.join(` || ', ' || `)} as line from ${getTableName(table)} where ${condition} order by 1`
  const lines = await db.all<{ line: string }>(sql.raw(text))
  return lines.map(({ line }) => line)
}

type Rows = Map<SQLiteTable, string[]>

/** Returns the rows of an organization by table; with `not`, those of all others. */
export async function rowsOf(db: Database, organizationId: string, not = ''): Promise<Rows> {
  const found: Rows = new Map()
  for (const table of organizationsTables) {
    found.set(table, await linesOf(db, table, `${not} (${conditionFor(table, organizationId)})`))
  }
  return found
}

export const hashOf = (rows: Rows): string =>
  createHash('sha256')
    .update(JSON.stringify([...rows].map(([table, lines]) => [getTableName(table), lines])))
    .digest('hex')

/** Copies the rows of an organization, parents first: its people with their sessions, what it owns, and its long texts. */
export async function copyOrganization(from: Database, to: Database, organizationId: string): Promise<void> {
  const rows = await rowsOf(from, organizationId)
  for (const [table, lines] of await peopleOf(from, organizationId)) await insertLines(to, table, lines)
  for (const [table, lines] of rows) await insertLines(to, table, lines)
  const named = [...rows.values()].flat().flatMap((line) => line.match(LONG_TEXTS) ?? [])
  const isNamed = `id in (${named.join(', ')})`
  await insertLines(to, schema.longTexts, await linesOf(from, schema.longTexts, isNamed))
  // Triggers of the database counted what was copied once more.
  const sizes = await from.all<{ id: string; size: number }>(
    sql.raw(`select id, records_size as size from workspaces where organization_id = '${organizationId}'`),
  )
  for (const { id, size } of sizes) {
    await to.run(sql.raw(`update workspaces set records_size = ${size} where id = '${id}'`))
  }
}

/** What a column of long texts holds for one that is kept in parts: the bytes of "heddle-text:" and more. */
const LONG_TEXTS = /X'686564646C652D746578743A[0-9A-F]+'/g

/** Returns what the directory would hold. */
async function peopleOf(db: Database, organizationId: string): Promise<Rows> {
  const members = `select user_id from organization_members where organization_id = '${organizationId}'`
  return new Map<SQLiteTable, string[]>([
    [schema.users, await linesOf(db, schema.users, `id in (${members})`)],
    [schema.sessions, await linesOf(db, schema.sessions, `user_id in (${members})`)],
  ])
}

async function insertLines(db: Database, table: SQLiteTable, lines: readonly string[]): Promise<void> {
  const columns = columnsOf(table).map((column) => `"${column}"`)
  const into = `insert or ignore into ${getTableName(table)} (${columns.join(', ')})`
  for (const line of lines) await db.run(sql.raw(`${into} values (${line})`))
}

export async function deleteOrganization(db: Database, organizationId: string): Promise<void> {
  const run = (text: string) => db.run(sql.raw(text))
  const workspaces = await db.all<{ id: string }>(
    sql.raw(`select id from workspaces where ${conditionFor(schema.workspaces, organizationId)}`),
  )
  for (const table of organizationsTables.toReversed()) {
    await run(`delete from ${getTableName(table)} where ${conditionFor(table, organizationId)}`)
  }
  // Deletions retire ids, that of the workspace as well, which the organization uses where it is now.
  for (const { id } of workspaces) await run(`delete from retired_ids where workspace_id = '${id}'`)
}
