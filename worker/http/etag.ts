/** Answers that change only with a deployment: callers that have one get 304 without a body. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { Answer, AppEnv } from './route.ts'

/** The forms of a response that `withETag` sends. */
export const cached = (schema: z.ZodType): readonly Answer[] => [
  { schema },
  { status: 304, description: 'The caller’s copy, named by If-None-Match, is current' },
]

/** @param text JSON */
export async function withETag(c: Context<AppEnv>, text: string): Promise<Response> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  const etag = `W/"${Buffer.from(digest).toString('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } })
}
