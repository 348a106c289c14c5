/**
 * A thousand organizations in eight databases, as `docs/capacity.md` designs cells: one function says which database an
 * organization is in, the product's statements reach that one alone, and an organization moves with all that it owns.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName, is, sql } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#db/client.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import * as schema from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { listVariables } from '#worker/areas/variables/store.ts'
import { seedOrganization } from '#worker/http/testing/seed.ts'
import { copyTemplateDatabase } from '#worker/local/testing/template-database.ts'

const CELLS = Array.from({ length: 8 }, (_, at) => `cell-${at}`)
const ORGANIZATIONS = Array.from({ length: 1_000 }, (_, at) => `organization-${at}`)
const DATE = '2026-01-01T00:00:00.000Z'

/**
 * Returns the cell of an organization that nobody moved: the one with the highest hash of both names. A cell that is added
 * takes its share from all others, and no organization goes anywhere else.
 */
function cellOf(organizationId: string, cells: readonly string[]): string {
  const rank = (cell: string) => createHash('sha256').update(`${cell}/${organizationId}`).digest('hex')
  return cells.reduce((best, cell) => (rank(cell) > rank(best) ? cell : best))
}

const tables: SQLiteTable[] = Object.values(schema).filter((value) => is(value, SQLiteTable))

/** Tables whose rows are of no organization, and where cells would keep them. */
const OF_NO_ORGANIZATION: Record<string, 'directory' | 'each cell' | 'with the rows that name it'> = {
  authenticators: 'directory',
  challenges: 'directory',
  known_browsers: 'directory',
  letter_tokens: 'directory',
  letters: 'directory',
  passkeys: 'directory',
  recovery_codes: 'directory',
  sessions: 'directory',
  user_identities: 'directory',
  users: 'directory',
  file_deletions: 'each cell',
  rate_limits: 'each cell',
  write_receipts: 'each cell',
  long_texts: 'with the rows that name it',
}

/** What refers from a cell to the directory, where no foreign key reaches: the directory answers whether it is there. */
const TO_THE_DIRECTORY = [
  'invitations.invited_by',
  'login_activity.user_id',
  'organization_members.user_id',
  'scim_group_members.user_id',
  'scim_tokens.created_by',
  'workspace_members.user_id',
]

const referencesOf = (table: SQLiteTable) =>
  getTableConfig(table).foreignKeys.map((key) => {
    const { columns, foreignColumns, foreignTable } = key.reference()
    return { column: columns[0]?.name as string, to: foreignTable, key: foreignColumns[0]?.name as string }
  })

