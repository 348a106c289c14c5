/** The `fetch` of custom functions: text only, through egress, with a limited number of requests. */
import type { Egress } from '../types.ts'
import type { SandboxLimits } from './limits.ts'
import type { Pending } from './pending.ts'

interface GuestRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

interface HostFetchConfig {
  pending: Pending
  egress: Egress
  limits: SandboxLimits
  signal: AbortSignal
  beforeEffect: (() => Promise<void>) | undefined
}

/** The host side of `fetch`: takes the request as JSON and returns a guest promise of the response as JSON. */
export function createHostFetch({ pending, egress, limits, signal, beforeEffect }: HostFetchConfig) {
  const egressLimits = { maxBytes: limits.fetchBytes, timeoutMs: limits.wallMs }
  let count = 0

  const send = async ({ url, ...init }: GuestRequest): Promise<string> => {
    if (!isRead(init.method)) await beforeEffect?.()
    const response = await egress.fetch(url, { ...init, signal }, egressLimits)
    const { status, statusText } = response
    return JSON.stringify({ status, statusText, headers: [...response.headers], body: await response.text() })
  }

  return (json: string) => {
    if (++count > limits.fetches) throw new Error(`fetch: a custom function may make ${limits.fetches} requests`)
    return pending.promiseOf(send(JSON.parse(json)))
  }
}

const isRead = (method = 'GET') => /^(get|head)$/i.test(method)
