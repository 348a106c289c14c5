/** Test helper: what a component of a store gets, with answers from a script. */
import { scriptedProvider } from '../../models/testing/provider.ts'
import type { RerankerContext } from '../types.ts'

type Values = Record<string, unknown>

export function scriptedContext(config: Values, credential: Values, ...answers: Response[]) {
  const { egress, sent } = scriptedProvider(...answers)
  const context: RerankerContext = {
    config,
    credential,
    egress,
    clock: { now: () => new Date(0), sleep: () => Promise.resolve() },
    signal: new AbortController().signal,
    openModel: () => Promise.reject(new Error('no model in this test')),
  }
  return { context, sent }
}

/** Returns what the promise throws. @throws Error when it throws nothing */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  try {
    await work
  } catch (error) {
    return error as Error
  }
  throw new Error('It did not fail')
}
