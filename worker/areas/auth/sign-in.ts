import { and, eq, isNotNull } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import type { SecondStepNeeded } from '#contract/organization/security.ts'
import type { SignInResult } from '#contract/organization/sessions.ts'
import type { Database } from '#db/client.ts'
import { authenticators, users } from '#db/schema/index.ts'
import { giveBack, takeFrom } from '../../http/rate-limit.ts'
import type { AppEnv } from '../../http/route.ts'
import { guessKey } from './guess-key.ts'
import { needsProvider } from './index.ts'
import { noteSignIn } from './note-sign-in.ts'
import { verifyPassword } from './password.ts'
import { askSecondStep } from './second-step/second-step.ts'
import { startSession } from './start-session.ts'

/** Wrong passwords allowed for one e-mail address. */
const GUESSES = { max: 10, windowSeconds: 300 }

/**
 * Signs in, or asks who has a second step for a code. Answers an unknown address with the same message, and in the same
 * time, as a wrong password.
 */
export async function signIn(
  c: Context<AppEnv>,
  given: { email: string; password: string },
): Promise<SessionUser | SecondStepNeeded> {
  const services = c.get('services')
  const [found] = await accountQuery(services.db, given.email)
  const note = (result: SignInResult) => noteSignIn(c, { userId: found?.user.id ?? null, method: 'password', result })
  const key = await guessKey(c, { about: 'sign-in', userId: found?.user.id, otherwise: given.email })
  const guesses = { key, ...GUESSES }
  // Counted before the password is checked, so that parallel guesses count too.
  await takeFrom(services, [guesses]).catch(async (error: unknown) => {
    await note('limited')
    throw error
  })
  const matches = await verifyPassword(given.password, found?.user.passwordHash)
  if (!found || !matches || found.user.status !== 'active') {
    await note(refusalOf(found?.user.status, matches))
    if (found?.user.status === 'unverified' && matches) throw unconfirmed()
    throw new HeddleError('unauthorized', 'Email or password is wrong')
  }
  if (await needsProvider(services, { user: found.user, hasSecondStep: found.authenticatorOf !== null })) {
    await note('sso_required')
    throw new HeddleError('unauthorized', 'Email or password is wrong')
  }
  await giveBack(services, guesses)
  if (!found.authenticatorOf) return startSession(c, found.user.id)
  await note('second_step')
  return { mfaRequired: true, challenge: await askSecondStep(services, found.user.id) }
}

function accountQuery(db: Database, email: string) {
  const isSetUp = and(eq(authenticators.userId, users.id), isNotNull(authenticators.confirmedDate))
  return db
    .select({ user: users, authenticatorOf: authenticators.userId })
    .from(users)
    .leftJoin(authenticators, isSetUp)
    .where(eq(users.email, email))
}

/** Said to whoever knows the password only. */
function unconfirmed(): HeddleError {
  const message = 'Confirm your email address first: open the link in the email that we sent you.'
  return new HeddleError('unauthorized', message, { error: 'unverified' })
}

function refusalOf(status: string | undefined, matches: boolean): SignInResult {
  if (status === undefined) return 'unknown_account'
  if (!matches) return 'wrong_password'
  return status === 'unverified' ? 'unverified' : 'disabled'
}
