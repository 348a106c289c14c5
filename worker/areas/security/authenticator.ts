/** A person's authenticator app, and the recovery codes that come with it. */
import { and, eq, isNotNull, isNull, lt } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { NewAuthenticator } from '#contract/organization/security.ts'
import { authenticators, recoveryCodes, users } from '#db/schema/index.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import { signInEvent } from '../../emails/notices.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { secretOf } from '../../ports/sealed.ts'
import { findStep, forgetSecondStep, formatAddress, newRecoveryCodes, newSecret, recoveryHash } from '../auth/index.ts'
import { assertKeepsSecondStep } from './last-second-step.ts'

const isOf = (userId: string) => eq(authenticators.userId, userId)

/** Makes a secret that counts from its first code on. Throws `conflict` when an app is set up already. */
export async function addAuthenticator(c: Context<AppEnv>, { userId }: UserActor): Promise<NewAuthenticator> {
  const { db, cipher, clock } = c.get('services')
  const secret = await newSecret()
  const fresh = {
    secret: await cipher.seal(secretOf(userId), secret),
    lastStep: 0,
    confirmedDate: null,
    createdDate: clock.now().toISOString(),
  }
  const [written, owners] = await db.batch([
    db
      .insert(authenticators)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({
        target: authenticators.userId,
        set: fresh,
        setWhere: isNull(authenticators.confirmedDate),
      })
      .returning({ userId: authenticators.userId }),
    db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
  ])
  if (written.length === 0) {
    throw new HeddleError('conflict', 'An authenticator app is set up already. Remove it first.')
  }
  return { secret, uri: await formatAddress(secret, owners[0]?.email ?? '') }
}

/** Turns the second step on. Returns the recovery codes, which nobody sees again. Throws `bad_request` for a wrong code. */
export async function confirmAuthenticator(c: Context<AppEnv>, actor: UserActor, code: string): Promise<string[]> {
  const { db, clock, cipher } = c.get('services')
  const { userId } = actor
  const isWaiting = and(isOf(userId), isNull(authenticators.confirmedDate))
  const [row] = await db.select().from(authenticators).where(isWaiting)
  if (!row) throw new HeddleError('conflict', 'No authenticator app waits for its first code. Start again.')
  const secret = await cipher.open(secretOf(userId), row.secret)
  const step = await findStep(secret, code.replaceAll(' ', ''), clock.now())
  if (step === undefined) {
    const message = 'code: That code is wrong. Check that the clock of your phone is right, and enter the next code.'
    throw new HeddleError('bad_request', message, { field: 'code' })
  }
  // The code is used up with it: of two calls at once, one turns the second step on.
  const turnedOn = await db
    .update(authenticators)
    .set({ confirmedDate: clock.now().toISOString(), lastStep: step })
    .where(and(isWaiting, eq(authenticators.secret, row.secret), lt(authenticators.lastStep, step)))
    .returning({ userId: authenticators.userId })
  if (turnedOn.length === 0) throw new HeddleError('conflict', 'The second step was just turned on. Reload the page.')
  return writeCodes(c, actor, 'account.add-second-step')
}

/** The old codes stop working. Throws `not_found` without an authenticator app. */
export async function renewRecoveryCodes(c: Context<AppEnv>, actor: UserActor): Promise<string[]> {
  const isSetUp = and(isOf(actor.userId), isNotNull(authenticators.confirmedDate))
  const [row] = await c.get('services').db.select().from(authenticators).where(isSetUp)
  if (!row) throw noAuthenticator()
  return writeCodes(c, actor, 'account.renew-recovery-codes')
}

async function writeCodes(
  c: Context<AppEnv>,
  actor: UserActor,
  event: 'account.add-second-step' | 'account.renew-recovery-codes',
): Promise<string[]> {
  const { db } = c.get('services')
  const codes = newRecoveryCodes()
  await db.batch([
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, actor.userId)),
    db
      .insert(recoveryCodes)
      .values(codes.map((code) => ({ hash: recoveryHash(actor.userId, code), userId: actor.userId }))),
    ...signInEvent(c, actor, { event }),
  ])
  sendEmailsLater(c)
  return codes
}

/** Turns the second step off. Throws `not_found` without one, and `conflict` for who must keep it. */
export async function removeAuthenticator(c: Context<AppEnv>, actor: UserActor): Promise<void> {
  const { db } = c.get('services')
  const [row] = await db.select().from(authenticators).where(isOf(actor.userId))
  if (!row) throw noAuthenticator()
  if (row.confirmedDate !== null) await assertKeepsSecondStep(c.get('services'), actor.userId, 'authenticator')
  await db.batch([
    ...forgetSecondStep(db, actor.userId),
    ...signInEvent(c, actor, { event: 'account.remove-second-step' }),
  ])
  sendEmailsLater(c)
}

const noAuthenticator = () => new HeddleError('not_found', 'No authenticator app is set up')
