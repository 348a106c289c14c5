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
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('credentials_workspace').on(t.workspaceId, t.updatedDate, t.id)],
)
