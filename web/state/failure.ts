/**
 * The last call that failed in a way that no rule of the client deals with. Error states tell more of it than its message;
 * it is forgotten when the same call succeeds, and when a person goes to another page.
 */
import { proxy } from 'valtio/vanilla'

export interface Failure {
  /** `GET /variables` */
  call: string
  message: string
  /** By which the server's log names the call; none when it was not reached. */
  requestId: string | undefined
}

export const failure = proxy<{ last: Failure | undefined }>({ last: undefined })

export function keepFailure(last: Failure): void {
  failure.last = last
}

/** That of one call, or whichever there is. */
export function forgetFailure(call = failure.last?.call): void {
  if (failure.last?.call === call) failure.last = undefined
}
