import type { EgressLimits } from '../../ports/types.ts'
import type { SpeechCall } from './types.ts'

/** Some minutes of speech. */
const SPEAKING: EgressLimits = { timeoutMs: 120_000, maxBytes: 8 * 1024 * 1024 }

/** Returns the response whose body is sound. Throws an Error with the status and the beginning of the provider's words. */
export async function fetchSound({ egress, signal }: SpeechCall, url: string, init: RequestInit): Promise<Response> {
  const response = await egress.fetch(url, { ...init, signal }, SPEAKING)
  if (response.ok && response.body) return response
  throw new Error(`the provider answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
}
