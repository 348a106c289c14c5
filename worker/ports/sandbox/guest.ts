/** One runtime and context of the interpreter, and the bookkeeping of what must be freed with it. */
import type { QuickJSHandle, VmCallResult } from 'quickjs-emscripten-core'
import type { Engine } from './engines.ts'
import type { SandboxLimits } from './limits.ts'
import { createMeter } from './meter.ts'
import { DESCRIBE_SOURCE } from './prelude.ts'

/** The function's own mistake, or a limit it ran into; the message is for the person who wrote it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

export const TOO_LONG =
  'Custom function ran too long and was stopped. Look for an endless loop, or do less work in one step.'
const TOO_MUCH = 'Custom function needed too much memory, or nested too deeply, and was stopped.'
const OUT_OF_LIMITS = /^InternalError: (out of memory|stack overflow|string too long)/
/** What a fuel counter of 32 bits can lose without turning positive. */
const MOST_TURNS = 1e9
/** Few enough that the clock is asked in time. */
const JOBS_AT_ONCE = 100

export type Guest = ReturnType<typeof openGuest>

export function openGuest({ quickjs, fuel, hasGrown }: Engine, limits: SandboxLimits) {
  const meter = createMeter(fuel, limits)
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: limits.memoryBytes,
    maxStackSizeBytes: limits.stackBytes,
    interruptHandler: meter.interrupts,
  })
  const context = runtime.newContext()
  const handles: QuickJSHandle[] = []
  let isSound = true

  const keep = (handle: QuickJSHandle): QuickJSHandle => {
    handles.push(handle)
    return handle
  }

  const stop = (message: string, cause?: unknown): SandboxError => {
    isSound = false
    return new SandboxError(message, { cause })
  }

  /** One stay in the interpreter. A host error that comes out of it is V8's own stack overflow or a trap. */
  const stay = <T>(work: () => T): T => {
    try {
      return meter.enter(work)
    } catch (cause) {
      throw stop(meter.isSpent() ? TOO_LONG : TOO_MUCH, cause)
    } finally {
      if (meter.isSpent()) isSound = false
    }
  }

  /** A stay that ends in a value. */
  const enter = (work: () => VmCallResult<QuickJSHandle>): QuickJSHandle => {
    const result = stay(work)
    const handle = keep(result.error ?? result.value)
    if (meter.isSpent()) throw stop(TOO_LONG)
    if (result.error) throw errorOf(handle)
    return handle
  }

  /** The guest's error for a person. */
  const errorOf = (error: QuickJSHandle): SandboxError => {
    const describe = stay(() => context.evalCode(DESCRIBE_SOURCE, 'describe.js'))
    if (describe.error) return stop(TOO_MUCH)
    const result = stay(() => context.callFunction(keep(describe.value), context.undefined, error))
    if (meter.isSpent()) return stop(TOO_LONG)
    const told = result.error ? '' : context.getString(keep(result.value))
    return told === '' || OUT_OF_LIMITS.test(told) ? stop(TOO_MUCH) : new SandboxError(told)
  }

  return {
    context,
    keep,
    errorOf,
    evaluate: (code: string, file: string) => enter(() => context.evalCode(code, file)),
    call: (fn: QuickJSHandle, ...args: QuickJSHandle[]) =>
      enter(() => context.callFunction(fn, context.undefined, ...args)),
    /** Takes from what the run may still compute. */
    charge(turns: number) {
      fuel.value -= Math.min(turns, MOST_TURNS)
    },
    /** Runs what promises have made ready. A job that was stopped must not be followed by the next. */
    drainJobs() {
      while (runtime.hasPendingJob() && !meter.isSpent()) {
        const jobs = stay(() => runtime.executePendingJobs(JOBS_AT_ONCE))
        meter.interrupts()
        if (jobs.error) throw stop(meter.isSpent() ? TOO_LONG : TOO_MUCH)
      }
      if (meter.isSpent()) throw stop(TOO_LONG)
    },
    text: (value: string) => keep(context.newString(value)),
    property: (object: QuickJSHandle, name: string) => keep(context.getProp(object, name)),
    /** Frees everything. @returns whether the instance can serve another run: one that hit a limit cannot. */
    close(): boolean {
      if (!isSound || hasGrown()) return false
      for (const handle of handles) handle.dispose()
      context.dispose()
      runtime.dispose()
      return true
    },
  }
}
