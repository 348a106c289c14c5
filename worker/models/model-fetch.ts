/** What the providers' SDKs get as `fetch`: egress with time for long answers, its failures told in the SDK's own way. */
import { APICallError } from 'ai'
import type { Egress } from '../ports/types.ts'

/** Local models may load for minutes; the caller has its own, finer limits. */
const TIMEOUT_MS = 900_000

export type ModelFetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

export function modelFetch(egress: Egress, timeoutMs = TIMEOUT_MS): ModelFetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    try {
      return await egress.fetch(input as string | URL | Request, init, { timeoutMs })
    } catch (cause) {
      if (!(cause instanceof Error) || cause.name !== 'EgressError') throw cause
      // A provider that could not be reached may be reached a moment later.
      throw new APICallError({ message: cause.message, url: address, requestBodyValues: {}, cause, isRetryable: true })
    }
  }
}
