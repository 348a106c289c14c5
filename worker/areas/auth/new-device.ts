/** Tells people of a sign-in from a device that is new to their account. */
import { and, eq, exists, gt, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { sessions, users } from '#db/schema/index.ts'
import { queueNotice } from '../../emails/notices.ts'
import type { AppEnv } from '../../http/route.ts'
import type { SignInFacts } from './sessions.ts'

/** @property isKnown this browser remembers a sign-in to the account */
type SignIn = Pick<SignInFacts, 'userId' | 'device' | 'address'> & { isKnown: boolean }

/**
 * Returns the statement that queues the email. A device is known by the cookie of an earlier sign-in, or by an open session
 * with the same browser, system and network address: so whoever was signed out everywhere, and lost the cookie, is new
 * again. An account's first sign-in opens it, and is no news.
 */
export function newDeviceNotice(c: Context<AppEnv>, { userId, device, address, isKnown }: SignIn) {
  const { db, clock } = c.get('services')
  const hasSignedIn = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.lastLogin)))
  const isAlike = and(
    eq(sessions.userId, userId),
    isNull(sessions.revokedDate),
    gt(sessions.expiresDate, clock.now().toISOString()),
    sql`${sessions.device} is ${device}`,
    sql`${sessions.address} is ${address}`,
  )
  const alike = db.select({ id: sessions.id }).from(sessions).where(isAlike)
  const condition = isKnown ? sql`false` : sql`${exists(hasSignedIn)} and ${notExists(alike)}`
  return queueNotice(c, { userId, condition })
}
