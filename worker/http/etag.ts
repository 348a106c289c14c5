/** Answers that change only with a deployment: who has one already gets 304 and no body. */
import type { Context } from 'hono'
import type * as z from 'zod'
import type { Answer, AppEnv } from './route.ts'

/** The forms of an answer that is sent by `withETag`. */
export const cached = (schema: z.ZodType): readonly Answer[] => [
  { schema },
  { status: 304, description: 'What the caller has, by its If-None-Match, is still right' },
]

/** @param text JSON */
export async function withETag(c: Context<AppEnv>, text: string): Promise<Response> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text))
  const etag = `W/"${Buffer.from(digest).toString('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
  if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
  return new Response(text, { headers: { ...headers, 'Content-Type': 'application/json' } })
}
