import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'

/**
 * Returns true when a statement, alone or in a batch, failed because another row has the same value.
 * Only the message tells: sqld reports every constraint as `SQLITE_CONSTRAINT`.
 * @param column one of the constraint's columns; without it any constraint counts
 */
export function isUniqueViolation(error: unknown, column?: SQLiteColumn): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const [, columns] = (cause instanceof Error ? cause.message : '').split('UNIQUE constraint failed: ')
  if (columns === undefined) return false
  return !column || columns.split(', ').includes(`${getTableName(column.table)}.${column.name}`)
}
