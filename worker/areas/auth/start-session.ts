import type { BatchItem } from 'drizzle-orm/batch'
import type { Context } from 'hono'
import type { SessionUser } from '#contract/account/account.ts'
import { sendEmailsLater } from '../../emails/delivery.ts'
import type { AppEnv } from '../../http/route.ts'
import { setBrowserCookie, setSessionCookies } from '../../http/session/cookies.ts'
import { knownBrowserId, rememberBrowser } from '../../http/session/known-browser.ts'
import { placeOf } from '../../http/session/place.ts'
import { newDeviceNotice } from './new-device.ts'
import { signInNote } from './note-sign-in.ts'
import { toSessionUser, type UserRows, userQueries } from './session-user.ts'
import { isLimited, openSession, type SignInFacts } from './sessions.ts'

interface Start extends Pick<SignInFacts, 'method' | 'provider' | 'activeWorkspaceId'> {
  /** The id of this browser, where it has been read that the user has signed in with it before. */
  knownBrowser: string | undefined
  /** Statements that belong to the sign-in. */
  beside: BatchItem<'sqlite'>[]
}

/**
 * Opens a session for an authenticated user and sets its cookies, in one batch. Nobody is asked for a second step here.
 */
export async function startSession(
  c: Context<AppEnv>,
  userId: string,
  { method = 'password', provider = null, activeWorkspaceId = null, beside = [], ...given }: Partial<Start> = {},
): Promise<SessionUser> {
  const services = c.get('services')
  const known = 'knownBrowser' in given ? given.knownBrowser : await knownBrowserId(c, userId)
  const isKnown = known !== undefined
  const browserId = known ?? crypto.randomUUID()
  const facts = { userId, method, provider, activeWorkspaceId, browserId, ...placeOf(c) }
  const { tokens, statement } = await openSession(services, facts)
  const browser = { browserId, userId }
  // A known browser gets more tries at the password: none of the business of an organization's provider.
  const isPersonal = !isLimited(provider)
  const [notice, ...results] = await services.db.batch([
    newDeviceNotice(c, { ...facts, isKnown }),
    ...[statement, ...signInNote(c, { userId, method, result: 'success' }), ...beside],
    ...(isPersonal ? [rememberBrowser(services, browser)] : []),
    ...userQueries(services.db, tokens.sessionId),
  ])
  if (notice.rowsAffected > 0) sendEmailsLater(c)
  await setSessionCookies(c, tokens)
  const user = await toSessionUser(services, results.slice(-2) as unknown as UserRows)
  if (!isPersonal && user.managesAccount) await rememberBrowser(services, browser)
  if (user.managesAccount) await setBrowserCookie(c, browser)
  return user
}
