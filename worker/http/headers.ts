/**
 * Security headers of every API response, and CORS: for the product's own pages and for embeddable calls of other
 * sites.
 */
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
 * Lets pages served from `uiOrigin`, and no others, make every call with the signed-in user's cookies.
 * Does nothing when it is undefined, because pages then come from the API's own origin.
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

/** Allows no credentials: a page of another site can never act as its visitor. */
const anyPage = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT'],
  allowHeaders: ['Authorization', 'Cache-Control', 'Content-Type', 'X-Request-From'],
  maxAge: 86_400,
})

/** Keeps what `uiCors` has set: browsers refuse `*` for responses to calls with cookies. */
export const embedCors = createMiddleware<AppEnv>((c, next) =>
  c.res.headers.has('Access-Control-Allow-Origin') ? next() : anyPage(c, next),
)