/** Returns the condition for the rows of an organization, found from the schema; none for a table of no organization. */
function conditionFor(table: SQLiteTable, organizationId: string): string | undefined {
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
const organizationsTables = ((): SQLiteTable[] => {
  const sorted: SQLiteTable[] = []
  const add = (table: SQLiteTable) => {
    if (sorted.includes(table) || !conditionFor(table, '')) return
    for (const { to } of referencesOf(table)) if (to !== table) add(to)
    sorted.push(table)
  }
  tables.forEach(add)
  return sorted
})()

interface Cell {
  database: Database
  /** As requests have it, with the check for tenants. */
  guarded: Database
  server: LibsqlServer
  /** Requests of `guarded` so far. */
  requests: number
}

const folder = mkdtempSync(join(tmpdir(), 'heddle-cells-'))
const cells = new Map<string, Cell>()
const cell = (name: string) => cells.get(name) as Cell

async function openCell(name: string): Promise<void> {
  const place = join(folder, name)
  mkdirSync(place)
  copyTemplateDatabase(place)
  const server = await startLibsqlServer({ file: join(place, 'heddle.db') })
  const opened: Cell = { server, requests: 0 } as Cell
  const fetch: typeof globalThis.fetch = (...request) => {
    opened.requests++
    return globalThis.fetch(...request)
  }
  opened.database = openUnscopedDatabase(server.url, server.authToken)
  opened.guarded = openDatabase(server.url, server.authToken, { fetch } as typeof globalThis)
  cells.set(name, opened)
}

const stamp = { createdDate: DATE, updatedDate: DATE }

async function fillCell(name: string): Promise<void> {
  const { database: db } = cell(name)
  const ids = ORGANIZATIONS.filter((id) => cellOf(id, CELLS) === name)
  const rows = <Row>(make: (id: string) => Row) => ids.map(make)
  const of = (id: string) => ({ id, workspaceId: id })
  await db.batch([
    db.insert(schema.organizations).values(rows((id) => ({ id, name: id, createdDate: DATE }))),
    db
      .insert(schema.workspaces)
      .values(rows((id) => ({ id, organizationId: id, name: id, wrappedKey: 'k', createdDate: DATE }))),
    db.insert(schema.users).values(
      rows((id) => ({
        ...{ id, email: `${id}@cells.test`, name: id, passwordHash: '' },
        ...{ activeWorkspaceId: id, createdDate: DATE },
      })),
    ),
    db.insert(schema.organizationMembers).values(rows((id) => ({ organizationId: id, userId: id, isAdmin: true }))),
    db.insert(schema.workspaceMembers).values(rows((id) => ({ workspaceId: id, userId: id }))),
    db
      .insert(schema.chatflows)
      .values(rows((id) => ({ ...of(id), ...stamp, name: id, flowData: '{}', type: 'AGENTFLOW' as const }))),
    db
      .insert(schema.variables)
      .values(rows((id) => ({ ...of(id), ...stamp, name: 'place', value: id, type: 'static' as const }))),
  ])
}

/** The organization that has a row in every table. */
const FULL = 'organization-full'
const HOME = 'cell-0'
const AWAY = 'cell-1'

beforeAll(async () => {
  await Promise.all(CELLS.map(openCell))
  await seedOrganization(cell(HOME).database, {
    ...{ id: `workspaces-${FULL}`, sealed: 'sealed', organizationMark: FULL },
    idOf: (table) => (table === 'organizations' ? FULL : `${table}-${FULL}`),
  })
  const workspaceId = `workspaces-${FULL}`
  await cell(HOME).database.insert(schema.retiredIds).values({ id: 'retired', workspaceId, retiredDate: DATE })
  await Promise.all(CELLS.map(fillCell))
})

afterAll(async () => {
  for (const { server } of cells.values()) await server.close()
  rmSync(folder, { recursive: true })
})

/** Returns the matching rows of a table, each as the SQL of its values. */
async function linesOf({ database }: Cell, table: SQLiteTable, condition: string): Promise<string[]> {
  const values = columnsOf(table).map((column) => `quote("${column}")`)
  const text = `select ${values.join(` || ', ' || `)} as line from ${getTableName(table)} where ${condition} order by 1`
  const lines = await database.all<{ line: string }>(sql.raw(text))
  return lines.map(({ line }) => line)
}

/** Returns the rows of an organization by table; with `not`, those of all others. */
async function rowsOf(place: Cell, organizationId: string, not = ''): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const table of organizationsTables) {
    found.set(getTableName(table), await linesOf(place, table, `${not} (${conditionFor(table, organizationId)})`))
  }
  return found
}

const columnsOf = (table: SQLiteTable) => getTableConfig(table).columns.map(({ name }) => name)

const hashOf = (rows: Map<string, string[]>) =>
  createHash('sha256')
    .update(JSON.stringify([...rows]))
    .digest('hex')

/** Returns what all other organizations of a cell have, as a hash of each table. */
const othersIn = async (name: string) =>
  [...(await rowsOf(cell(name), FULL, 'not'))].map((rows) => `${rows[0]} ${rows[1].length} ${hashOf(new Map([rows]))}`)

/** Copies the rows of an organization, and the people that they name, parents first. */
async function copyOrganization(from: Cell, to: Cell, rows: Map<string, string[]>): Promise<void> {
  const people = await from.database.all<typeof schema.users.$inferSelect>(
    sql.raw(
      `select * from users where id in (select user_id from organization_members where organization_id = '${FULL}')`,
    ),
  )
  const quoted = (value: unknown) =>
    value === null ? 'null' : typeof value === 'number' ? String(value) : `'${value}'`
  const statements = people.map(
    (person) =>
      `insert or ignore into users (${Object.keys(person).join(', ')}) values (${Object.values(person).map(quoted).join(', ')})`,
  )
  for (const table of organizationsTables) {
    const columns = columnsOf(table).map((column) => `"${column}"`)
    for (const line of rows.get(getTableName(table)) ?? []) {
      statements.push(`insert into ${getTableName(table)} (${columns.join(', ')}) values (${line})`)
    }
  }
  for (const statement of statements) await to.database.run(sql.raw(statement))
  // Triggers of the database counted what was copied once more.
  const sizes = await from.database.all<{ id: string; size: number }>(
    sql.raw(`select id, records_size as size from workspaces where organization_id = '${FULL}'`),
  )
  for (const { id, size } of sizes) {
    await to.database.run(sql.raw(`update workspaces set records_size = ${size} where id = '${id}'`))
  }
}

