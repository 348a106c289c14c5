/**
 * A thousand organizations in eight databases, as `docs/capacity.md` designs cells: one function says which database an
 * organization is in, the product's statements reach that one alone, and an organization moves with all that it owns.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '#db/client.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import * as schema from '#db/schema/index.ts'
import { organizationScope } from '#db/scope.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { listVariables } from '#worker/areas/variables/store.ts'
import { seedOrganization } from '#worker/http/testing/seed.ts'
import { copyTemplateDatabase } from '#worker/local/testing/template-database.ts'
import {
  conditionFor,
  copyOrganization,
  deleteOrganization,
  hashOf,
  organizationsTables,
  referencesOf,
  rowsOf,
  tables,
} from './testing/organization.ts'

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
  key_checks: 'each cell',
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

/**
 * What is unique over all organizations, and so over all cells, and why two cells agree. Ids are not listed: they are
 * random, and one that an import brings is asked of the directory.
 */
const UNIQUE_OVER_ORGANIZATIONS: Record<string, string> = {
  'apikeys_hash: key_hash': 'Keys are random.',
  'document_shelves_store: store_id, state': 'Ids of stores are random.',
  'scim_tokens_hash: token_hash': 'Tokens are random.',
}

/** Returns each unique index or key of a table, with its columns. */
const uniquesOf = (table: SQLiteTable) => {
  const { name, indexes, primaryKeys, columns } = getTableConfig(table)
  const columnKeys = columns.filter(({ primary, isUnique }) => primary || isUnique).map((column) => column.name)
  return [
    ...indexes
      .filter(({ config }) => config.unique)
      .map(({ config }) => ({ name: config.name, columns: config.columns })),
    ...primaryKeys.map((key) => ({ name, columns: key.columns })),
    ...columnKeys.map((column) => ({ name, columns: [{ name: column }] })),
  ].map((unique) => ({ name: unique.name, columns: unique.columns.map((column) => (column as { name: string }).name) }))
}

/** True for a column that only one organization has values in: its own id, its workspace's, or a row's that it owns. */
const isOfOneOrganization = (table: SQLiteTable, column: string) =>
  ['id', 'organization_id', 'workspace_id'].includes(column) ||
  referencesOf(table).some((reference) => reference.column === column && conditionFor(reference.to, ''))

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

/** Returns what all other organizations of a cell have, as a hash of each table. */
const othersIn = async (name: string) =>
  [...(await rowsOf(cell(name).database, FULL, 'not'))].map(
    (rows) => `${getTableName(rows[0])} ${rows[1].length} ${hashOf(new Map([rows]))}`,
  )

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

  it('nothing else is unique over all organizations', () => {
    const unique = organizationsTables.flatMap((table) =>
      uniquesOf(table)
        .filter(({ columns }) => !columns.some((column) => isOfOneOrganization(table, column)))
        .map(({ name, columns }) => `${name}: ${columns.join(', ')}`),
    )
    expect(unique.sort()).toEqual(Object.keys(UNIQUE_OVER_ORGANIZATIONS))
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
    const [home, away] = [cell(HOME).database, cell(AWAY).database]
    const rows = await rowsOf(home, FULL)
    // The seed has no index of a store, whose tables are built anew where it is.
    const empty = [...rows].filter(([, lines]) => lines.length === 0).map(([table]) => getTableName(table))
    expect(empty).toEqual(['document_shelves'])
    const others = [await othersIn(HOME), await othersIn(AWAY)]
    await copyOrganization(home, away, FULL)
    expect(hashOf(await rowsOf(away, FULL))).toBe(hashOf(rows))
    await deleteOrganization(home, FULL)
    const left = [...(await rowsOf(home, FULL)).values()].flat()
    expect(left).toEqual([])
    expect([await othersIn(HOME), await othersIn(AWAY)]).toEqual(others)
  })
})
