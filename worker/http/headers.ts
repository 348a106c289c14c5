/** What every API answer says to the browser, and CORS for the calls that other sites' pages may make. */
import type { Context } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './route.ts'

export const apiHeaders = createMiddleware<AppEnv>(async (c, next) => {
  c.set('requestId', crypto.randomUUID())
  await next()
  c.header('X-Request-Id', c.get('requestId'))
  c.header('X-Content-Type-Options', 'nosniff')
  setDefault(c, 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
  setDefault(c, 'Cache-Control', 'no-store')
})

function setDefault(c: Context, name: string, value: string): void {
  if (!c.res.headers.has(name)) c.header(name, value)
}

/** No credentials: a page of another site can never act as the person who looks at it. */
export const embedCors = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT'],
  allowHeaders: ['Authorization', 'Cache-Control', 'Content-Type', 'X-Request-From'],
  maxAge: 86_400,
})