async function deleteOrganization({ database }: Cell): Promise<void> {
  const run = (text: string) => database.run(sql.raw(text))
  const workspaces = await database.all<{ id: string }>(
    sql.raw(`select id from workspaces where ${conditionFor(schema.workspaces, FULL)}`),
  )
  for (const table of organizationsTables.toReversed()) {
    await run(`delete from ${getTableName(table)} where ${conditionFor(table, FULL)}`)
  }
  // Deletions retire ids, that of the workspace as well, which the organization uses where it is now.
  for (const { id } of workspaces) await run(`delete from retired_ids where workspace_id = '${id}'`)
}

describe('a thousand organizations in eight cells', () => {
  it('are spread evenly, and a ninth cell takes its share alone', () => {
    const sizes = CELLS.map((name) => ORGANIZATIONS.filter((id) => cellOf(id, CELLS) === name).length)
    expect(Math.min(...sizes)).toBeGreaterThan(90)
    expect(Math.max(...sizes)).toBeLessThan(160)
    const more = [...CELLS, 'cell-8']
    const moved = ORGANIZATIONS.filter((id) => cellOf(id, more) !== cellOf(id, CELLS))
    expect(new Set(moved.map((id) => cellOf(id, more)))).toEqual(new Set(['cell-8']))
    expect(moved.length).toBeLessThan(160)
  })

  it('each table is of organizations, or says where it would be', () => {
    const others = tables.filter((table) => !conditionFor(table, '')).map(getTableName)
    expect(others.sort()).toEqual(Object.keys(OF_NO_ORGANIZATION).sort())
  })

  it('nothing else in a cell refers to the directory', () => {
    const crossing = organizationsTables.flatMap((table) =>
      referencesOf(table)
        .filter(({ to }) => OF_NO_ORGANIZATION[getTableName(to)] === 'directory')
        .map(({ column }) => `${getTableName(table)}.${column}`),
    )
    expect(crossing.sort()).toEqual(TO_THE_DIRECTORY)
  })

  it('statements of an organization reach its cell alone, and its rows alone', async () => {
    for (const id of ORGANIZATIONS.filter((_, at) => at % 25 === 0)) {
      const before = CELLS.map((name) => cell(name).requests)
      const home = cellOf(id, CELLS)
      const store = { db: cell(home).guarded } as Parameters<typeof listVariables>[0]
      const found = await listVariables(store, { workspaceId: id }, {})
      expect(JSON.stringify(found)).toContain(`"value":"${id}"`)
      expect(JSON.stringify(found).match(/"value":/g)).toHaveLength(1)
      const members = await organizationScope(store.db, { organizationId: id }).select(schema.organizationMembers)
      expect(members.map(({ userId }) => userId)).toEqual([id])
      const asked = CELLS.filter((name, at) => cell(name).requests !== before[at])
      expect(asked).toEqual([home])
    }
  })

  it('one moves with every row that it owns, and the others stay as they are', async () => {
    const rows = await rowsOf(cell(HOME), FULL)
    // The seed has no index of a store, whose tables are built anew where it is.
    const empty = [...rows].filter(([, lines]) => lines.length === 0).map(([name]) => name)
    expect(empty).toEqual(['document_shelves'])
    const others = [await othersIn(HOME), await othersIn(AWAY)]
    await copyOrganization(cell(HOME), cell(AWAY), rows)
    expect(hashOf(await rowsOf(cell(AWAY), FULL))).toBe(hashOf(rows))
    await deleteOrganization(cell(HOME))
    const left = [...(await rowsOf(cell(HOME), FULL))].filter(([, lines]) => lines.length > 0)
    expect(left).toEqual([])
    expect([await othersIn(HOME), await othersIn(AWAY)]).toEqual(others)
  })
})
