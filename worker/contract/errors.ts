/** Domain errors know a code, never a status; `worker/http/errors.ts` maps them once at the edge. */

export type ErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'wrong_method'
  | 'wrong_type'
  | 'unprocessable'
  | 'too_large'
  | 'rate_limited'
  | 'run_failed'

export interface ErrorDetails {
  /** The payload's field that is wrong, as a path: `permissions.0`. */
  field?: string
  /** Spec section 8: the client may refresh and repeat. */
  retry?: boolean
  redirectTo?: string
  error?: string
  retryAfterSeconds?: number
  /** Of `wrong_method`: the one that is right. */
  allow?: string
  [key: string]: unknown
}

export class HeddleError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'HeddleError'
    this.code = code
    this.details = details
  }
}

/**
 * The generic helper of spec section 8: an error's message, or the JSON of anything else that was thrown. Of a failed
 * query it is what the database said: the error's own message holds the query's parameters.
 */
export function errorMessage(thrown: unknown): string {
  if (isFailedQuery(thrown)) return `The database failed: ${errorMessage(thrown.cause)}`
  return thrown instanceof Error ? thrown.message : JSON.stringify(thrown)
}

/** The same for a log: with the stack, and with the text of a failed query, but never with its parameters. */
export function errorReport(thrown: unknown): string {
  if (isFailedQuery(thrown)) return `The database failed: ${errorReport(thrown.cause)}\nQuery: ${thrown.query}`
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : JSON.stringify(thrown)
}

/** Drizzle's error; the contract knows no drizzle. */
function isFailedQuery(thrown: unknown): thrown is Error & { query: string } {
  return thrown instanceof Error && 'query' in thrown && 'params' in thrown
}
