import type { Context } from 'hono'
import type { AppEnv } from '../../http/route.ts'
import { clearSessionCookies, REFRESH_COOKIE, readSessionCookie } from '../../http/session/cookies.ts'
import { revokeSession, sessionIdOf } from './sessions.ts'

/** Revokes the session, so that its access token stops working at once, and clears the cookies. */
export async function signOut(c: Context<AppEnv>): Promise<{ message: string; redirectTo: string }> {
  const { db, clock } = c.get('services')
  const refreshToken = await readSessionCookie(c, REFRESH_COOKIE)
  if (refreshToken) await revokeSession({ db, now: clock.now(), sessionId: sessionIdOf(refreshToken) })
  clearSessionCookies(c)
  return { message: 'logged_out', redirectTo: '/signin' }
}
