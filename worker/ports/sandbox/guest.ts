/** A runtime and context of the interpreter, reset after each run. */
import type { QuickJSHandle, VmCallResult } from 'quickjs-emscripten-core'
import type { Engine } from './engines.ts'
import type { SandboxLimits } from './limits.ts'
import { createMeter } from './meter.ts'
import { HOST_FUNCTIONS, PRELUDE_FUNCTIONS, preludeSource } from './prelude.ts'
import { findRandomState, reseed, restore, takeSnapshot } from './snapshot.ts'

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

/** Functions of the host by name. They take text and return text, or a promise of the guest. */
export type HostFunctions = Partial<Record<(typeof HOST_FUNCTIONS)[number], (text: string) => string | QuickJSHandle>>

export type Guest = ReturnType<typeof openGuest>

/** Opens a guest whose memory is restored by `reset`, so handles are never disposed of. */
export function openGuest({ quickjs, memory, fuel, hasGrown }: Engine, limits: SandboxLimits) {
  let meter = createMeter(fuel, limits)
  let isSound = true
  let host: HostFunctions = {}
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: limits.memoryBytes,
    maxStackSizeBytes: limits.stackBytes,
    interruptHandler: () => meter.interrupts(),
  })
  const context = runtime.newContext()

  const stop = (message: string, cause?: unknown): SandboxError => {
    isSound = false
    return new SandboxError(message, { cause })
  }

  /** Runs work in the interpreter. A host error is a stack overflow of V8 or a trap. */
  const runInside = <T>(work: () => T): T => {
    try {
      return meter.enter(work)
    } catch (cause) {
      throw stop(meter.isSpent() ? TOO_LONG : TOO_MUCH, cause)
    } finally {
      if (meter.isSpent()) isSound = false
    }
  }

  /** Runs work in the interpreter that returns a value. */
  const enter = (work: () => VmCallResult<QuickJSHandle>): QuickJSHandle => {
    const result = runInside(work)
    if (meter.isSpent()) throw stop(TOO_LONG)
    if (result.error) throw errorOf(result.error)
    return result.value
  }

  /** Converts the guest's error to one for people. */
  const errorOf = (error: QuickJSHandle): SandboxError => {
    const result = runInside(() => context.callFunction(prelude.describe, context.undefined, error))
    if (meter.isSpent()) return stop(TOO_LONG)
    const told = result.error ? '' : context.getString(result.value)
    return told === '' || OUT_OF_LIMITS.test(told) ? stop(TOO_MUCH) : new SandboxError(told)
  }

  const evaluate = (code: string, file: string) => enter(() => context.evalCode(code, file))
  const call = (fn: QuickJSHandle, ...args: QuickJSHandle[]) =>
    enter(() => context.callFunction(fn, context.undefined, ...args))

  /** Passes calls on to the host functions of the current run. */
  const hostObject = context.newObject()
  for (const name of HOST_FUNCTIONS) {
    const relay = context.newFunction(name, (argument) => {
      const answer = host[name]?.(context.getString(argument)) ?? ''
      return typeof answer === 'string' ? context.newString(answer) : answer
    })
    context.setProp(hostObject, name, relay)
  }
  const exported = context.unwrapResult(meter.enter(() => context.evalCode(preludeSource(limits), 'prelude.js')))
  const prelude = Object.fromEntries(
    PRELUDE_FUNCTIONS.map((name) => [name, context.getProp(exported, name)]),
  ) as Record<(typeof PRELUDE_FUNCTIONS)[number], QuickJSHandle>
  const snapshot = takeSnapshot(memory)
  call(prelude.random)
  const randomState = findRandomState(memory, snapshot)
  restore(memory, snapshot)

  return {
    context,
    prelude,
    hostObject,
    errorOf,
    evaluate,
    call,
    text: (value: string) => context.newString(value),
    /** Begins a run with the full limits. */
    begin() {
      meter = createMeter(fuel, limits)
      reseed(memory, randomState)
    },
    provide(functions: HostFunctions) {
      host = { ...host, ...functions }
    },
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
    /** Forgets the run. Returns false if it hit a limit, after which the instance must not be used again. */
    reset(): boolean {
      host = {}
      if (!isSound || hasGrown()) return false
      restore(memory, snapshot)
      return true
    },
  }
}
