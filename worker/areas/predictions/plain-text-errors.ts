/** Refusals as plain text. */
import { HeddleError } from '#contract/errors.ts'
import type { Answer } from '../../http/route.ts'

export const plainTextErrors: readonly Answer[] = [
  { status: 403, type: 'text/plain' },
  { status: 429, type: 'text/plain' },
]

/** Chat widgets show two kinds of refusal to people as they come, so these are plain text. */
export async function withPlainTextErrors<Result>(
  streaming: boolean,
  handle: () => Promise<Result>,
): Promise<Result | Response> {
  try {
    return await handle()
  } catch (error) {
    if (!(error instanceof HeddleError)) throw error
    if (error.code === 'rate_limited') {
      const headers = { 'Retry-After': String(error.details.retryAfterSeconds) }
      return new Response(error.message, { status: 429, headers })
    }
    if (error.code === 'forbidden' && streaming) return new Response(error.message, { status: 403 })
    throw error
  }
}
