/**
 * The last failed API call that the client did not handle. Error states show its request id. It is cleared when the
 * same call succeeds or the page changes.
 */
import { proxy } from 'valtio/vanilla'

interface Failure {
  /** `GET /variables` */
  call: string
  message: string
  /** The id in the server's log; undefined when the server was unreachable. */
  requestId: string | undefined
}

export const failure = proxy<{ last: Failure | undefined }>({ last: undefined })

export function keepFailure(last: Failure): void {
  failure.last = last
}

/** Clears the failure of one call, or any. */
export function forgetFailure(call = failure.last?.call): void {
  if (failure.last?.call === call) failure.last = undefined
}
