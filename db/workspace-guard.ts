/**
 * Refuses statements that reach a workspace's rows without its workspace. Every statement of a database passes here when
 * its SQL is built, raw SQL included, before it is sent.
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

export type Database = LibSQLDatabase<typeof schema>

/** Tables with a workspace of their own. Who belongs to which workspace is asked before there is one. */
export const ownedTables: SQLiteTable[] = Object.values(schema)
  .filter((value) => is(value, SQLiteTable))
  .filter((table) => getTableConfig(table).columns.some(({ name }) => name === 'workspace_id'))
  .filter((table) => table !== schema.workspaceMembers)

const ownedNames = new Set(ownedTables.map(getTableName))
const workspaceConditions = new WeakSet<SQL>()
const unguarded = new WeakMap<Database, Database>()

/** Marks SQL that holds a row to one workspace. Only `scope` calls this. */
export function markWorkspace<Marked extends SQL>(condition: Marked): Marked {
  workspaceConditions.add(condition)
  return condition
}

/** Returns `database` with the check; `withoutCheck` is a handle on the same client for `acrossWorkspaces`. */
export function guardWorkspaces(database: Database, withoutCheck: Database): Database {
  const { dialect } = database as unknown as { dialect: SQLiteAsyncDialect }
  const build = dialect.sqlToQuery.bind(dialect)
  dialect.sqlToQuery = (statement, ...rest) => {
    assertWorkspace(statement)
    return build(statement, ...rest)
  }
  unguarded.set(database, withoutCheck)
  return database
}

/** Returns the handle without the check, or the database itself when it has none. */
export function unguardedHandle(database: Database): Database {
  return unguarded.get(database) ?? database
}

/** Throws when the statement names a workspace's table and nothing in it was put there by `scope`. */
function assertWorkspace(statement: SQL): void {
  const found = new Set<string>()
  if (holdsWorkspace(statement, found) || found.size === 0) return
  const tables = [...found].join(', ')
  throw new Error(
    `A statement on ${tables} has no workspace. Build it with scope(), or acrossWorkspaces() and a reason.`,
  )
}

/** Whether a chunk of SQL holds a workspace's condition; adds the workspace tables that it names to `found`. */
function holdsWorkspace(chunk: unknown, found: Set<string>): boolean {
  if (is(chunk, SQL)) {
    return workspaceConditions.has(chunk) || chunk.queryChunks.some((inner) => holdsWorkspace(inner, found))
  }
  if (is(chunk, StringChunk)) addNames(chunk.value.join(''), found)
  else if (is(chunk, Name)) addNames(chunk.value, found)
  else if (is(chunk, Table)) addNames(getTableName(chunk), found)
  else if (is(chunk, Subquery)) return !chunk._.isWith && holdsWorkspace(chunk._.sql, found)
  else if (is(chunk, Param)) return isSQLWrapper(chunk.value) && holdsWorkspace(chunk.value, found)
  else if (Array.isArray(chunk)) return chunk.some((inner) => holdsWorkspace(inner, found))
  else if (isBuilder(chunk)) return holdsWorkspace(chunk.getSQL(), found)
  return false
}

/** A query inside the statement; columns, aliases of columns and placeholders name no table that it reads. */
function isBuilder(chunk: unknown): chunk is { getSQL(): SQL } {
  return isSQLWrapper(chunk) && !is(chunk, SQL.Aliased) && !is(chunk, Column) && !is(chunk, Placeholder)
}

function addNames(text: string, found: Set<string>): void {
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) if (ownedNames.has(word)) found.add(word)
}
