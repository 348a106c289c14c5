import { afterEach, expect, it, vi } from 'vitest'
import { drawnAgentflow } from '#contract/flow/kinds/agentflow/drawn.ts'
import { drawnChatflow } from '#contract/flow/kinds/chatflow/drawn.ts'
import { firstComponents } from './components.ts'
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
  ['/v2/agentcanvas', ['/settings', '/nodes/startAgentflow', '/nodes/agentAgentflow', '/nodes/practiceModel']],
  ['/v2/agentcanvas/a-1', ['/settings', '/chatflows/a-1', '/chatflows/a-1/components']],
  ['/canvas', ['/settings', '/nodes/practiceModel', '/nodes/bufferMemory', '/nodes/conversationChain']],
  ['/canvas/c-1', ['/settings', '/chatflows/c-1', '/chatflows/c-1/components']],
  ['/chatbot/c-1', []],
  ['/v2/agentcanvas/a/../../auth', ['/settings']],
])('%s first calls %j', (path, calls) => {
  expect(firstCalls(path)).toEqual(calls)
})

it.each([
  ['/v2/agentcanvas', drawnAgentflow],
  ['/canvas', drawnChatflow],
])('asks early for all that a new flow of %s is drawn with', (path, kind) => {
  const asked = firstCalls(path).slice(1)
  expect(asked.toSorted()).toEqual(
    firstComponents(kind)
      .map((name) => `/nodes/${name}`)
      .toSorted(),
  )
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
  expect(takeEarlyCall('/api/v1/nodes/practiceModel')).toBeUndefined()
})

it('names the workspace that the page is about to show', () => {
  const fetch = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async (url) => new Response(url))
  vi.stubGlobal('window', {})
  vi.stubGlobal('fetch', fetch)
  startEarlyCalls('', '/canvas', 'w1')
  expect(fetch.mock.calls.map(([, init]) => new Headers(init.headers).get('x-workspace-id'))).toEqual([
    'w1',
    'w1',
    'w1',
    'w1',
  ])
})
