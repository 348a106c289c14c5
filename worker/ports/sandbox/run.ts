/** One run of a custom function. */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { startDeadline } from '../deadline.ts'
import type { Egress, SandboxRequest, SandboxResult } from '../types.ts'
import { createHostFetch } from './fetch.ts'
import { type Guest, SandboxError, TOO_LONG } from './guest.ts'
import type { SandboxLimits } from './limits.ts'
import { createPending, type Pending } from './pending.ts'
import { consoleSource, FETCH_SOURCE, NODE_NAMES, NODE_SOURCE } from './prelude.ts'

const NEVER_ENDS = 'Custom function waits for a promise that never resolves. Check that every promise is resolved.'

export interface RunConfig {
  guest: Guest
  egress: Egress
  limits: SandboxLimits
}

/** Returns the result. @throws SandboxError when the function fails or exceeds a limit, or the signal's reason when it aborts */
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
    const lines = await installGlobals({ ...config, pending, signal }, request)

    const promise = guest.evaluate(`(async () => {\n${request.code}\n})()`, 'function.js')
    const value = await settle({ guest, pending, promise, signal: deadline.signal })
    const read = (handle: QuickJSHandle) => readText(guest, guest.call(stringify, handle), limits)
    return { value: isNothing(guest, value) ? undefined : read(value), logs: lines ? (read(lines) as string[]) : [] }
  } finally {
    deadline.clear()
    // Cancels pending host work.
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

/** Runs the guest's jobs and waits for host results in between, until the promise settles. */
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

/** Sets globals before the function runs, so that it can't replace the built-ins that the host uses. */
function setGlobals(guest: Guest, parse: QuickJSHandle, globals: Record<string, unknown>): void {
  const assign = guest.property(guest.property(guest.context.global, 'Object'), 'assign')
  const data = JSON.stringify(globals, (_name, value) => (value === undefined ? null : value))
  guest.call(assign, guest.context.global, guest.call(parse, guest.text(data)))
}

interface GuestEnvironment extends RunConfig {
  pending: Pending
  signal: AbortSignal
}

/** Installs the globals that the code mentions. Returns the lines of `console`, if it is used. */
async function installGlobals(environment: GuestEnvironment, { code, beforeEffect }: SandboxRequest) {
  const { guest, limits } = environment
  const usesNode = NODE_NAMES.test(code)
  if (usesNode) await openNode(environment, code)
  if (usesNode || code.includes('fetch')) {
    const hostFetch = guest.keep(createHostFetch({ ...environment, context: guest.context, beforeEffect }))
    guest.call(guest.evaluate(FETCH_SOURCE, 'fetch.js'), hostFetch)
  }
  return code.includes('console') ? guest.evaluate(consoleSource(limits), 'console.js') : undefined
}

/** Installs `require` and Node's globals, loading their sources on first use. */
async function openNode({ guest, ...environment }: GuestEnvironment, code: string): Promise<void> {
  const { createNodeHost } = await import('./node-host.ts')
  const functions = createNodeHost({ ...environment, context: guest.context, charge: guest.charge })
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

/** Reads plain data. Drops `__proto__` keys. */
function readText({ context }: Guest, handle: QuickJSHandle, { outputChars }: SandboxLimits): unknown {
  const text = context.typeof(handle) === 'string' ? context.getString(handle) : 'null'
  if (text.length > outputChars) throw new SandboxError(`Custom function returned more than ${outputChars} characters.`)
  return JSON.parse(text, (key, entry) => (key === '__proto__' ? undefined : entry))
}
