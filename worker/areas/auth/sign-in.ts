import { and, eq, exists, isNotNull, not, type SQL } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import type { SecondStepNeeded } from '#contract/organization/security.ts'
import type { SignInResult } from '#contract/organization/sessions.ts'
import type { Database } from '#db/client.ts'
import { authenticators, users } from '#db/schema/index.ts'
import { assertNotUsedUp, countUse, giveBack, type Window } from '../../http/rate-limit.ts'
import type { AppEnv } from '../../http/route.ts'
import { readBrowserCookie } from '../../http/session/cookies.ts'
import { knownBrowserQuery } from '../../http/session/known-browser.ts'
import { guessKey } from './guess-key.ts'
import { noteSignIn, signInNote } from './note-sign-in.ts'
import { verifyPassword } from './password.ts'
import { askSecondStep } from './second-step/second-step.ts'
import { needsProvider, providersOfDomain } from './sign-in-methods.ts'
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
  const { db } = services
  const { found, providers, knownBrowser, guesses, counted } = await readAccount(c, given.email)
  const note = (result: SignInResult) => noteSignIn(c, { userId: found?.user.id ?? null, method: 'password', result })
  try {
    assertNotUsedUp(services, guesses, counted)
  } catch (error) {
    await note('limited')
    throw error
  }
  const matches = await verifyPassword(given.password, found?.user.passwordHash)
  if (!found || !matches || found.user.status !== 'active') {
    await note(refusalOf(found?.user.status, matches))
    if (found?.user.status === 'unverified' && matches) throw unconfirmed()
    throw new HeddleError('unauthorized', 'Email or password is wrong')
  }
  const { user, authenticatorOf } = found
  if (await needsProvider(services, { user, hasSecondStep: authenticatorOf !== null }, providers)) {
    await note('sso_required')
    throw new HeddleError('unauthorized', 'Email or password is wrong')
  }
  const isRight = giveBack(services, guesses)
  if (!authenticatorOf) return startSession(c, user.id, { knownBrowser, beside: [isRight] })
  const { challenge, statement } = askSecondStep(services, user.id)
  const noted = signInNote(c, { userId: user.id, method: 'password', result: 'second_step' })
  await db.batch([isRight, ...noted, statement])
  return { mfaRequired: true, challenge }
}

/**
 * Reads everything that signing in depends on and counts a guess, before the password is checked, so that parallel
 * guesses count too. Whether there is an account changes nothing of the work.
 */
async function readAccount(c: Context<AppEnv>, email: string) {
  const services = c.get('services')
  const { db } = services
  const browser = await readBrowserCookie(c)
  const windowOf = (isKnown: boolean): Window => {
    const key = guessKey({ about: 'sign-in', userId: browser?.userId, isKnown, otherwise: email })
    return { key, ...GUESSES }
  }
  const hasAccount = db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, browser?.userId ?? ''), eq(users.email, email)))
  const isKnown = and(exists(knownBrowserQuery(services, browser)), exists(hasAccount)) as SQL
  const [[found], providers, [known], ofAddress, ofBrowser] = await db.batch([
    accountQuery(db, email),
    providersOfDomain(db, email),
    knownBrowserQuery(services, browser),
    countUse(services, windowOf(false), [isKnown]),
    countUse(services, windowOf(true), [not(isKnown)]),
  ])
  const knownBrowser = found && known?.userId === found.user.id ? known.id : undefined
  const guesses = windowOf(knownBrowser !== undefined)
  return { found, providers, knownBrowser, guesses, counted: knownBrowser === undefined ? ofAddress : ofBrowser }
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
