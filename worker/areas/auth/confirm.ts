/** Proof that the person of a session is there, for routes that are `confirmed`. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { PasskeyAnswer } from '#contract/organization/passkeys.ts'
import type { Confirmation, ConfirmMethod, ConfirmMethods } from '#contract/organization/security.ts'
import type { Database } from '#db/client.ts'
import { authenticators, identityProviders, passkeys, sessions, users } from '#db/schema/index.ts'
import { acrossOrganizations } from '#db/scope.ts'
import { giveBack, takeFrom } from '../../http/rate-limit.ts'
import type { AppEnv, UserActor } from '../../http/route.ts'
import { speaksForAccount } from '../../http/session/managed-account.ts'
import type { Services } from '../../services.ts'
import { usePasskey } from './passkeys/verify.ts'
import { verifyPassword } from './password.ts'
import { useCode } from './second-step/use-code.ts'
import { isOffered } from './sign-in-methods.ts'

/** Wrong proofs allowed in one session: whoever took a browser over guesses for nobody else. */
const GUESSES = { max: 10, windowSeconds: 300 }

/** Returns how the person may prove it. A session of an organization's provider learns nothing of the account. */
export async function confirmMethods({ db }: Pick<Services, 'db'>, actor: UserActor): Promise<ConfirmMethods> {
  const { userId, sessionId } = actor
  const isSetUp = and(eq(authenticators.userId, userId), isNotNull(authenticators.confirmedDate))
  const [own, apps, keys, [provider]] = await db.batch([
    db.select({ passwordHash: users.passwordHash }).from(users).where(eq(users.id, userId)),
    db.select({ userId: authenticators.userId }).from(authenticators).where(isSetUp),
    db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1),
    providerQuery(db, sessionId),
  ])
  const usable: [ConfirmMethod, boolean][] = [
    ['password', Boolean(own[0]?.passwordHash)],
    ['code', apps.length > 0],
    ['passkey', keys.length > 0],
  ]
  const isTheirs = await speaksForAccount(db, actor)
  const methods = isTheirs ? usable.flatMap(([method, isUsable]) => (isUsable ? [method] : [])) : []
  return { methods, provider: provider?.name ?? null }
}

/** Returns the identity provider that opened a session, while it is on. */
export async function providerOfSession({ db }: Pick<Services, 'db'>, sessionId: string) {
  const [provider] = await providerQuery(db, sessionId)
  return provider
}

const providerQuery = (db: Database, sessionId: string) =>
  acrossOrganizations(db, 'a session names the provider that opened it')
    .select({ id: identityProviders.id, name: identityProviders.name })
    .from(sessions)
    .innerJoin(identityProviders, eq(identityProviders.id, sessions.identityProviderId))
    .where(and(eq(sessions.id, sessionId), isOffered()))

/** Dates the session's proof. Throws `bad_request` naming what is wrong, and `rate_limited` after too many of those. */
export async function confirmIdentity(c: Context<AppEnv>, actor: UserActor, given: Confirmation): Promise<void> {
  const services = c.get('services')
  if (given.password !== undefined) await checkOwnPassword(services, actor, { password: given.password })
  else if (given.passkey !== undefined) await checkOwnPasskey(c, actor, given.passkey)
  else await checkOwnCode(services, actor, given.code ?? '')
  await noteProof(services, actor.sessionId)
}

/** Dates the proof of a session. */
export async function noteProof({ db, clock }: Pick<Services, 'db' | 'clock'>, sessionId: string): Promise<void> {
  await db.update(sessions).set({ confirmedDate: clock.now().toISOString() }).where(eq(sessions.id, sessionId))
}

/** @param given the password, and the field that the error names */
export async function checkOwnPassword(
  services: Services,
  actor: UserActor,
  { password, field = 'password' }: { password: string; field?: string },
): Promise<void> {
  await countGuess(services, actor)
  const [user] = await services.db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, actor.userId))
  if (!(await verifyPassword(password, user?.passwordHash))) {
    throw new HeddleError('bad_request', `${field}: That password is wrong.`, { field })
  }
  await giveBack(services, guessesOf(actor))
}

async function checkOwnPasskey(c: Context<AppEnv>, actor: UserActor, passkey: PasskeyAnswer): Promise<void> {
  const services = c.get('services')
  await countGuess(services, actor)
  if (!(await usePasskey(c, passkey, { purpose: 'confirm', userId: actor.userId }))) {
    throw new HeddleError('bad_request', 'passkey: That passkey proves nothing here. Try again.', { field: 'passkey' })
  }
  await giveBack(services, guessesOf(actor))
}

async function checkOwnCode(services: Services, actor: UserActor, code: string): Promise<void> {
  await countGuess(services, actor)
  if (!(await useCode(services, actor.userId, code))) {
    throw new HeddleError('bad_request', 'code: That code is wrong or was used before. Enter the next one.', {
      field: 'code',
    })
  }
  await giveBack(services, guessesOf(actor))
}

const guessesOf = ({ sessionId }: UserActor) => ({ key: `confirm ${sessionId}`, ...GUESSES })

/** Counted before anything is compared, so that parallel guesses count too. */
const countGuess = (services: Services, actor: UserActor) => takeFrom(services, [guessesOf(actor)])
