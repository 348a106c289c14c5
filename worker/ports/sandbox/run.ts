/** One run of a custom function. */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { startDeadline } from '../deadline.ts'
import type { Egress, SandboxRequest, SandboxResult } from '../types.ts'
import { createHostFetch } from './fetch.ts'
import { type Guest, SandboxError, TOO_LONG } from './guest.ts'
import type { SandboxLimits } from './limits.ts'
import { createPending, type Pending } from './pending.ts'
import { consoleSource, FETCH_SOURCE, NODE_NAMES, NODE_SOURCE } from './prelude.ts'

const NEVER_ENDS = 'Custom function waits for something that never happens. Look for a promise that nothing resolves.'

export interface RunConfig {
  guest: Guest
  egress: Egress
  limits: SandboxLimits
}

/** @throws SandboxError when the function failed or a limit stopped it, the signal's reason when the caller gave up */
export async function runInGuest(config: RunConfig, request: SandboxRequest): Promise<SandboxResult> {
  const { guest, limits } = config
  const deadline = startDeadline(limits.wallMs, () => new SandboxError(TOO_LONG), request.signal)
  const ended = new AbortController()
  const pending = createPending(guest.context)
  try {
    const json = guest.property(guest.context.global, 'JSON')
    const stringify = guest.property(json, 'stringify')
    setGlobals(guest, guest.property(json, 'parse'), request.globals)
    const signal = AbortSignal.any([deadline.signal, ended.signal])
    const lines = await openSurroundings({ ...config, pending, signal }, request)

    const promise = guest.evaluate(`(async () => {\n${request.code}\n})()`, 'function.js')
    const value = await settle({ guest, pending, promise, signal: deadline.signal })
    const read = (handle: QuickJSHandle) => readText(guest, guest.call(stringify, handle), limits)
    return { value: isNothing(guest, value) ? undefined : read(value), logs: lines ? (read(lines) as string[]) : [] }
  } finally {
    deadline.clear()
    // Gives up what is still under way.
    ended.abort()
    pending.end()
  }
}

interface Settling {
  guest: Guest
  pending: Pending
  promise: QuickJSHandle
  signal: AbortSignal
}

/** Runs the guest's jobs, and waits for the host's answers between them, until the promise has a value. */
async function settle({ guest, pending, promise, signal }: Settling): Promise<QuickJSHandle> {
  for (;;) {
    signal.throwIfAborted()
    pending.deliver()
    guest.drainJobs()
    const state = guest.context.getPromiseState(promise)
    if (state.type === 'fulfilled') return state.notAPromise ? promise : guest.keep(state.value)
    if (state.type === 'rejected') throw guest.errorOf(guest.keep(state.error))
    if (!pending.isWaiting()) throw new SandboxError(NEVER_ENDS)
    await pending.next()
  }
}

/** Read before the function's code runs, so that it cannot replace what the host uses. */
function setGlobals(guest: Guest, parse: QuickJSHandle, globals: Record<string, unknown>): void {
  const assign = guest.property(guest.property(guest.context.global, 'Object'), 'assign')
  const data = JSON.stringify(globals, (_name, value) => (value === undefined ? null : value))
  guest.call(assign, guest.context.global, guest.call(parse, guest.text(data)))
}

interface Surroundings extends RunConfig {
  pending: Pending
  signal: AbortSignal
}

/** @returns the lines that `console` will collect, when the code names it */
async function openSurroundings(around: Surroundings, { code, beforeEffect }: SandboxRequest) {
  const { guest, limits } = around
  const usesNode = NODE_NAMES.test(code)
  if (usesNode) await openNode(around, code)
  if (usesNode || code.includes('fetch')) {
    const hostFetch = guest.keep(createHostFetch({ ...around, context: guest.context, beforeEffect }))
    guest.call(guest.evaluate(FETCH_SOURCE, 'fetch.js'), hostFetch)
  }
  return code.includes('console') ? guest.evaluate(consoleSource(limits), 'console.js') : undefined
}

/** Installs `require` and what else Node has. Its texts are loaded when a function first asks for them. */
async function openNode({ guest, ...around }: Surroundings, code: string): Promise<void> {
  const { createNodeHost } = await import('./node-host.ts')
  const functions = createNodeHost({ ...around, context: guest.context, charge: guest.charge })
  const host = guest.keep(guest.context.newObject())
  for (const [name, handle] of Object.entries(functions)) guest.context.setProp(host, name, guest.keep(handle))
  const installIntl = guest.call(guest.evaluate(NODE_SOURCE, 'node.js'), host)
  if (code.includes('toLocale')) guest.call(installIntl)
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
