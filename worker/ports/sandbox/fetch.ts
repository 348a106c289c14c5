/** The `fetch` of custom functions: text in, text out, through egress, counted. */
import type { QuickJSContext, QuickJSDeferredPromise } from 'quickjs-emscripten-core'
import type { Egress } from '../types.ts'
import type { SandboxLimits } from './limits.ts'

interface GuestRequest {
  url: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

type Settled = { deferred: QuickJSDeferredPromise } & ({ text: string } | { error: string })

export interface HostFetchConfig {
  context: QuickJSContext
  egress: Egress
  limits: SandboxLimits
  signal: AbortSignal
  beforeEffect: (() => Promise<void>) | undefined
}

export type HostFetch = ReturnType<typeof createHostFetch>

/** Answers arrive at any time; the interpreter is entered only by `deliver`, which the run calls on its own turn. */
export function createHostFetch({ context, egress, limits, signal, beforeEffect }: HostFetchConfig) {
  const settled: Settled[] = []
  const unsettled = new Set<QuickJSDeferredPromise>()
  const waiting = new Set<Promise<unknown>>()
  const ended = new AbortController()
  const egressLimits = { maxBytes: limits.fetchBytes, timeoutMs: limits.wallMs }
  let count = 0

  const send = async ({ url, ...init }: GuestRequest): Promise<string> => {
    if (!isRead(init.method)) await beforeEffect?.()
    const response = await egress.fetch(url, { ...init, signal: AbortSignal.any([signal, ended.signal]) }, egressLimits)
    const { status, statusText } = response
    return JSON.stringify({ status, statusText, headers: [...response.headers], body: await response.text() })
  }

  const start = (request: GuestRequest): QuickJSDeferredPromise => {
    if (++count > limits.fetches) throw new Error(`fetch: a custom function may make ${limits.fetches} requests`)
    const deferred = context.newPromise()
    unsettled.add(deferred)
    const work = send(request).then(
      (text) => settled.push({ deferred, text }),
      (error) => settled.push({ deferred, error: error instanceof Error ? error.message : String(error) }),
    )
    waiting.add(work)
    void work.then(() => waiting.delete(work))
    return deferred
  }

  return {
    /** The host's side of `fetch`: takes the request as JSON, answers a promise of the answer as JSON. */
    open: () => context.newFunction('fetch', (json) => start(JSON.parse(context.getString(json))).handle),
    isWaiting: () => waiting.size > 0,
    /** Resolves when something can be delivered. */
    next: () => Promise.race(waiting),
    deliver() {
      for (const answer of settled.splice(0)) {
        const { deferred } = answer
        if ('text' in answer) context.newString(answer.text).consume((text) => deferred.resolve(text))
        else context.newError({ name: 'Error', message: answer.error }).consume((error) => deferred.reject(error))
        unsettled.delete(deferred)
        deferred.dispose()
      }
    },
    /** Gives up what is still under way. */
    end() {
      if (waiting.size > 0) ended.abort()
      for (const deferred of unsettled) deferred.dispose()
    },
  }
}

const isRead = (method = 'GET') => /^(get|head)$/i.test(method)
