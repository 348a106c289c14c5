/**
 * Security headers of every API response, and CORS: for the product's own pages and for embeddable calls of other
 * sites.
 */
import type { Context } from 'hono'
import { cors } from 'hono/cors'
import { createMiddleware } from 'hono/factory'
import { WORKSPACE_HEADER } from '#contract/organization/workspace-header.ts'
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
    allowHeaders: ['Content-Type', 'X-Request-From', 'X-XSRF-TOKEN', WORKSPACE_HEADER],
    maxAge: 86_400,
  })
  return createMiddleware<AppEnv>((c, next) =>
    uiOrigin !== undefined && c.req.header('origin') === uiOrigin ? allow(c, next) : next(),
  )
}

/** What OpenAI's client in browsers sends along. */
const OPENAI_HEADERS = [
  ...['OpenAI-Beta', 'OpenAI-Organization', 'OpenAI-Project', 'User-Agent'],
  ...['Arch', 'Async', 'Custom-Poll-Interval', 'Helper-Method', 'Lang', 'OS', 'Package-Version', 'Poll-Helper'].map(
    stainless,
  ),
  ...['Retry-Count', 'Runtime', 'Runtime-Version', 'Timeout'].map(stainless),
]
const MCP_HEADERS = ['Last-Event-ID', 'MCP-Protocol-Version', 'Mcp-Session-Id']

function stainless(name: string): string {
  return `X-Stainless-${name}`
}

/**
 * Allows no credentials: a page of another site can never act as its visitor. The headers are listed, because some make
 * local runtimes replace the URL.
 */
const anyPage = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PUT'],
  allowHeaders: [
    ...['Authorization', 'Cache-Control', 'Content-Type', 'X-Request-From'],
    ...OPENAI_HEADERS,
    ...MCP_HEADERS,
  ],
  maxAge: 86_400,
})

/** Keeps what `uiCors` has set: browsers refuse `*` for responses to calls with cookies. */
export const embedCors = createMiddleware<AppEnv>((c, next) =>
  c.res.headers.has('Access-Control-Allow-Origin') ? next() : anyPage(c, next),
)
