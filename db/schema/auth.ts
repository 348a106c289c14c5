import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { EmailKind } from '#contract/organization/emails.ts'
import type { SignInMethod } from '#contract/organization/sessions.ts'
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
    /** The workspace that the session's pages show; null: the one where the user's last session was. */
    activeWorkspaceId: text('active_workspace_id'),
    method: text('method').$type<SignInMethod>().notNull().default('password'),
    /** The identity provider of a single sign-on; null: the person signed in here. */
    identityProviderId: text('identity_provider_id'),
    /** When the person last proved who they are in this session. */
    confirmedDate: text('confirmed_date'),
    /** The browser and system, as its User-Agent says, shortened. */
    device: text('device'),
    /** Network address, and the country where the platform tells it. */
    address: text('address'),
    country: text('country'),
    /** The browser that it was opened in, as its cookie names it. */
    browserId: text('browser_id'),
    lastSeenDate: text('last_seen_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('sessions_user').on(t.userId), index('sessions_expiry').on(t.expiresDate)],
)

/** Browsers that somebody signed in with. A cookie names the row; ending the sessions there deletes it. */
export const knownBrowsers = sqliteTable(
  'known_browsers',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    expiresDate: text('expires_date').notNull(),
  },
  (t) => [index('known_browsers_expiry').on(t.expiresDate), index('known_browsers_user').on(t.userId)],
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

/**
 * An email to send. It is written with the change that it is about, and sent after the answer. SQL says "letter":
 * migrations are append-only.
 */
export const emails = sqliteTable(
  'letters',
  {
    id: text('id').primaryKey(),
    kind: text('kind').$type<EmailKind>().notNull(),
    address: text('address').notNull(),
    /** The account that it is about; null: the address has none yet. */
    userId: text('user_id').references(() => users.id),
    /** Values of the email's text, and the subject of its token, such as an invitation's id. No secrets. */
    data: text('data', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null: it was sent, or is given up. */
    dueDate: text('due_date'),
    sentDate: text('sent_date'),
    /** The mail service's last error. */
    error: text('error'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('letters_due').on(t.dueDate), index('letters_created').on(t.createdDate)],
)

/** Tokens of the links in emails. Only their hashes are stored. */
export const emailTokens = sqliteTable(
  'letter_tokens',
  {
    hash: text('hash').primaryKey(),
    kind: text('kind').$type<EmailKind>().notNull(),
    userId: text('user_id').references(() => users.id),
    /** The address that the email went to: whoever holds the token reads its mail. */
    address: text('address').notNull(),
    /** The invitation's id or the new address that the token is for; empty: the account itself. */
    subject: text('subject').notNull().default(''),
    expiresDate: text('expires_date').notNull(),
    /** When it was used, or made void by a newer one; null: it can still be used. */
    endedDate: text('ended_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('letter_tokens_user').on(t.userId, t.kind), index('letter_tokens_expiry').on(t.expiresDate)],
)

/** A person's authenticator app. */
export const authenticators = sqliteTable('authenticators', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Encrypted with the master key. */
  secret: text('secret').notNull(),
  /** The 30-second step of the last code that was accepted: no code works twice. */
  lastStep: integer('last_step').notNull().default(0),
  /** When the person entered the first code; null: the app is not set up yet. */
  confirmedDate: text('confirmed_date'),
  createdDate: text('created_date').notNull(),
})

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    hash: text('hash').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    usedDate: text('used_date'),
  },
  (t) => [index('recovery_codes_user').on(t.userId)],
)

export const passkeys = sqliteTable(
  'passkeys',
  {
    /** The credential's id, in base64url. */
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    name: text('name').notNull(),
    publicKey: blob('public_key', { mode: 'buffer' }).notNull(),
    counter: integer('counter').notNull(),
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    isBackedUp: integer('is_backed_up', { mode: 'boolean' }).notNull().default(false),
    lastUsedDate: text('last_used_date'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('passkeys_user').on(t.userId)],
)

/** Open challenges of browsers: a second step, a passkey, or the return from an identity provider. */
export const challenges = sqliteTable(
  'challenges',
  {
    /** Hash of what the browser sends back. */
    hash: text('hash').primaryKey(),
    kind: text('kind').$type<'second-step' | 'passkey' | 'sso'>().notNull(),
    userId: text('user_id').references(() => users.id),
    /** The values that the answer must match. */
    data: text('data', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    expiresDate: text('expires_date').notNull(),
  },
  (t) => [index('challenges_expiry').on(t.expiresDate)],
)
