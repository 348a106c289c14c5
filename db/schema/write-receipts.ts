import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * One row for each batch of writes, to decide whether it was done when its answer is lost (`db/hrana.ts`). Kept for ten
 * minutes. Its ids sort by time.
 */
export const writeReceipts = sqliteTable('write_receipts', {
  id: text('id').primaryKey(),
  /** Somebody decided that the batch was not done, so it never will be. */
  isVoid: integer('is_void', { mode: 'boolean' }).notNull(),
})
