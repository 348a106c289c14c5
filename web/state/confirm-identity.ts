/** The dialog in which a person proves to be there, one for all calls that wait for it. */
import { proxy } from 'valtio/vanilla'

export const identityState = proxy<{ asked: boolean }>({ asked: false })

let waiting: PromiseWithResolvers<boolean> | undefined

/** Resolves with true once the person has proved it, and with false when they cancel. */
export function askIdentity(): Promise<boolean> {
  waiting ??= Promise.withResolvers<boolean>()
  identityState.asked = true
  return waiting.promise
}

export function answerIdentity(proved: boolean): void {
  identityState.asked = false
  waiting?.resolve(proved)
  waiting = undefined
}
