import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

export const apikeys = sqliteTable(
  'apikeys',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    keyName: text('key_name').notNull(),
    /** SHA-256 of the key; the key itself is 32 random bytes and is never stored. */
    keyHash: text('key_hash').notNull(),
    /** The key's last four characters, for people to tell keys apart. */
    keyHint: text('key_hint').notNull(),
    permissions: text('permissions', { mode: 'json' }).$type<string[]>().notNull(),
    /** Flows that the key may run, besides those that its permissions let it view. Null: none. */
    flowIds: text('flow_ids', { mode: 'json' }).$type<string[]>(),
    /** The key is refused from then on; null: never. */
    expiresDate: text('expires_date'),
    /** ISO date, to the hour. */
    lastUsedDate: text('last_used_date'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [uniqueIndex('apikeys_hash').on(t.keyHash), index('apikeys_workspace').on(t.workspaceId, t.updatedDate)],
)
