/** A runtime and context of the interpreter, with the handles to free. */
import type { QuickJSHandle, VmCallResult } from 'quickjs-emscripten-core'
import type { Engine } from './engines.ts'
import type { SandboxLimits } from './limits.ts'
import { createMeter } from './meter.ts'
import { DESCRIBE_SOURCE } from './prelude.ts'

/** An error of the function, or a limit it exceeded. The message is for its author. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

export const TOO_LONG =
  'Custom function ran too long and was stopped. Look for an endless loop, or do less work in one step.'
const TOO_MUCH = 'Custom function needed too much memory, or nested too deeply, and was stopped.'
const OUT_OF_LIMITS = /^InternalError: (out of memory|stack overflow|string too long)/
/** Maximum charge that can't underflow the 32-bit fuel counter. */
const MOST_TURNS = 1e9
/** Small enough to check the clock in time. */
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

  /** Runs work in the interpreter. A host error is a stack overflow of V8 or a trap. */
  const runInside = <T>(work: () => T): T => {
    try {
      return meter.enter(work)
    } catch (error) {
      throw stop(meter.isSpent() ? TOO_LONG : TOO_MUCH, error)
    } finally {
      if (meter.isSpent()) isSound = false
    }
  }

  /** Runs work in the interpreter that returns a value. */
  const enter = (work: () => VmCallResult<QuickJSHandle>): QuickJSHandle => {
    const result = runInside(work)
    const handle = keep(result.error ?? result.value)
    if (meter.isSpent()) throw stop(TOO_LONG)
    if (result.error) throw errorOf(handle)
    return handle
  }

  /** Converts the guest's error to one for people. */
  const errorOf = (error: QuickJSHandle): SandboxError => {
    const describe = runInside(() => context.evalCode(DESCRIBE_SOURCE, 'describe.js'))
    if (describe.error) return stop(TOO_MUCH)
    const result = runInside(() => context.callFunction(keep(describe.value), context.undefined, error))
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
    /** Charges the run's remaining fuel. */
    charge(turns: number) {
      fuel.value -= Math.min(turns, MOST_TURNS)
    },
    /** Runs pending jobs. Stops at the first job that was interrupted. */
    drainJobs() {
      while (runtime.hasPendingJob() && !meter.isSpent()) {
        const jobs = runInside(() => runtime.executePendingJobs(JOBS_AT_ONCE))
        meter.interrupts()
        if (jobs.error) throw stop(meter.isSpent() ? TOO_LONG : TOO_MUCH)
      }
      if (meter.isSpent()) throw stop(TOO_LONG)
    },
    text: (value: string) => keep(context.newString(value)),
    property: (object: QuickJSHandle, name: string) => keep(context.getProp(object, name)),
    /** Frees everything. Returns true if the instance can serve another run, false if it hit a limit. */
    close(): boolean {
      if (!isSound || hasGrown()) return false
      for (const handle of handles) handle.dispose()
      context.dispose()
      runtime.dispose()
      return true
    },
  }
}
