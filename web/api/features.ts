/** Entries of the app switcher. */
import type { FeatureList } from '#contract/settings/features.ts'
import type { ApiClient } from './client.ts'
import { isTransient } from './errors.ts'

const MAX_RETRIES = 2
const RETRY_STEP_MS = 1000

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Loads the features. Network errors and 5xx responses are retried after one and two seconds. */
export async function loadFeatures(client: Pick<ApiClient, 'get'>, attempt = 1): Promise<FeatureList> {
  try {
    return await client.get<FeatureList>('/permissions/features')
  } catch (error) {
    if (attempt > MAX_RETRIES || !isTransient(error)) throw error
    await pause(RETRY_STEP_MS * attempt)
    return loadFeatures(client, attempt + 1)
  }
}
