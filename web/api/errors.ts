/** Error handling of the client (spec section 8). Pure. */
import type { ErrorDetails } from '#contract/errors.ts'

export interface ErrorBody extends ErrorDetails {
  message?: string
  requestId?: string
}

/** A response that is not 2xx. `status` 0 means that the server was unreachable. */
export class ApiError extends Error {
  readonly status: number
  readonly field: string | undefined
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message ?? `The server answered ${status} without a reason. Try again.`)
    this.name = 'ApiError'
    this.status = status
    this.field = body.field
    this.body = body
  }
}

/** Codes of 409 responses about the session, which the client handles itself. */
const OF_SESSION = ['workspace_switched', 'confirm_identity']

/** True when somebody else changed what the call was to change. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 409 && !OF_SESSION.includes(error.body.error ?? '')
}

type Decision401 =
  | { do: 'refresh' }
  | { do: 'logout' }
  | { do: 'redirect'; to: string; signedOut: boolean }
  | { do: 'reject' }

/**
 * Returns how to handle a 401.
 * - `refresh`: renew the session once and repeat the request
 * - `logout`: end the session and go to /login
 * - `redirect`: go to `to`; with `signedOut`, clear the user first
 * - `reject`: clear the user, log out, go to /login (except on sign-in pages) and fail the call
 */
export function decide401(body: ErrorBody, refreshed: boolean): Decision401 {
  if (body.message === 'Token Expired' && body.retry === true && !refreshed) return { do: 'refresh' }
  if (body.message === 'Invalid or Missing token') return { do: 'logout' }
  if (body.redirectTo && body.error === 'unauthorized') return { do: 'redirect', to: body.redirectTo, signedOut: true }
  if (body.redirectTo && body.error === 'subscription_canceled') {
    return { do: 'redirect', to: withQuery(body.redirectTo, 'error', 'subscription_canceled'), signedOut: false }
  }
  return { do: 'reject' }
}

function withQuery(path: string, key: string, value: string): string {
  const [before = '', hash] = path.split('#')
  return `${before}${before.includes('?') ? '&' : '?'}${key}=${value}${hash ? `#${hash}` : ''}`
}

/** Returns true for network errors and 5xx responses. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
