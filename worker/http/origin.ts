/**
 * Stops cross-site requests: checks Origin on every unsafe method, whatever the content type, and the XSRF token of
 * sessions.
 */

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import { ownOrigin } from './own-origin.ts'
import type { AppEnv } from './route.ts'
import { hasSessionCookie, XSRF_COOKIE } from './session/cookies.ts'
import { sameText, xsrfToken } from './session/secrets.ts'

const XSRF_HEADER = 'X-XSRF-TOKEN'

function isUnsafe(c: Context<AppEnv>): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
}

/**
 * Rejects unsafe requests from pages of other sites. Requests without Origin do not come from a page, so they pass
 * unless they carry a session. Embeddable routes and Bearer keys do not use the browser's authority.
 */
export const checkOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (isUnsafe(c) && !c.get('route').embeddable && !c.req.header('authorization')) {
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== ownOrigin(c) && origin !== c.get('services').config.uiOrigin) {
      throw new HeddleError('forbidden', 'This request came from another site')
    }
    if (origin === undefined && hasSessionCookie(c)) {
      throw new HeddleError('forbidden', 'Requests with a session need an Origin header')
    }
  }
  await next()
})

/** Throws on an unsafe method unless a header repeats the XSRF cookie, and the cookie belongs to the session. */
export function checkXsrf(c: Context<AppEnv>, sessionId: string): void {
  if (!isUnsafe(c)) return
  const header = c.req.header(XSRF_HEADER) ?? ''
  const cookie = getCookie(c, XSRF_COOKIE) ?? ''
  const expected = xsrfToken(c.get('services').config.sessionKey, sessionId)
  if (!sameText(header, expected) || !sameText(cookie, expected)) {
    throw new HeddleError('forbidden', `The ${XSRF_HEADER} header does not match the session. Reload the page.`)
  }
}
