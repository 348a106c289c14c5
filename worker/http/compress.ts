/** Compresses responses where no edge in front of the worker does: on one machine. */
import { createMiddleware } from 'hono/factory'
import type { AppEnv } from './route.ts'

/** Texts that are complete when they are sent. Events are not: each must leave at once. */
const COMPRESSIBLE = /^(application\/([a-z.]+\+)?json|text\/(html|plain|csv|javascript))\b/
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/

/** Names the encoding; the runtime encodes what is sent. */
export const compressResponses = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  const { headers, body } = c.res
  if (!body || headers.has('content-encoding') || !COMPRESSIBLE.test(headers.get('content-type') ?? '')) return
  c.header('Vary', 'Accept-Encoding', { append: true })
  if (ACCEPTS_GZIP.test(c.req.header('accept-encoding') ?? '')) c.header('Content-Encoding', 'gzip')
})
