/** API calls that start with the page itself, before its scripts have arrived. */

import { KIND_FACTS } from '#contract/flow/kinds/facts.ts'
import { readCanvasPath } from './flow-link.ts'

/** Returns the paths below /api/v1 that a page asks for first. */
export function firstCalls(path: string): string[] {
  // The chat page asks as an anonymous caller does, of its flow only. A call that nobody takes would never end.
  if (path.startsWith('/chatbot/')) return []
  const { type, id = '' } = readCanvasPath(path) ?? {}
  if (/^[\w-]+$/.test(id)) return ['/settings', `/chatflows/${id}`, `/chatflows/${id}/components`]
  const first = type && id === '' ? KIND_FACTS[type].firstComponents : []
  return ['/settings', ...first.map((name) => `/nodes/${name}`)]
}

/** The same for every call of a page. */
const READ_INIT = {
  method: 'GET',
  headers: { accept: 'application/json', 'x-request-from': 'internal' },
  credentials: 'include',
} as const satisfies RequestInit

declare global {
  interface Window {
    earlyCalls?: Map<string, Promise<Response>>
  }
}

/** @param origin the API's, without a trailing slash; empty for the page's own */
export function startEarlyCalls(origin: string, path: string, workspaceId?: string): void {
  const headers = { ...READ_INIT.headers, ...(workspaceId && { 'X-Workspace-Id': workspaceId }) }
  const urls = firstCalls(path).map((call) => `${origin}/api/v1${call}`)
  window.earlyCalls = new Map(urls.map((url) => [url, fetch(url, { ...READ_INIT, headers })]))
  // Whoever takes the call sees its failure.
  for (const call of window.earlyCalls.values()) call.catch(() => {})
}

/** Returns each call once. */
export function takeEarlyCall(url: string): Promise<Response> | undefined {
  const call = window.earlyCalls?.get(url)
  window.earlyCalls?.delete(url)
  return call
}

/** Drops the calls of a session that has ended or was renewed. */
export function dropEarlyCalls(): void {
  window.earlyCalls?.clear()
}
