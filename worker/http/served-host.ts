/** Under which names the product answers where no platform routes by name: on one's own machine. */
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { errorJson } from './errors.ts'
import { apiHeaders } from './headers.ts'
import type { AppEnv } from './route.ts'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * Refuses requests for other hosts than this machine and `publicHosts` (`host` or `host:port`): a page whose name
 * resolves to this machine (DNS rebinding) would else be one of ours. Undefined: the platform does it.
 */
export function checkHost(publicHosts: readonly string[] | undefined) {
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!publicHosts || isServed(c, publicHosts)) return next()
    await apiHeaders(c, async () => {
      c.res = errorJson(c, 403, { message: 'This name is not served here. To serve it, name it in PUBLIC_HOSTS' })
    })
  })
}

/** The URL must be the one that the Host header names: local runtimes take another one from headers of the client. */
function isServed(c: Context<AppEnv>, publicHosts: readonly string[]): boolean {
  const asked = URL.parse(`http://${c.req.header('host')}`)
  if (!asked || asked.hostname !== new URL(c.req.url).hostname) return false
  return [...LOOPBACK, ...publicHosts].some((name) => name === asked.hostname || name === asked.host)
}
