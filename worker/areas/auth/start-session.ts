import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import type { AppEnv } from '../../http/route.ts'
import { rememberBrowser, setSessionCookies } from '../../http/session/cookies.ts'
import { noteSignIn } from './note-sign-in.ts'
import { placeOf } from './place.ts'
import { sessionUser } from './session-user.ts'
import { openSession, type SignInFacts } from './sessions.ts'

/** Opens a session for an authenticated user and sets its cookies. Nobody is asked for a second step here. */
export async function startSession(
  c: Context<AppEnv>,
  userId: string,
  {
    method = 'password',
    identityProviderId = null,
    activeWorkspaceId = null,
  }: Pick<SignInFacts, 'method' | 'identityProviderId' | 'activeWorkspaceId'> = {},
): Promise<SessionUser> {
  await noteSignIn(c, { userId, method, result: 'success' })
  const tokens = await openSession(c.get('services'), {
    userId,
    method,
    identityProviderId,
    activeWorkspaceId,
    ...placeOf(c),
  })
  await setSessionCookies(c, tokens)
  await rememberBrowser(c, userId)
  return sessionUser(c.get('services'), tokens.sessionId)
}
