import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** A value for each key that machines on one database share, which tells whether a key is the same. It does not tell the key. */
export const keyChecks = sqliteTable('key_checks', {
  /** As in the settings. */
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
