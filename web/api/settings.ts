import { api } from './client.ts'

/** `GET /settings`: what the product needs to know before anybody signs in. */
export interface Settings {
  PLATFORM_TYPE: string
}

let loading: Promise<Settings> | undefined

/** Loads the settings once for the life of the page; a failure is tried again with the next call. */
export function loadSettings(): Promise<Settings> {
  loading ??= api.get<Settings>('/settings').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
