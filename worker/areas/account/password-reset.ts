/** A new password for who reads the mail of the account's address. */
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { EMAIL_SENT } from '#contract/organization/email-calls.ts'
import { knownBrowsers, sessions, users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { queueNotice } from '../../emails/notices.ts'
import { assertCanSendEmail, countEmail, queueEmail } from '../../emails/queue.ts'
import { isOpen, readToken, usedToken, useToken } from '../../emails/tokens.ts'
import { endEmailsOf } from '../../emails/withdrawals.ts'
import type { AppEnv } from '../../http/route.ts'
import { forgetBrowsers, isKnownBrowser, knownBrowserId } from '../../http/session/known-browser.ts'
import { hashPassword } from '../auth/index.ts'

/** The same answer after the same statements, whether the address is known or not. */
export async function forgotPassword(c: Context<AppEnv>, email: string) {
  const services = c.get('services')
  assertCanSendEmail(services)
  const owner = services.db.select({ id: users.id }).from(users).where(eq(users.email, email))
  const [user] = await owner
  await countEmail(services, email, { knownUserId: user && (await isKnownBrowser(c, user.id)) ? user.id : undefined })
  const message = { kind: 'reset-password', address: email, userId: sql`${owner}` } as const
  await services.db.batch([queueEmail(services, message, sql`exists ${owner}`)])
  sendEmailsLater(c)
  return { message: EMAIL_SENT }
}

/**
 * Ends every session and every other link of the account, and forgets every browser but this one. The second step stays, so
 * nobody is signed in.
 */
export async function resetPassword(c: Context<AppEnv>, { token, password }: { token: string; password: string }) {
  const services = c.get('services')
  const { db, clock } = services
  const { hash, userId, address } = await readToken(services, 'reset-password', token)
  const id = userId ?? ''
  const passwordHash = await hashPassword(password)
  const here = await knownBrowserId(c, id)
  const now = clock.now().toISOString()
  const stillOpen = isOpen(services, 'reset-password', token)
  const confirmed = sql`coalesce(${users.emailVerifiedDate}, ${now})`
  const kinds = ['verify-email', 'reset-password', 'confirm-new-email'] as const
  const [changed] = await db.batch([
    db
      .update(users)
      .set({ passwordHash, status: 'active', emailVerifiedDate: confirmed })
      .where(and(eq(users.id, id), eq(users.email, address), stillOpen))
      .returning({ id: users.id }),
    db
      .update(sessions)
      .set({ revokedDate: now })
      .where(and(eq(sessions.userId, id), isNull(sessions.revokedDate), stillOpen)),
    forgetBrowsers(db, id, and(here === undefined ? undefined : ne(knownBrowsers.id, here), stillOpen)),
    ...endEmailsOf(services, id, { kinds, except: hash, condition: stillOpen }),
    queueNotice(c, { userId: id, change: 'password-reset', condition: stillOpen }),
    useToken(services, 'reset-password', token),
  ])
  if (changed.length === 0) throw usedToken()
  sendEmailsLater(c)
  return { message: 'Your password is changed. Sign in with the new one.' }
}
