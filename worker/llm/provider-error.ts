/** Converts the error of a failed model call to one with the provider's own message. */
import { APICallError, RetryError } from 'ai'
import { errorMessage } from '#contract/errors.ts'

export function providerError(error: unknown): Error {
  const cause = RetryError.isInstance(error) ? error.lastError : error
  if (!APICallError.isInstance(cause)) return cause instanceof Error ? cause : new Error(errorMessage(cause))
  const message = answerText(cause.responseBody) ?? reasonOf(cause)
  return new Error(cause.statusCode ? `${message} (HTTP ${cause.statusCode})` : message, { cause })
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
