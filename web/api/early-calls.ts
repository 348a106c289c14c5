/** API calls that start with the page itself, before its scripts have arrived. */

/** What a new flow is drawn with, by the path of its canvas: small parts of a large catalogue. */
const FIRST_COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  'v2/agentcanvas': ['startAgentflow', 'agentAgentflow', 'practiceModel'],
  canvas: ['practiceModel', 'bufferMemory', 'conversationChain'],
}

/** Returns the paths below /api/v1 that a page asks for first. */
export function firstCalls(path: string): string[] {
  // The chat page asks as a stranger does, of its flow only. A call that nobody takes would never end.
  if (path.startsWith('/chatbot/')) return []
  const [, canvas, flowId] = /^\/(v2\/agentcanvas|canvas)(?:\/([\w-]+))?$/.exec(path) ?? []
  if (flowId) return ['/settings', `/chatflows/${flowId}`, `/chatflows/${flowId}/components`]
  const first = canvas ? FIRST_COMPONENTS[canvas] : undefined
  return ['/settings', ...(first ?? []).map((name) => `/nodes/${name}`)]
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
