/** Cross-site requests end here: Origin on every unsafe method whatever its content type, and the XSRF token of cookie sessions. */

import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import { createMiddleware } from 'hono/factory'
import { HeddleError } from '#contract/errors.ts'
import { ownOrigin } from './own-origin.ts'
import type { AppEnv } from './route.ts'
import { hasSessionCookie, XSRF_COOKIE } from './session/cookies.ts'
import { sameText, xsrfToken } from './session/secrets.ts'

const XSRF_HEADER = 'X-XSRF-TOKEN'

export function isUnsafe(c: Context<AppEnv>): boolean {
  return !['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
}

/**
 * Refuses unsafe requests that another site's page may have made. Requests without Origin do not come from a page,
 * so they pass unless they carry a session. Embeddable routes and Bearer keys hold no authority of the browser's.
 */
export const checkOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (isUnsafe(c) && !c.get('route').embeddable && !c.req.header('authorization')) {
    const origin = c.req.header('origin')
    if (origin !== undefined && origin !== ownOrigin(c) && origin !== c.get('services').config.uiOrigin) {
      throw new HeddleError('forbidden', 'This request came from another site')
    }
    if (origin === undefined && hasSessionCookie(c)) {
      throw new HeddleError(
        'forbidden',
        'A request with a session must say where it comes from: the Origin header is missing',
      )
    }
  }
  await next()
})

/** On unsafe methods: the XSRF cookie must come back as a header, and belong to this session. */
export function checkXsrf(c: Context<AppEnv>, sessionId: string): void {
  if (!isUnsafe(c)) return
  const header = c.req.header(XSRF_HEADER) ?? ''
  const cookie = getCookie(c, XSRF_COOKIE) ?? ''
  const expected = xsrfToken(c.get('services').config.sessionKey, sessionId)
  if (!sameText(header, expected) || !sameText(cookie, expected)) {
    throw new HeddleError('forbidden', `The ${XSRF_HEADER} header does not match the session. Reload the page.`)
  }
}
