/** Domain errors have a code, which `worker/http/errors.ts` maps to a status. */

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
  | 'unavailable'

export interface ErrorDetails {
  /** Path of the invalid field: `permissions.0`. */
  field?: string
  /** The client may refresh the session and repeat the request (spec section 8). */
  retry?: boolean
  redirectTo?: string
  error?: string
  retryAfterSeconds?: number
  /** For `wrong_method`: the allowed method. */
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

/** Returns true for what a later attempt may do: a service of the operator did not answer. */
export const isUnavailable = (error: unknown): boolean => error instanceof HeddleError && error.code === 'unavailable'

/**
 * Returns an error's message, or the JSON of any other error value (spec section 8). For a failed query it returns the
 * database's message, because the error's own message contains the query's parameters.
 */
export function errorMessage(error: unknown): string {
  if (isFailedQuery(error)) return `The database failed: ${errorMessage(error.cause)}`
  return error instanceof Error ? error.message : JSON.stringify(error)
}

/** The text for a log: with the stack and the text of a failed query, but never its parameters. */
export function errorReport(error: unknown): string {
  if (isFailedQuery(error)) return `The database failed: ${errorReport(error.cause)}\nQuery: ${error.query}`
  return error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error)
}

/** Recognizes Drizzle's error by shape, because the contract does not import Drizzle. */
function isFailedQuery(error: unknown): error is Error & { query: string } {
  return error instanceof Error && 'query' in error && 'params' in error
}
