import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account.ts'
import { HeddleError } from '#contract/errors.ts'
import { users } from '#db/schema/index.ts'
import { giveBack, takeFrom } from '../../http/rate-limit.ts'
import type { AppEnv } from '../../http/route.ts'
import { isKnownBrowser, rememberBrowser, setSessionCookies } from '../../http/session/cookies.ts'
import { verifyPassword } from './password.ts'
import { sessionUser } from './session-user.ts'
import { openSession } from './sessions.ts'

/** Wrong passwords allowed for one e-mail address. */
const GUESSES = { max: 10, windowSeconds: 300 }

/** Answers an unknown address with the same message, and in the same time, as a wrong password. */
export async function signIn(c: Context<AppEnv>, given: { email: string; password: string }): Promise<SessionUser> {
  const { db, clock } = c.get('services')
  const [user] = await db.select().from(users).where(eq(users.email, given.email))
  const guesses = { key: await guessKey(c, { email: given.email, userId: user?.id }), ...GUESSES }
  // Counted before the password is checked, so that parallel guesses count too.
  await takeFrom(c.get('services'), [guesses])
  const matches = await verifyPassword(given.password, user?.passwordHash)
  if (!user || !matches || user.status !== 'active') {
    throw new HeddleError('unauthorized', 'Email or password is wrong')
  }
  await giveBack(c.get('services'), guesses)
  await db.update(users).set({ lastLogin: clock.now().toISOString() }).where(eq(users.id, user.id))
  return startSession(c, user.id)
}

/** A browser that the user has signed in with before has its own counter, so that strangers cannot lock the user out. */
async function guessKey(c: Context<AppEnv>, { email, userId }: { email: string; userId: string | undefined }) {
  return userId && (await isKnownBrowser(c, userId)) ? `sign-in known ${userId}` : `sign-in ${email}`
}

/** Opens a session for an authenticated user and sets its cookies. */
export async function startSession(c: Context<AppEnv>, userId: string): Promise<SessionUser> {
  const tokens = await openSession(c.get('services'), userId)
  await setSessionCookies(c, tokens)
  await rememberBrowser(c, userId)
  return sessionUser(c.get('services'), tokens.sessionId)
}
