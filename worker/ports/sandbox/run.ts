/** One run of a custom function. */
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { startDeadline } from '../deadline.ts'
import type { Egress, SandboxRequest, SandboxResult } from '../types.ts'
import { createHostFetch } from './fetch.ts'
import { type Guest, SandboxError, TOO_LONG } from './guest.ts'
import type { SandboxLimits } from './limits.ts'
import { createPending, type Pending } from './pending.ts'
import { NODE_NAMES } from './prelude.ts'

const NEVER_ENDS = 'Custom function waits for a promise that never resolves. Check that every promise is resolved.'

interface RunConfig {
  guest: Guest
  egress: Egress
  limits: SandboxLimits
}

/** Returns the result. @throws SandboxError when the function fails or exceeds a limit, or the signal's reason when it aborts */
export async function runInGuest(config: RunConfig, request: SandboxRequest): Promise<SandboxResult> {
  const { guest } = config
  request.signal?.throwIfAborted()
  guest.begin()
  await setGlobals(guest, request.globals)
  const usesNode = NODE_NAMES.test(request.code)
  if (usesNode || request.code.includes('fetch')) return runWithHost(config, { ...request, usesNode })
  const lines = await openConsole(guest, request)
  try {
    const promise = await evaluate(guest, request)
    await guest.drainJobs()
    const value = await settled(guest, promise)
    if (!value) throw new SandboxError(NEVER_ENDS)
    return await readResult(config, value, lines)
  } catch (error) {
    throw await withLogs(error, config, lines)
  }
}

/** Runs a function that may wait for the host. */
async function runWithHost(config: RunConfig, request: SandboxRequest & { usesNode: boolean }): Promise<SandboxResult> {
  const { guest, limits } = config
  const deadline = startDeadline(limits.wallMs, () => new SandboxError(TOO_LONG), request.signal)
  const ended = new AbortController()
  const pending = createPending(guest.context)
  const signal = AbortSignal.any([deadline.signal, ended.signal])
  try {
    if (request.usesNode) await openNode({ ...config, pending, signal }, request.code)
    guest.provide({ fetch: createHostFetch({ ...config, pending, signal, beforeEffect: request.beforeEffect }) })
    await guest.call(guest.prelude.openFetch, guest.hostObject)
    const lines = await openConsole(guest, request)
    try {
      const promise = await evaluate(guest, request)
      const value = await settle({ guest, pending, promise, signal: deadline.signal })
      return await readResult(config, value, lines)
    } catch (error) {
      throw await withLogs(error, config, lines)
    }
  } finally {
    deadline.clear()
    // Cancels pending host work.
    ended.abort()
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
    await guest.drainJobs()
    const value = await settled(guest, promise)
    if (value) return value
    if (!pending.isWaiting()) throw new SandboxError(NEVER_ENDS)
    await pending.next()
  }
}

function evaluate(guest: Guest, { code }: SandboxRequest): Promise<QuickJSHandle> {
  return guest.evaluate(`(async () => {\n${code}\n})()`, 'function.js')
}

/** Returns the promise's value, or undefined while there is none. @throws SandboxError when it is rejected */
async function settled(guest: Guest, promise: QuickJSHandle): Promise<QuickJSHandle | undefined> {
  const state = guest.context.getPromiseState(promise)
  if (state.type === 'rejected') throw await guest.errorOf(state.error)
  if (state.type === 'pending') return undefined
  return state.notAPromise ? promise : state.value
}

/** Sets globals before the function runs. */
async function setGlobals(guest: Guest, globals: Record<string, unknown>): Promise<void> {
  const data = JSON.stringify(globals, (_name, value) => (value === undefined ? null : value))
  if (data !== '{}') await guest.call(guest.prelude.setGlobals, guest.text(data))
}

/** Returns the lines of `console`, if the code mentions it. */
async function openConsole(guest: Guest, { code }: SandboxRequest): Promise<QuickJSHandle | undefined> {
  return code.includes('console') ? await guest.call(guest.prelude.openConsole) : undefined
}

interface GuestEnvironment extends RunConfig {
  pending: Pending
  signal: AbortSignal
}

/** Installs `require` and Node's globals, loading their sources on first use. */
async function openNode({ guest, ...environment }: GuestEnvironment, code: string): Promise<void> {
  const { createNodeHost } = await import('./node-host.ts')
  guest.provide(createNodeHost({ ...environment, charge: guest.charge }))
  const installIntl = await guest.call(guest.prelude.openNode, guest.hostObject)
  if (code.includes('toLocale')) await guest.call(installIntl)
}

async function readResult(
  config: RunConfig,
  value: QuickJSHandle,
  lines: QuickJSHandle | undefined,
): Promise<SandboxResult> {
  const result = isNothing(config.guest, value) ? undefined : await readValue(config, value)
  return { value: result, logs: await readLines(config, lines) }
}

async function readLines(config: RunConfig, lines: QuickJSHandle | undefined): Promise<string[]> {
  return lines ? ((await readValue(config, lines)) as string[]) : []
}

async function readValue({ guest, limits }: RunConfig, handle: QuickJSHandle): Promise<unknown> {
  return readText(guest, await guest.call(guest.prelude.stringify, handle), limits)
}

/** Adds the logged lines to the function's error. After a limit the interpreter can't be asked for them. */
async function withLogs(error: unknown, config: RunConfig, lines: QuickJSHandle | undefined): Promise<unknown> {
  if (!(error instanceof SandboxError) || !config.guest.isSound()) return error
  error.logs = await readLines(config, lines)
  return error
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
  if (!text.includes('__proto__')) return JSON.parse(text)
  return JSON.parse(text, (key, entry) => (key === '__proto__' ? undefined : entry))
}
