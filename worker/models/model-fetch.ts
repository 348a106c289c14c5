/** A `fetch` for provider SDKs: goes through egress with a long timeout and reports failures as SDK errors. */
import { APICallError } from '@ai-sdk/provider'
import type { Egress } from '../ports/types.ts'

/** Local models may take minutes to load. Callers set stricter limits. */
const TIMEOUT_MS = 900_000

export type ModelFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

export function modelFetch(egress: Egress, timeoutMs = TIMEOUT_MS): ModelFetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    try {
      return await egress.fetch(input as string | URL | Request, init, { timeoutMs })
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'EgressError') throw error
      // An unreachable provider may be reachable on retry.
      throw new APICallError({
        message: error.message,
        url: address,
        requestBodyValues: {},
        cause: error,
        isRetryable: true,
      })
    }
  }
}
