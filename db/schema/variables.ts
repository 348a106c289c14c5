import { sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

export const variables = sqliteTable(
  'variables',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    /** Empty for a secret. */
    value: text('value').notNull(),
    /** The value of a secret: AES-GCM under the workspace's key. */
    encryptedValue: text('encrypted_value'),
    type: text('type', { enum: ['static', 'runtime', 'secret'] }).notNull(),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [uniqueIndex('variables_name').on(t.workspaceId, t.name)],
)
