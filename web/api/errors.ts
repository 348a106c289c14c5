/** What the client makes of a refusal: spec section 8, as pure functions. */
import type { ErrorDetails } from '#contract/errors.ts'

export interface ErrorBody extends ErrorDetails {
  message?: string
  requestId?: string
}

/** Any answer that is not 2xx; `status` 0 means that the server could not be reached. */
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

export type Decision401 =
  | { do: 'refresh' }
  | { do: 'logout' }
  | { do: 'redirect'; to: string; signedOut: boolean }
  | { do: 'reject' }

/**
 * What a 401 asks for.
 * - `refresh`: renew the session once and repeat the request
 * - `logout`: end the session and go to /login
 * - `redirect`: go to `to`; `signedOut`: the session is of no more use, so forget what is known of the user
 * - `reject`: clear what is known of the user, log out and go to /login (not from a sign-in page), and fail the call
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

/** A network failure or a fault of the server: worth another try. */
export function isTransient(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
