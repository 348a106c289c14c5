import { ApiError } from '../../api/errors.ts'
import { notify } from '../../state/notify.ts'

/** Runs a call of a button, and tells what went wrong. Who cancels the proof of who they are knows why. */
export async function attempt<Result>(what: string, call: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.body.error !== 'confirm_identity') notify.error(what, error.message)
    return undefined
  }
}
