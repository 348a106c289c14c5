/** A user name and a password of the operator's in front of /setup. */
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { AppEnv } from '../../http/route.ts'
import { hasOpenedSetup, rememberSetup } from '../../http/session/cookies.ts'
import { sameText } from '../../http/session/secrets.ts'
import type { Services } from '../../services.ts'
import { setupCheck } from './setup.ts'

/** Nothing is asked once the first account exists. */
export async function basicAuthCheck(services: Services): Promise<{ required: boolean }> {
  if (!services.config.setupLogin) return { required: false }
  return { required: (await setupCheck(services)).needsSetup }
}

/** Opens /setup in this browser for an hour. */
export async function openSetup(c: Context<AppEnv>, given: { username: string; password: string }) {
  const { setupLogin } = c.get('services').config
  if (!setupLogin) return { required: false }
  const isName = sameText(given.username, setupLogin.username)
  const isPassword = sameText(given.password, setupLogin.password)
  if (!isName || !isPassword) {
    throw new HeddleError('bad_request', 'Wrong user name or password. Enter SETUP_USERNAME and SETUP_PASSWORD.')
  }
  await rememberSetup(c)
  return { required: false }
}

/** Throws when the first account needs the operator's password and this browser has not given it. */
export async function assertBasicAuth(c: Context<AppEnv>): Promise<void> {
  const { setupLogin } = c.get('services').config
  if (!setupLogin || (await hasOpenedSetup(c))) return
  throw new HeddleError('bad_request', 'Open /setup and enter the user name and password of this server first.')
}
