/** One run of a custom function. */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { startDeadline } from '../deadline.ts'
import type { Egress, SandboxRequest, SandboxResult } from '../types.ts'
import { createHostFetch, type HostFetch } from './fetch.ts'
import { type Guest, SandboxError, TOO_LONG } from './guest.ts'
import type { SandboxLimits } from './limits.ts'
import { consoleSource, FETCH_SOURCE, REQUIRE_SOURCE } from './prelude.ts'

const NEVER_ENDS = 'Custom function waits for something that never happens. Look for a promise that nothing resolves.'

export interface RunConfig {
  guest: Guest
  egress: Egress
  limits: SandboxLimits
}

/** @throws SandboxError when the function failed or a limit stopped it, the signal's reason when the caller gave up */
export async function runInGuest(config: RunConfig, request: SandboxRequest): Promise<SandboxResult> {
  const { guest, egress, limits } = config
  const deadline = startDeadline(limits.wallMs, () => new SandboxError(TOO_LONG), request.signal)
  const { beforeEffect } = request
  const host = createHostFetch({ context: guest.context, egress, limits, signal: deadline.signal, beforeEffect })
  try {
    const json = guest.property(guest.context.global, 'JSON')
    const stringify = guest.property(json, 'stringify')
    setGlobals(guest, guest.property(json, 'parse'), request.globals)
    const lines = openSurroundings({ guest, host, limits, code: request.code })

    const promise = guest.evaluate(`(async () => {\n${request.code}\n})()`, 'function.js')
    const value = await settle({ guest, host, promise, signal: deadline.signal })
    const read = (handle: QuickJSHandle) => readText(guest, guest.call(stringify, handle), limits)
    return { value: isNothing(guest, value) ? undefined : read(value), logs: lines ? (read(lines) as string[]) : [] }
  } finally {
    deadline.clear()
    host.end()
  }
}

interface Settling {
  guest: Guest
  host: HostFetch
  promise: QuickJSHandle
  signal: AbortSignal
}

/** Runs the guest's jobs, and waits for the host's answers between them, until the promise has a value. */
async function settle({ guest, host, promise, signal }: Settling): Promise<QuickJSHandle> {
  for (;;) {
    signal.throwIfAborted()
    host.deliver()
    guest.drainJobs()
    const state = guest.context.getPromiseState(promise)
    if (state.type === 'fulfilled') return state.notAPromise ? promise : guest.keep(state.value)
    if (state.type === 'rejected') throw guest.errorOf(guest.keep(state.error))
    if (!host.isWaiting()) throw new SandboxError(NEVER_ENDS)
    await host.next()
  }
}

/** Read before the function's code runs, so that it cannot replace what the host uses. */
function setGlobals(guest: Guest, parse: QuickJSHandle, globals: Record<string, unknown>): void {
  const assign = guest.property(guest.property(guest.context.global, 'Object'), 'assign')
  const data = JSON.stringify(globals, (_name, value) => (value === undefined ? null : value))
  guest.call(assign, guest.context.global, guest.call(parse, guest.text(data)))
}

interface Surroundings {
  guest: Guest
  host: HostFetch
  limits: SandboxLimits
  code: string
}

/** @returns the lines that `console` will collect, when the code names it */
function openSurroundings({ guest, host, limits, code }: Surroundings): QuickJSHandle | undefined {
  if (code.includes('require')) guest.evaluate(REQUIRE_SOURCE, 'require.js')
  if (code.includes('fetch')) guest.call(guest.evaluate(FETCH_SOURCE, 'fetch.js'), guest.keep(host.open()))
  return code.includes('console') ? guest.evaluate(consoleSource(limits), 'console.js') : undefined
}

function isNothing({ context }: Guest, value: QuickJSHandle): boolean {
  const type = context.typeof(value)
  if (type === 'function' || type === 'symbol')
    throw new SandboxError(`Custom function returned a ${type}. Return text, a number, a list or an object.`)
  return type === 'undefined'
}

/** Plain data only: a key that would reach for a prototype is left out. */
function readText({ context }: Guest, handle: QuickJSHandle, { outputChars }: SandboxLimits): unknown {
  const text = context.typeof(handle) === 'string' ? context.getString(handle) : 'null'
  if (text.length > outputChars) throw new SandboxError(`Custom function returned more than ${outputChars} characters.`)
  return JSON.parse(text, (key, entry) => (key === '__proto__' ? undefined : entry))
}
