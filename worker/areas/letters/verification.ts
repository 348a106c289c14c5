/** Confirms the address of an account by the token of a letter. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { LETTER_SENT, type Verified } from '#contract/organization/letter-calls.ts'
import { users } from '#db/schema/index.ts'
import type { AppEnv } from '../../http/route.ts'
import { startSession } from '../auth/index.ts'
import { sendLettersLater } from './delivery.ts'
import { assertCanSendLetters, queueLetter, takeLetter } from './outbox.ts'
import { isOpen, readToken, usedToken, useToken } from './tokens.ts'

/** Signs in whoever registered and waited for this; everybody else signs in as usual, with their second step. */
export async function verifyAddress(c: Context<AppEnv>, token: string): Promise<Verified> {
  const services = c.get('services')
  const { db, clock } = services
  const { userId, address } = await readToken(services, 'verify-email', token)
  const isOwner = and(eq(users.id, userId ?? ''), eq(users.email, address))
  const now = clock.now().toISOString()
  const [before, , used] = await db.batch([
    db.select({ id: users.id, status: users.status }).from(users).where(isOwner),
    db
      .update(users)
      .set({ status: 'active', emailVerifiedDate: sql`coalesce(${users.emailVerifiedDate}, ${now})` })
      .where(and(isOwner, isOpen(services, 'verify-email', token))),
    useToken(services, 'verify-email', token),
  ])
  const [user] = before
  if (!user || used.length === 0) throw usedToken()
  const isNew = user.status === 'unverified'
  return {
    message: 'Your address is confirmed.',
    user: isNew ? await startSession(c, user.id, { method: 'verify' }) : null,
  }
}

/** The same answer after the same statements, whether somebody waits for the letter or not. */
export async function resendVerification(c: Context<AppEnv>, email: string) {
  const services = c.get('services')
  assertCanSendLetters(services)
  await takeLetter(services, email)
  const unconfirmed = services.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.emailVerifiedDate)))
  await services.db.batch([
    queueLetter(
      services,
      { kind: 'verify-email', address: email, userId: sql`${unconfirmed}` },
      sql`exists ${unconfirmed}`,
    ),
  ])
  sendLettersLater(c)
  return { message: LETTER_SENT }
}
