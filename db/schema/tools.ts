import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

/** A tool that a workspace wrote itself, in Flowise's public shape. */
export const tools = sqliteTable(
  'tools',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    color: text('color').notNull(),
    iconSrc: text('icon_src'),
    /** JSON text: a list of `{ id, property, description, type, required }`. */
    schema: text('schema'),
    /** JavaScript; runs in the sandbox only. */
    func: text('func'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('tools_workspace').on(t.workspaceId, t.updatedDate, t.id)],
)

/** An MCP server whose tools a workspace may use. */
export const mcpServers = sqliteTable(
  'mcp_servers',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    serverUrl: text('server_url').notNull(),
    authType: text('auth_type', { enum: ['NONE', 'CUSTOM_HEADERS', 'OAUTH'] }).notNull(),
    /** Headers or OAuth tokens: AES-GCM under the workspace's key. */
    encryptedAuth: text('encrypted_auth'),
    /** When the access token expires. Null: there is none, or it never expires. */
    expiresDate: text('expires_date'),
    /** Until when one holder refreshes the token; others wait. */
    refreshLease: text('refresh_lease'),
    color: text('color'),
    iconSrc: text('icon_src'),
    status: text('status', { enum: ['PENDING', 'AUTHORIZED', 'ERROR'] }).notNull(),
    /** The error when its tools were last listed. */
    statusReason: text('status_reason'),
    /** JSON text: its tools as last listed. */
    tools: text('tools'),
    toolCount: integer('tool_count').notNull().default(0),
    checkedDate: text('checked_date'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('mcp_servers_workspace').on(t.workspaceId, t.updatedDate, t.id)],
)
