import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { SignInMethod, SignInResult } from '#contract/organization/sessions.ts'
import { organizations, users } from './account.ts'

/** Attempts to sign in, one row for each organization of the person. What was typed is never kept. */
export const loginActivity = sqliteTable(
  'login_activity',
  {
    id: text('id').primaryKey(),
    /** Null: nobody's account, at no organization's provider. Only the platform admin sees it. */
    organizationId: text('organization_id').references(() => organizations.id),
    userId: text('user_id').references(() => users.id),
    method: text('method').$type<SignInMethod>().notNull(),
    result: text('result').$type<SignInResult>().notNull(),
    device: text('device'),
    address: text('address'),
    country: text('country'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('login_activity_organization').on(t.organizationId, t.createdDate),
    index('login_activity_created').on(t.createdDate),
  ],
)

/** Changes and their actors. Written in the batch of the change, and never changed. */
export const auditEvents = sqliteTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** Null: the change was to the organization. */
    workspaceId: text('in_workspace_id'),
    actorKind: text('actor_kind').$type<'user' | 'apiKey' | 'directory' | 'system'>().notNull(),
    actorId: text('actor_id').notNull(),
    /** As the actor was called then. */
    actorName: text('actor_name').notNull(),
    /** `role.update` */
    event: text('event').notNull(),
    targetId: text('target_id').notNull(),
    /** As the target was called then. */
    targetName: text('target_name').notNull(),
    /** The changed fields with both values: `{ name: ["before", "after"] }`. No secrets. */
    change: text('change', { mode: 'json' }).$type<Record<string, unknown>>(),
    requestId: text('request_id').notNull(),
    address: text('address'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('audit_events_organization').on(t.organizationId, t.createdDate),
    index('audit_events_workspace').on(t.workspaceId, t.createdDate),
    index('audit_events_created').on(t.createdDate),
  ],
)

/** Requests of a workspace that failed, by what their callers were told. */
export const requestFailures = sqliteTable(
  'request_failures',
  {
    /** The X-Request-Id of the answer. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    method: text('method').notNull(),
    /** As the route declares it: `/variables/:id`. */
    path: text('path').notNull(),
    status: integer('status').notNull(),
    message: text('message').notNull(),
    actorKind: text('actor_kind').notNull(),
    actorId: text('actor_id').notNull(),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('request_failures_workspace').on(t.workspaceId, t.createdDate),
    index('request_failures_created').on(t.createdDate),
  ],
)
