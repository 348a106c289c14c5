/** Which errors a route can answer: what its declaration implies, and what it names itself. */
import type { ErrorCode } from '#contract/errors.ts'
import type { Route } from '../../http/route.ts'

export function errorsOf(route: Route): ErrorCode[] {
  const { method, access, embeddable, body, query, params, limit, errors = [] } = route
  const isUnsafe = method !== 'GET'
  const isGuarded = access !== 'public'
  const implied: [ErrorCode, boolean][] = [
    ['bad_request', [body, query, params].some((schema) => schema !== undefined)],
    ['unauthorized', isGuarded],
    // A public route still refuses pages of other sites, unless they may embed it.
    ['forbidden', isGuarded || (isUnsafe && !embeddable)],
    ['not_found', params !== undefined],
    ['too_large', isUnsafe],
    ['rate_limited', limit !== undefined],
  ]
  return [...new Set([...implied.flatMap(([code, holds]) => (holds ? [code] : [])), ...errors])]
}

export const ERROR_MEANINGS: Record<ErrorCode, string> = {
  bad_request: 'Something that was sent is wrong; `field` names it',
  unauthorized: 'The session or API key is missing, wrong or expired',
  forbidden: 'The caller may not do this',
  not_found: 'There is no such thing, or the caller may not see it',
  wrong_method: 'Another method is needed; `Allow` names it',
  conflict: 'It was changed in the meantime, or its state does not allow this',
  too_large: 'The body, or what was asked for, is too large',
  wrong_type: 'The body is of a type that is not taken',
  unprocessable: 'It was understood, but could not be done',
  rate_limited: 'Too many requests; `Retry-After` says how many seconds to wait',
  run_failed: 'The run failed; `message` says why',
}
