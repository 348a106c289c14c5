/** A new address for an account: confirmed there, while its owner is signed in, and undone from the old one. */
import { and, eq, exists, ne, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import { EMAIL_SENT } from '#contract/organization/email-calls.ts'
import type { Database } from '#db/client.ts'
import { users } from '#db/schema/index.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { placeText } from '../../emails/notices.ts'
import { assertCanSendEmail, countEmail, queueEmail } from '../../emails/queue.ts'
import { isOpen, readToken, usedToken, useToken } from '../../emails/tokens.ts'
import { endEmailsOf, vacateAddress } from '../../emails/withdrawals.ts'
import { auditEvent, changeOf } from '../../http/audit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { findMethods, needsProvider, sessionUser } from '../auth/index.ts'

/** The same answer after the same statements, whether the address is free or another account's. The newest request counts. */
export async function requestNewEmail(c: Context<AppEnv>, { userId }: UserActor, email: string) {
  const services = c.get('services')
  const { db } = services
  assertCanSendEmail(services)
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user || user.email === email) throw badEmail('This is your address already.')
  await assertMayChange(services, user)
  await assertMayHave(services, email)
  await countEmail(services, email, { senderId: userId })
  const owner = ownerOf(db, email)
  await db.batch([
    ...endEmailsOf(services, userId, { kinds: ['confirm-new-email'] }),
    queueEmail(
      services,
      { kind: 'confirm-new-email', address: email, userId, subject: user.email },
      sql`not exists ${owner}`,
    ),
    queueEmail(services, { kind: 'account-exists', address: email, userId: sql`${owner}` }, sql`exists ${owner}`),
  ])
  sendEmailsLater(c)
  return { message: EMAIL_SENT }
}

/**
 * Changes the address of the signed-in person: only who reads the mail of the new address and is signed in brings both
 * together. Throws `bad_request` for a token that no longer works, `conflict` for somebody else's and for an address that
 * another account has by now.
 */
export async function confirmNewEmail(c: Context<AppEnv>, actor: UserActor, token: string): Promise<SessionUser> {
  const services = c.get('services')
  const { db, clock } = services
  const { hash, userId, address: email, subject: oldEmail } = await readToken(services, 'confirm-new-email', token)
  if (userId !== actor.userId) throw forAnother()
  await assertMayHave(services, email)
  const now = clock.now().toISOString()
  const stillOpen = isOpen(services, 'confirm-new-email', token)
  // Asked for from another address than today's: undone meanwhile, or changed by another request.
  const isOwner = and(eq(users.id, userId), eq(users.email, oldEmail), stillOpen)
  const target = { id: userId, name: users.name, of: users, where: isOwner }
  const undo = {
    kind: 'email-changed',
    address: oldEmail,
    userId,
    subject: now,
    names: { newEmail: email, from: placeText(c) },
  } as const
  const others = { kinds: ['verify-email', 'reset-password', 'confirm-new-email'], except: hash } as const
  const [, , , , , changed] = await unlessTaken(
    db.batch([
      vacateAddress(db, email, stillOpen),
      auditEvent(c, actor, {
        event: 'account.change-email',
        target,
        change: changeOf(users, { email }),
        ofOrganization: true,
      }),
      queueEmail(services, undo, sql`${exists(db.select({ id: users.id }).from(users).where(isOwner))}`),
      ...endEmailsOf(services, userId, { ...others, condition: stillOpen }),
      db.update(users).set({ email, emailVerifiedDate: now }).where(isOwner).returning({ id: users.id }),
      useToken(services, 'confirm-new-email', token),
    ]),
  )
  if (changed.length === 0) throw usedToken()
  sendEmailsLater(c)
  return sessionUser(services, actor.sessionId)
}

/** Awaits a batch. Throws `conflict` when another account got the address first; nothing is written then. */
export async function unlessTaken<Result>(written: Promise<Result>): Promise<Result> {
  try {
    return await written
  } catch (error) {
    if (!isUniqueViolation(error, users.email)) throw error
    throw new HeddleError('conflict', 'Another account has this address by now. Nothing was changed.')
  }
}

/** The account that has an address. One that nobody has confirmed holds nothing. */
const ownerOf = (db: Database, email: string) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), ne(users.status, 'unverified')))

/** Whoever must sign in with an organization's provider would get around it with an address of another domain. */
async function assertMayChange(services: Services, user: typeof users.$inferSelect): Promise<void> {
  if (!(await needsProvider(services, { user, hasSecondStep: true }))) return
  throw badEmail('Your organization manages your address. Ask one of its admins to change it.')
}

/** An account that no provider knows could not sign in any more. Everybody may know what a domain asks for. */
async function assertMayHave(services: Services, email: string): Promise<void> {
  if ((await findMethods(services, email)).password) return
  throw badEmail('People of this domain sign in with their organization’s provider. Enter another address.')
}

const badEmail = (message: string) => new HeddleError('bad_request', `email: ${message}`, { field: 'email' })

function forAnother(): HeddleError {
  const message = 'This link is for another account. Sign out, sign in with that one, and open the link again.'
  return new HeddleError('conflict', message)
}
