/** Confirms the address of an account by the token of an email. */
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type * as z from 'zod'
import { HeddleError } from '#contract/errors.ts'
import { EMAIL_SENT, type Verified, type verifySchema } from '#contract/organization/email-calls.ts'
import { users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { assertCanSendEmail, countEmail, queueEmail } from '../../emails/queue.ts'
import { isOpen, readToken, usedToken, useToken } from '../../emails/tokens.ts'
import type { AppEnv } from '../../http/route.ts'
import { hasRegistered } from '../../http/session/cookies.ts'
import { hashPassword, startSession } from '../auth/index.ts'

/**
 * Signs in whoever registered and waited for this; everybody else signs in as usual, with their second step. Anybody can
 * register an address with a name and a password of theirs: unless this browser did, whoever reads the email chooses
 * both.
 */
export async function verifyAddress(
  c: Context<AppEnv>,
  { token, ...given }: z.infer<typeof verifySchema>,
): Promise<Verified> {
  const services = c.get('services')
  const { db, clock } = services
  const { userId, address } = await readToken(services, 'verify-email', token)
  const isOwner = and(eq(users.id, userId ?? ''), eq(users.email, address))
  const [user] = await db.select().from(users).where(isOwner)
  if (!user) throw usedToken()
  const isNew = user.status === 'unverified'
  const chosen = isNew && !(await hasRegistered(c, user.passwordHash)) ? await choose(given) : {}
  const now = clock.now().toISOString()
  // A registration meanwhile brought another password.
  const isSame = and(isOwner, eq(users.passwordHash, user.passwordHash), isOpen(services, 'verify-email', token))
  const [verified] = await db.batch([
    db
      .update(users)
      .set({ ...chosen, status: 'active', emailVerifiedDate: sql`coalesce(${users.emailVerifiedDate}, ${now})` })
      .where(isSame)
      .returning({ id: users.id }),
    useToken(services, 'verify-email', token),
  ])
  if (verified.length === 0) throw usedToken()
  return {
    message: 'Your address is confirmed.',
    user: isNew ? await startSession(c, user.id, { method: 'verify' }) : null,
  }
}

async function choose({ name, password }: Omit<z.infer<typeof verifySchema>, 'token'>) {
  if (password === undefined) {
    throw new HeddleError('bad_request', 'password: Choose a password for your account.', { field: 'password' })
  }
  if (name === undefined) throw new HeddleError('bad_request', 'name: Enter your name.', { field: 'name' })
  return { name, passwordHash: await hashPassword(password) }
}

/** The same answer after the same statements, whether somebody waits for the email or not. */
export async function resendVerification(c: Context<AppEnv>, email: string) {
  const services = c.get('services')
  assertCanSendEmail(services)
  await countEmail(services, email)
  const unconfirmed = services.db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNull(users.emailVerifiedDate)))
  await services.db.batch([
    queueEmail(
      services,
      { kind: 'verify-email', address: email, userId: sql`${unconfirmed}` },
      sql`exists ${unconfirmed}`,
    ),
  ])
  sendEmailsLater(c)
  return { message: EMAIL_SENT }
}
