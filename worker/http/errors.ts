/** Maps errors to responses in Flowise's error shape, with the fields of the error catalogue. */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type ErrorCode, errorReport, HeddleError } from '#contract/errors.ts'
import { type DatabaseFault, faultOf } from '#db/database-failure.ts'
import { mismatchIn } from '#db/schema-check.ts'
import type { AppEnv } from './route.ts'

export const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  conflict: 409,
  too_large: 413,
  wrong_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  run_failed: 500,
  unavailable: 503,
}

/** Answers any error. Errors other than HeddleError are logged and reveal nothing to the caller. */
export function handleError(error: unknown, c: Context<AppEnv>): Response {
  const requestId = c.get('requestId')
  if (error instanceof HeddleError) {
    const { retryAfterSeconds, allow, ...details } = error.details
    if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds))
    if (allow !== undefined) c.header('Allow', allow)
    return errorJson(c, STATUS[error.code], { message: error.message, ...details })
  }
  if (error instanceof HTTPException)
    return errorJson(c, error.status as ContentfulStatusCode, { message: error.message })
  console.error(`request ${requestId} failed:`, errorReport(error))
  if (mismatchIn(error)) return handleError(upgrading(), c)
  const fault = faultOf(error)
  if (fault) return handleError(unavailable(fault), c)
  return errorJson(c, 500, { message: 'Internal Server Error' })
}

/** Why is for the operator, in the log. */
const upgrading = () =>
  new HeddleError('unavailable', 'Heddle is being upgraded. Nothing was changed. Try again in a minute.', {
    retryAfterSeconds: 60,
  })

/** Says what became of the request. Only one that changed nothing asks the caller to repeat it. */
function unavailable({ outcome }: DatabaseFault): HeddleError {
  if (outcome === 'nothing-done') {
    return new HeddleError(
      'unavailable',
      'The database cannot be reached. Nothing was changed. Try again in a few seconds.',
      {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      },
    )
  }
  const done = outcome === 'written' ? 'This was done, but the' : 'The'
  return new HeddleError('unavailable', `${done} database’s answer was lost. Reload before you try again.`)
}

const RETRY_AFTER_SECONDS = 5

/** Returns `{ statusCode, success: false, message, stack: {}, requestId, ...details }` with that status, or the route's own form. */
export function errorJson(
  c: Context<AppEnv>,
  statusCode: ContentfulStatusCode,
  details: { message: string; [key: string]: unknown },
): Response {
  const form = c.get('route')?.errorForm
  if (form) {
    const headers = { 'Content-Type': form.type ?? 'application/json' }
    return c.json(form.bodyOf({ ...details, status: statusCode }) as object, statusCode, headers)
  }
  return c.json({ ...details, statusCode, success: false, stack: {}, requestId: c.get('requestId') }, statusCode)
}
