/** What every API answer says to the browser, and CORS: for our own pages, and for calls that other sites' may make. */
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

/**
 * Lets the pages that are served from `uiOrigin` make every call as the person who is signed in, and no other page.
 * Undefined: pages come from where the API is, and need nothing.
 */
export function uiCors(uiOrigin: string | undefined) {
  const allow = cors({
    origin: uiOrigin ?? [],
    credentials: true,
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Content-Type', 'X-Request-From', 'X-XSRF-TOKEN'],
    maxAge: 86_400,
  })
  return createMiddleware<AppEnv>((c, next) =>
    uiOrigin !== undefined && c.req.header('origin') === uiOrigin ? allow(c, next) : next(),
  )
}

/** No credentials: a page of another site can never act as the person who looks at it. */
const anyPage = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT'],
  allowHeaders: ['Authorization', 'Cache-Control', 'Content-Type', 'X-Request-From'],
  maxAge: 86_400,
})

/** What `uiCors` has said stands: browsers take no `*` for an answer to a call with cookies. */
export const embedCors = createMiddleware<AppEnv>((c, next) =>
  c.res.headers.has('Access-Control-Allow-Origin') ? next() : anyPage(c, next),
)
