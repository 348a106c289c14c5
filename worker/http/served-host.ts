/** Limits the host names that the product answers where no platform routes by name: on one machine. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { errorJson } from './errors.ts'
import { apiHeaders } from './headers.ts'
import type { AppEnv } from './route.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Rejects requests for hosts other than this machine and `publicHosts` (`host` or `host:port`). Otherwise a page whose
 * name resolves to this machine (DNS rebinding) would be same-origin. Undefined: the platform does this.
 */
export function checkHost(publicHosts: readonly string[] | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!publicHosts || isServed(c, publicHosts)) return next()
    await apiHeaders(c, async () => {
      c.res = errorJson(c, 403, { message: 'This host is not served here. To serve it, add it to PUBLIC_HOSTS' })
    })
  })
}

/** The URL must match the Host header: local runtimes replace it by other headers of the client. */
function isServed(c: Context<AppEnv>, publicHosts: readonly string[]): boolean {
  const asked = URL.parse(`http://${c.req.header('host')}`)
  if (!asked || asked.hostname !== new URL(c.req.url).hostname) return false
  return [...LOOPBACK, ...publicHosts].some((name) => name === asked.hostname || name === asked.host)
}
