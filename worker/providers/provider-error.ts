/** What the errors of model calls mean: the provider's own message, and whether another call may help. */
import { APICallError } from '@ai-sdk/provider'
import { errorMessage } from '#contract/errors.ts'

export function providerError(error: unknown): Error {
  if (APICallError.isInstance(error)) {
    const message = answerText(error.responseBody) ?? reasonOf(error)
    return new Error(error.statusCode ? `${message} (HTTP ${error.statusCode})` : message, { cause: error })
  }
  return error instanceof Error ? error : new Error(findMessage(error) ?? errorMessage(error))
}

const RETRY_MS = 2000
const MAX_RETRY_MS = 60_000

/** Returns the milliseconds to wait before another call, as the provider says; undefined when it would not help. */
export function retryDelay(error: unknown): number | undefined {
  if (!APICallError.isInstance(error) || !error.isRetryable) return undefined
  const headers = error.responseHeaders ?? {}
  const after = headers['retry-after'] ?? ''
  const asked = [
    Number.parseFloat(headers['retry-after-ms'] ?? ''),
    Number.parseFloat(after) * 1000,
    Date.parse(after) - Date.now(),
  ].find((delay) => !Number.isNaN(delay))
  return asked !== undefined && asked >= 0 && asked < MAX_RETRY_MS ? asked : RETRY_MS
}

/** Reads the provider's JSON error: `{error: {message}}`, `{error}`, `{message}` or `{detail}`, sometimes in a list. */
function answerText(body: string | undefined): string | undefined {
  if (!body) return undefined
  try {
    return findMessage(JSON.parse(body))
  } catch {
    return undefined
  }
}

function findMessage(value: unknown): string | undefined {
  if (typeof value === 'string') return value || undefined
  if (Array.isArray(value)) return findMessage(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  const { error, message, detail } = value as Record<string, unknown>
  return findMessage(error) ?? findMessage(message) ?? findMessage(detail)
}

/** Without a response, the cause is more specific (which host, why refused). */
function reasonOf(error: APICallError): string {
  return error.statusCode === undefined && error.cause instanceof Error ? error.cause.message : error.message
}
