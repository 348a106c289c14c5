import { createMiddleware } from 'hono/factory'
import { metrics } from '../ports/metrics/metrics.ts'
import type { AppEnv } from './route.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Counts each call of the API. A method or a path that nothing answers is one for all, or callers could make series. */
export const countRequest = createMiddleware<AppEnv>(async (c, next) => {
  const { clock } = c.get('services')
  const start = clock.now().getTime()
  await next()
  metrics.requests.observe((clock.now().getTime() - start) / 1000, {
    method: METHODS.includes(c.req.method) ? c.req.method : 'other',
    route: c.get('route')?.path ?? 'none',
    status: `${Math.floor(c.res.status / 100)}xx`,
  })
})
