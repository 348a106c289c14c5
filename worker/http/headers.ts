/** What every API answer says to the browser, and CORS for the calls that other sites' pages may make. */
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './route.ts'

export const apiHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  await next()
  c.header('X-Request-Id', c.get('requestId'))
  c.header('X-Content-Type-Options', 'nosniff')
  c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store')
})

/** No credentials: a page of another site can never act as the person who looks at it. */
export const embedCors = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT'],
  allowHeaders: ['Authorization', 'Cache-Control', 'Content-Type', 'X-Request-From'],
  maxAge: 86_400,
})
