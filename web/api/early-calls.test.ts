import { afterEach, expect, it, vi } from 'vitest'
import { dropEarlyCalls, firstCalls, startEarlyCalls, takeEarlyCall } from './early-calls.ts'

afterEach(() => vi.unstubAllGlobals())

function startOn(path: string, origin = '') {
  const fetch = vi.fn(async (url: string) => new Response(url))
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetch)
  startEarlyCalls(origin, path)
  return fetch
}

it.each([
  ['/app', ['/settings']],
  ['/v2/agentcanvas', ['/settings', '/nodes']],
  ['/v2/agentcanvas/a-1', ['/settings', '/chatflows/a-1', '/chatflows/a-1/components']],
  ['/canvas', ['/settings', '/nodes']],
  ['/canvas/c-1', ['/settings', '/chatflows/c-1', '/chatflows/c-1/components']],
  ['/chatbot/c-1', []],
  ['/v2/agentcanvas/a/../../auth', ['/settings']],
])('%s first calls %j', (path, calls) => {
  expect(firstCalls(path)).toEqual(calls)
})

it('answers a call once with the response that was asked for early', async () => {
  const fetch = startOn('/app', 'https://api.example.com')
  expect(fetch).toHaveBeenCalledTimes(1)
  const url = 'https://api.example.com/api/v1/settings'
  expect(await (await takeEarlyCall(url))?.text()).toBe(url)
  expect(takeEarlyCall(url)).toBeUndefined()
})

it('forgets early responses when the session changes', () => {
  startOn('/v2/agentcanvas')
  dropEarlyCalls()
  expect(takeEarlyCall('/api/v1/nodes')).toBeUndefined()
})

it('names the workspace that the page is about to show', () => {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async (url) => new Response(url))
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetch)
  startEarlyCalls('', '/canvas', 'w1')
  expect(fetch.mock.calls.map(([, init]) => new Headers(init.headers).get('x-workspace-id'))).toEqual(['w1', 'w1'])
})
