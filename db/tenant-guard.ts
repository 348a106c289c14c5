/**
 * Refuses statements that reach the rows of a workspace or an organization without it. Every statement of a database
 * passes here when its SQL is built, raw SQL included, before it is sent.
 */
import {
  Column,
  getTableName,
  is,
  isSQLWrapper,
  Name,
  Param,
  Placeholder,
  SQL,
  StringChunk,
  Subquery,
  Table,
} from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { getTableConfig, type SQLiteAsyncDialect, SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as schema from './schema/index.ts'
import type { Sender } from './sender.ts'

/** A transaction over several round trips holds everybody's turn to write: a batch, or a unit of work, does not. */
export type Database = Omit<LibSQLDatabase<typeof schema>, 'transaction'>

const tables: SQLiteTable[] = Object.values(schema).filter((value) => is(value, SQLiteTable))
const tablesWith = (column: string) =>
  tables.filter((table) => getTableConfig(table).columns.some(({ name }) => name === column))

/** Tables with a workspace of their own. Who belongs to which workspace is the organization's. */
export const ownedTables = tablesWith('workspace_id').filter((table) => table !== schema.workspaceMembers)

/** Tables of organizations. A workspace is reached by its id as well, which every member's request has. */
export const organizationTables = [
  ...tablesWith('organization_id').filter((table) => table !== schema.workspaces),
  schema.workspaceMembers,
]

type Tenancy = 'workspace' | 'organization'

const tenancies = new Map<string, Tenancy>([
  ...ownedTables.map((table): [string, Tenancy] => [getTableName(table), 'workspace']),
  ...organizationTables.map((table): [string, Tenancy] => [getTableName(table), 'organization']),
])
const tenantConditions: Record<Tenancy, WeakSet<SQL>> = { workspace: new WeakSet(), organization: new WeakSet() }
const unguarded = new WeakMap<Database, Database>()

/** Marks SQL that holds a row to one workspace. Only `scope` calls this. */
export const markWorkspace = <Marked extends SQL>(condition: Marked): Marked => mark('workspace', condition)

/** Marks SQL that holds a row to one organization. Only `organizationScope` calls this. */
export const markOrganization = <Marked extends SQL>(condition: Marked): Marked => mark('organization', condition)

function mark<Marked extends SQL>(tenancy: Tenancy, condition: Marked): Marked {
  tenantConditions[tenancy].add(condition)
  return condition
}

/**
 * Returns `database` with the check; `withoutCheck` is a handle on the same client for `acrossWorkspaces` and
 * `acrossOrganizations`.
 */
export function guardTenants(database: Database, withoutCheck: Database): Database {
  const { dialect } = database as unknown as { dialect: SQLiteAsyncDialect }
  const build = dialect.sqlToQuery.bind(dialect)
  dialect.sqlToQuery = (statement, ...rest) => {
    assertTenants(statement)
    return build(statement, ...rest)
  }
  unguarded.set(database, withoutCheck)
  return database
}

/** Returns the handle without the check, or the database itself when it has none. */
export function unguardedHandle(database: Database): Database {
  return unguarded.get(database) ?? database
}

/** The parts of a handle that decide where its statements go. */
interface Handle {
  session: { client: Sender }
}

const originals = new WeakMap<Database, Database>()

/** Returns a handle with the same check whose statements another sender gets. */
export function handleFor(database: Database, sender: Sender): Database {
  const sendingWith = (handle: Database): Database => {
    const session = Object.create((handle as unknown as Handle).session, { client: { value: sender } })
    const made: Database = Object.create(handle, { session: { value: session } })
    originals.set(made, originalOf(handle))
    return made
  }
  const made = sendingWith(database)
  unguarded.set(made, sendingWith(unguardedHandle(database)))
  return made
}

/** Returns the handle that `handleFor` made this one of, or the handle itself: they build the same texts. */
export const originalOf = (database: Database): Database => originals.get(database) ?? database

export const senderOf = (database: Database): Sender => (database as unknown as Handle).session.client

/** Throws when the statement names a tenant's table and nothing in it was put there by its scope. */
function assertTenants(statement: SQL): void {
  const found: StatementParts = { tables: new Set(), scopes: new Set() }
  gather(statement, found)
  const open = [...found.tables].filter((table) => !found.scopes.has(tenancies.get(table) as Tenancy))
  const [first] = open
  if (first === undefined) return
  throw new Error(`A statement on ${open.join(', ')} ${HINTS[tenancies.get(first) as Tenancy]}`)
}

const HINTS: Record<Tenancy, string> = {
  workspace: 'has no workspace. Build it with scope(), or acrossWorkspaces() and a reason.',
  organization: 'has no organization. Build it with organizationScope(), or acrossOrganizations() and a reason.',
}

/** The tenants' tables that a statement names, and whose scopes are in it. */
interface StatementParts {
  tables: Set<string>
  scopes: Set<Tenancy>
}

function gather(chunk: unknown, found: StatementParts): void {
  if (is(chunk, SQL)) {
    for (const tenancy of ['workspace', 'organization'] as const) {
      if (tenantConditions[tenancy].has(chunk)) found.scopes.add(tenancy)
    }
    for (const inner of chunk.queryChunks) gather(inner, found)
  } else if (is(chunk, StringChunk)) addNames(chunk.value.join(''), found)
  else if (is(chunk, Name)) addNames(chunk.value, found)
  else if (is(chunk, Table)) addNames(getTableName(chunk), found)
  else if (is(chunk, Subquery)) {
    if (!chunk._.isWith) gather(chunk._.sql, found)
  } else if (is(chunk, Param)) {
    if (isSQLWrapper(chunk.value)) gather(chunk.value, found)
  } else if (Array.isArray(chunk)) for (const inner of chunk) gather(inner, found)
  else if (isBuilder(chunk)) gather(chunk.getSQL(), found)
}

/** A query inside the statement; columns, aliases of columns and placeholders name no table that it reads. */
function isBuilder(chunk: unknown): chunk is { getSQL(): SQL } {
  return isSQLWrapper(chunk) && !is(chunk, SQL.Aliased) && !is(chunk, Column) && !is(chunk, Placeholder)
}

function addNames(text: string, found: StatementParts): void {
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) if (tenancies.has(word)) found.tables.add(word)
}
