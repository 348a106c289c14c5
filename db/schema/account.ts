import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { BuiltInRole, RoleKind } from '#contract/access/roles.ts'
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
    /** Limits of one run of any flow; null: the workspace sets none. */
    runLimits: text('run_limits', { mode: 'json' }).$type<RunLimits>(),
    /** Webhook deliveries that are taken within a minute; null: no limit of the workspace's own. */
    triggersPerMinute: integer('triggers_per_minute'),
    /** Days until runs and messages are deleted; 0: they stay; null: the platform's default. */
    keepRunsDays: integer('keep_runs_days'),
    /** Characters that its runs, their steps and messages hold. Triggers of the database keep it (migration 0038). */
    recordsSize: integer('records_size').notNull().default(0),
    /** Nobody sees the workspace from then on, and an admin may restore it for a while; null: it is in use. */
    deletedDate: text('deleted_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('workspaces_organization').on(t.organizationId), index('workspaces_deleted').on(t.deletedDate, t.id)],
)

export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    /** scrypt, in the self-describing form of `worker/areas/auth/password.ts`; empty: the person has no password. */
    passwordHash: text('password_hash').notNull(),
    /** `active`, or `unverified` until the address is confirmed. An organization disables its members, not users. */
    status: text('status').notNull().default('active'),
    /** The workspace that the next session opens. */
    activeWorkspaceId: text('active_workspace_id').notNull(),
    /** When the person proved that the address is theirs; null: never. */
    emailVerifiedDate: text('email_verified_date'),
    /** Made the installation's first account, on /setup. */
    isInstaller: integer('is_installer', { mode: 'boolean' }).notNull().default(false),
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
    /** Holds every permission of the organization and of its workspaces. */
    isAdmin: integer('is_admin', { mode: 'boolean' }).notNull().default(false),
    /** A role of the kind `organization`; null: none. */
    roleId: text('role_id').references(() => roles.id),
    /** The member can do nothing in this organization from then on; null: active. */
    disabledDate: text('disabled_date'),
    /** The member's id in the directory that provisions them (SCIM `externalId`). */
    externalId: text('external_id'),
    /** Gets emails about runs of the organization that wait for an answer which the member may give. */
    getsQuestionEmails: integer('gets_question_emails', { mode: 'boolean' }).notNull().default(true),
    createdDate: text('created_date').notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.userId] }), index('organization_members_user').on(t.userId)],
)

export const roles = sqliteTable(
  'roles',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** A role gives the permissions of one kind only, whatever it lists. */
    kind: text('kind').$type<RoleKind>().notNull().default('workspace'),
    /** The built-in role, whose permissions come from the contract; null: a role that people made. */
    builtIn: text('built_in').$type<BuiltInRole>(),
    permissions: text('permissions', { mode: 'json' }).$type<string[]>().notNull(),
    /** Names that no other role has taken since. Flows, and questions of runs, still mean this role by them. */
    formerNames: text('former_names', { mode: 'json' }).$type<string[]>().notNull().default([]),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('roles_organization').on(t.organizationId),
    uniqueIndex('roles_built_in').on(t.organizationId, t.builtIn),
  ],
)

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

/** An offer to join an organization, for the person at one address. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    email: text('email').notNull(),
    /** A role of the kind `organization`; null: none. */
    roleId: text('role_id').references(() => roles.id),
    /** The workspaces that the person joins, and as what. */
    workspaces: text('workspaces', { mode: 'json' }).$type<{ workspaceId: string; roleId: string }[]>().notNull(),
    invitedBy: text('invited_by')
      .notNull()
      .references(() => users.id),
    createdDate: text('created_date').notNull(),
    expiresDate: text('expires_date').notNull(),
    acceptedDate: text('accepted_date'),
    revokedDate: text('revoked_date'),
  },
  (t) => [index('invitations_organization').on(t.organizationId), index('invitations_email').on(t.email)],
)
