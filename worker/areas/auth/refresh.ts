import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { HeddleError } from '#contract/errors.ts'
import { checkXsrf } from '../../http/origin.ts'
import type { AppEnv } from '../../http/route.ts'
import {
  clearSessionCookies,
  REFRESH_COOKIE,
  readSessionCookie,
  setSessionCookies,
} from '../../http/session/cookies.ts'
import { invalidToken } from '../../http/session/tokens.ts'
import { sessionUser } from './session-user.ts'
import { rotateSession, sessionIdOf } from './sessions.ts'

/** Exchanges the refresh token cookie for new tokens. Throws `unauthorized` and clears the cookies when it is not valid. */
export async function refreshSession(c: Context<AppEnv>): Promise<SessionUser> {
  const refreshToken = await readSessionCookie(c, REFRESH_COOKIE)
  if (!refreshToken) throw invalidToken()
  checkXsrf(c, sessionIdOf(refreshToken))
  try {
    const tokens = await rotateSession(c.get('services'), refreshToken)
    const user = await sessionUser(c.get('services'), tokens.sessionId)
    await setSessionCookies(c, tokens)
    return user
  } catch (error) {
    if (error instanceof HeddleError && error.code === 'unauthorized') clearSessionCookies(c)
    throw error
  }
}
