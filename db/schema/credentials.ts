import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

export const credentials = sqliteTable(
  'credentials',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    /** The credential type: `openAIApi`. */
    credentialName: text('credential_name').notNull(),
    /** AES-GCM under the workspace's key; never leaves the worker. */
    encryptedData: text('encrypted_data').notNull(),
    /** Where its secrets may be sent besides the hosts that its type and fields name. Null: to any host. */
    hosts: text('hosts', { mode: 'json' }).$type<string[]>(),
    /** When a run, a test or a tool last used it; ISO date, to the hour. */
    lastUsedDate: text('last_used_date'),
    /** When the access token of an OAuth 2 credential expires. Null: it has none, or never expires. */
    expiresDate: text('expires_date'),
    /** Until when one holder refreshes the token; others wait. */
    refreshLease: text('refresh_lease'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('credentials_workspace').on(t.workspaceId, t.updatedDate, t.id)],
)
