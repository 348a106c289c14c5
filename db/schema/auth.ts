import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { users } from './account.ts'

/** One sign-in: the family of refresh tokens that came from it. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    /** Hash of the refresh token that is good now. */
    refreshHash: text('refresh_hash').notNull(),
    /** Hash of the one before it; accepted for a few seconds, so that two tabs may refresh together. */
    previousHash: text('previous_hash'),
    rotatedDate: text('rotated_date').notNull(),
    expiresDate: text('expires_date').notNull(),
    revokedDate: text('revoked_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresDate)],
)

export const rateLimits = sqliteTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    /** Seconds since 1970; a window begins with its first request. */
    windowEnd: integer('window_end').notNull(),
    count: integer('count').notNull(),
  },
  (t) => [index('rate_limits_window').on(t.windowEnd)],
)
