/** Requests to providers of speech. */

import { text } from '../../inputs/component-config.ts'
import type { EgressLimits } from '../../ports/types.ts'
import type { SpeechCall } from './types.ts'

const LISTENING: EgressLimits = { timeoutMs: 120_000, maxBytes: 1024 * 1024 }

/** Returns the JSON of the answer. Throws an Error with the status and the beginning of the provider's words. */
export async function askForJson(
  { egress, signal }: Pick<SpeechCall, 'egress' | 'signal'>,
  url: string,
  init: RequestInit,
): Promise<Record<string, unknown>> {
  const response = await egress.fetch(url, { ...init, signal }, LISTENING)
  const answer = await response.text()
  if (!response.ok) throw new Error(`the provider answered ${response.status}: ${answer.slice(0, 300)}`)
  const read = JSON.parse(answer) as unknown
  if (typeof read !== 'object' || read === null) throw new Error('the provider answered no object')
  return read as Record<string, unknown>
}

/** Returns the value of a setting or field, numbers as text. */
export const settingOf = (values: Record<string, unknown>, name: string): string | undefined => {
  const value = values[name]
  return typeof value === 'number' ? String(value) : text(values, name)?.trim() || undefined
}

/** Throws when the field is empty. */
export function requireField(credential: Record<string, unknown>, name: string, label: string): string {
  const value = settingOf(credential, name)
  if (value === undefined) throw new Error(`choose a credential with ${label}`)
  return value
}

export const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url)
