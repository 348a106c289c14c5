import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { RunLimits } from '#contract/runs/limits.ts'

export const organizations = sqliteTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  createdDate: text('created_date').notNull(),
})

export const workspaces = sqliteTable(
  'workspaces',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    /** The workspace's data key, wrapped by the master key. */
    wrappedKey: text('wrapped_key').notNull(),
    /** What one run of any flow may use; null: no limit of the workspace's own. */
    runLimits: text('run_limits', { mode: 'json' }).$type<RunLimits>(),
    /** Webhook deliveries that are taken within a minute; null: no limit of the workspace's own. */
    triggersPerMinute: integer('triggers_per_minute'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('workspaces_organization').on(t.organizationId)],
)

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    /** scrypt, in the self-describing form of `worker/areas/auth/password.ts`. */
    passwordHash: text('password_hash').notNull(),
    status: text('status').notNull().default('active'),
    activeWorkspaceId: text('active_workspace_id').notNull(),
    lastLogin: text('last_login'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [uniqueIndex('users_email').on(t.email)],
)

export const organizationMembers = sqliteTable(
  'organization_members',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    isAdmin: integer('is_admin', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.userId] }), index('organization_members_user').on(t.userId)],
)

export const roles = sqliteTable('roles', {
  id: text('id').primaryKey(),
  organizationId: text('organization_id')
    .notNull()
    .references(() => organizations.id),
  name: text('name').notNull(),
  permissions: text('permissions', { mode: 'json' }).$type<string[]>().notNull(),
  createdDate: text('created_date').notNull(),
})

export const workspaceMembers = sqliteTable(
  'workspace_members',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** Null for organization admins, who hold every permission. */
    roleId: text('role_id').references(() => roles.id),
  },
  (t) => [primaryKey({ columns: [t.workspaceId, t.userId] }), index('workspace_members_user').on(t.userId)],
)
