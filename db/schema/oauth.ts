import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

/** Someone on their way to a provider's consent page and back. Used once, and only before it expires. */
export const oauthRequests = sqliteTable(
  'oauth_requests',
  {
    /** SHA-256 of the `state` parameter. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** The kind of asset that the tokens belong to. */
    ownerKind: text('owner_kind', { enum: ['credential', 'mcpServer'] }).notNull(),
    ownerId: text('owner_id').notNull(),
    userId: text('user_id').notNull(),
    /** The PKCE verifier and what the token request repeats: AES-GCM under the workspace's key. */
    encryptedData: text('encrypted_data').notNull(),
    expiresDate: text('expires_date').notNull(),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('oauth_requests_expiry').on(t.expiresDate)],
)
