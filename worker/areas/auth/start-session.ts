import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import type { AppEnv } from '../../http/route.ts'
import { setSessionCookies } from '../../http/session/cookies.ts'
import { knownBrowserId, rememberBrowser } from '../../http/session/known-browser.ts'
import { placeOf } from '../../http/session/place.ts'
import { newDeviceNotice } from './new-device.ts'
import { noteSignIn } from './note-sign-in.ts'
import { sessionUser } from './session-user.ts'
import { openSession, type SignInFacts } from './sessions.ts'

/** Opens a session for an authenticated user and sets its cookies. Nobody is asked for a second step here. */
export async function startSession(
  c: Context<AppEnv>,
  userId: string,
  {
    method = 'password',
    provider = null,
    activeWorkspaceId = null,
  }: Partial<Pick<SignInFacts, 'method' | 'provider' | 'activeWorkspaceId'>> = {},
): Promise<SessionUser> {
  const known = await knownBrowserId(c, userId)
  const isKnown = known !== undefined
  const browserId = known ?? crypto.randomUUID()
  const facts = { userId, method, provider, activeWorkspaceId, browserId, ...placeOf(c) }
  const tokens = await openSession(c.get('services'), facts, newDeviceNotice(c, { ...facts, isKnown }))
  await noteSignIn(c, { userId, method, result: 'success' })
  if (!isKnown) sendEmailsLater(c)
  await setSessionCookies(c, tokens)
  const user = await sessionUser(c.get('services'), tokens.sessionId)
  // A known browser gets more tries at the password: none of the business of an organization's provider.
  if (user.managesAccount) await rememberBrowser(c, { browserId, userId })
  return user
}
