import type { Settings } from '#contract/settings/settings.ts'
import { api } from './client.ts'

let loading: Promise<Settings> | undefined

/** Loads the settings once per page. The next call retries a failure. */
export function loadSettings(): Promise<Settings> {
  loading ??= api.get<Settings>('/settings').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
