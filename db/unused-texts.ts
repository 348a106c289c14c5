/** Deletes long texts that no row refers to any more. */
import { getTableColumns, is, type SQL, sql } from 'drizzle-orm'
import { type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { isLongText, isReference } from './long-text.ts'
import * as schema from './schema/index.ts'
import { longTexts } from './schema/index.ts'
import { acrossWorkspaces } from './scope.ts'
import type { Database } from './tenant-guard.ts'

/** Once an hour. */
const MINUTE = 23
/** Texts that one statement deletes, which may have 16 MB each. */
const MAX_DELETED = 20
const MAX_MS = 10_000

/** The columns that may refer to long texts. */
const longColumns: SQLiteColumn[] = Object.values(schema)
  .filter((table) => is(table, SQLiteTable))
  .flatMap((table) => Object.values<SQLiteColumn>(getTableColumns(table)))
  .filter(isLongText)

/** Part of the minute job. A text that is saved again at the same time is kept, or stored anew by its batch. */
export async function deleteUnusedTexts({ db }: { db: Database }, now: Date): Promise<void> {
  if (now.getUTCMinutes() !== MINUTE) return
  const isUsed = longColumns.map(
    (column): SQL => sql`exists (select 1 from ${column.table} where ${isReference(column)} and ${column} = stored.id)`,
  )
  const unused = sql`select stored.id from ${longTexts} stored
    where stored.part = 0 and not (${sql.join(isUsed, sql` or `)}) limit ${MAX_DELETED}`
  const all = acrossWorkspaces(db, 'the minute job deletes what no row of any workspace refers to')
  const end = Date.now() + MAX_MS
  for (let deleted = 1; deleted > 0 && Date.now() < end; ) {
    const { rowsAffected } = await all.run(sql`delete from ${longTexts} where ${longTexts.id} in (${unused})`)
    deleted = rowsAffected
  }
}
