import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** By which machines on one database notice that one has another key. Nobody learns the key from its value. */
export const keyChecks = sqliteTable('key_checks', {
  /** As in the settings. */
  name: text('name').primaryKey(),
  value: text('value').notNull(),
})
