import { eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account.ts'
import { HeddleError } from '#contract/errors.ts'
import { users } from '#db/schema/index.ts'
import type { AppEnv } from '../../http/route.ts'
import { setSessionCookies } from './cookies.ts'
import { verifyPassword } from './password.ts'
import { sessionUser } from './session-user.ts'
import { openSession } from './sessions.ts'

/** Says the same, and takes as long, for an unknown address as for a wrong password. */
export async function signIn(c: Context<AppEnv>, given: { email: string; password: string }): Promise<SessionUser> {
  const { db, clock } = c.get('services')
  const [user] = await db.select().from(users).where(eq(users.email, given.email))
  const matches = await verifyPassword(given.password, user?.passwordHash)
  if (!user || !matches || user.status !== 'active') {
    throw new HeddleError('unauthorized', 'Email or password is wrong')
  }
  await db.update(users).set({ lastLogin: clock.now().toISOString() }).where(eq(users.id, user.id))
  return startSession(c, user.id)
}

/** Opens a session for a user who has proven who they are, and sets its cookies. */
export async function startSession(c: Context<AppEnv>, userId: string): Promise<SessionUser> {
  const tokens = await openSession(c.get('services'), userId)
  await setSessionCookies(c, tokens)
  return sessionUser(c.get('services'), tokens.sessionId)
}
