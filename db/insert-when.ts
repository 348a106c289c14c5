import { getTableColumns, is, SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'

type Values<T extends SQLiteTable> = { [Name in keyof T['$inferInsert']]: T['$inferInsert'][Name] | SQL }

/** Returns the statement that inserts a row if the condition holds when it runs, which an earlier one may have changed. */
export function insertWhen<T extends SQLiteTable>(db: Database, table: T, values: Values<T>, condition: SQL) {
  const given = values as Record<string, unknown>
  const row = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = given[name] ?? column.default ?? null
    return is(value, SQL) ? value : sql.param(value, column)
  })
  return db.insert(table).select(sql`select ${sql.join(row, sql`, `)} where ${condition}`)
}
