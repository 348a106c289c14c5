/** The errors of a route: those that its declaration implies, and those that it lists. */
import type { ErrorCode } from '#contract/errors.ts'
import type { Route } from '../../http/route.ts'

export function listErrors(route: Route): ErrorCode[] {
  const { method, access, embeddable, body, query, params, limit, confirmed, errors = [] } = route
  const isUnsafe = method !== 'GET'
  const isGuarded = access !== 'public'
  const implied: [ErrorCode, boolean][] = [
    ['bad_request', [body, query, params].some((schema) => schema !== undefined)],
    ['unauthorized', isGuarded],
    // Public routes refuse pages of other sites, unless they are embeddable.
    ['forbidden', isGuarded || (isUnsafe && !embeddable)],
    ['conflict', confirmed === true],
    ['not_found', params !== undefined],
    ['too_large', isUnsafe],
    ['rate_limited', limit !== undefined || !isGuarded],
  ]
  return [...new Set([...implied.flatMap(([code, holds]) => (holds ? [code] : [])), ...errors])]
}

export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  bad_request: 'The request is not valid. `field` names the invalid field',
  unauthorized: 'The session or API key is missing, invalid or expired',
  forbidden: 'The caller has no permission for this',
  not_found: 'The resource does not exist, or the caller cannot view it',
  wrong_method: 'The method is not allowed. `Allow` names the allowed one',
  conflict: 'The resource was changed in the meantime, or its state does not allow this',
  too_large: 'The request or the result is too large',
  wrong_type: 'The content type is not supported',
  unprocessable: 'The request is valid, but cannot be processed',
  rate_limited: 'Too many requests. `Retry-After` has the seconds to wait',
  run_failed: 'The run failed. `message` has the reason',
  unavailable:
    'The database or the file storage cannot be reached, or an answer was lost. With `Retry-After` nothing was changed',
}

/** Meanings of the statuses that every call may answer besides. The description has them once, as its response `default`. */
export const SHARED_ERRORS: Readonly<Record<number, string>> = {
  409: 'the page that calls is of another workspace than its session',
  500: 'something failed on the server, and was logged with this `requestId`',
  503: 'the database or the file storage cannot be reached, or an answer was lost; with `Retry-After` nothing was changed',
}
