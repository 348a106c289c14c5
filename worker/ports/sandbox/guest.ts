/** A runtime and context of the interpreter, reset after each run. */
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule,
  VmCallResult,
} from 'quickjs-emscripten-core'
import type { SandboxLimits } from './limits.ts'
import { createMeter } from './meter.ts'
import { HOST_FUNCTIONS, PRELUDE_FUNCTIONS, preludeSource } from './prelude.ts'
import { findRandomState, reseed, restore, takeSnapshot } from './snapshot.ts'
import { callsInTurns, type Refueling } from './turn-taking.ts'

/** An error of the function, or a limit it exceeded. The message is for its author. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** What the function logged before it failed; nothing when it exceeded a limit. */
  logs: string[] = []
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

/** A WebAssembly instance of the interpreter. */
interface Engine {
  quickjs: QuickJSWASMModule
  memory: WebAssembly.Memory
  /** Decremented by every loop iteration in the interpreter, which asks for more below zero. */
  fuel: WebAssembly.Global
  refueling: Refueling
  /** Returns true if its memory has grown. Memory never shrinks, so such an instance is discarded. */
  hasGrown(): boolean
}

export type Guest = ReturnType<typeof openGuest>

/** Returns a guest object whose functions pass their calls on. */
function openHost(
  context: QuickJSContext,
  call: (name: (typeof HOST_FUNCTIONS)[number], text: string) => string | QuickJSHandle,
): QuickJSHandle {
  const host = context.newObject()
  for (const name of HOST_FUNCTIONS) {
    const relay = context.newFunction(name, (argument) => {
      const answer = call(name, context.getString(argument))
      return typeof answer === 'string' ? context.newString(answer) : answer
    })
    context.setProp(host, name, relay)
  }
  return host
}

function openPrelude(context: QuickJSContext, limits: SandboxLimits) {
  const exported = context.unwrapResult(context.evalCode(preludeSource(limits), 'prelude.js'))
  const entries = PRELUDE_FUNCTIONS.map((name) => [name, context.getProp(exported, name)])
  return Object.fromEntries(entries) as Record<(typeof PRELUDE_FUNCTIONS)[number], QuickJSHandle>
}

type Gate = ReturnType<typeof createGate>

/** The way into the interpreter, which counts time and fuel. */
function createGate(fuel: WebAssembly.Global, limits: SandboxLimits) {
  let meter = createMeter(fuel, limits)
  let isSound = true

  const stop = (message: string, cause?: unknown): SandboxError => {
    isSound = false
    return new SandboxError(message, { cause })
  }

  return {
    stop,
    /** Runs work in the interpreter without a pause. A host error is a stack overflow of V8 or a trap. */
    run<T>(work: () => T): T {
      return meter.pass(work)
    },
    /** Runs work in the interpreter that lets others go on in between. */
    async runInTurns<T>(work: () => Promise<T>): Promise<T> {
      try {
        return await meter.passInTurns(work)
      } catch (cause) {
        throw stop(meter.isSpent() ? TOO_LONG : TOO_MUCH, cause)
      } finally {
        if (meter.isSpent()) isSound = false
      }
    },
    refuel: () => meter.refuel(),
    pause: () => meter.pause(),
    cost: () => meter.cost(),
    /** Gives the next run the full limits. */
    renew() {
      meter = createMeter(fuel, limits)
    },
    interrupts: () => meter.interrupts(),
    isSpent: () => meter.isSpent(),
    /** False after a limit was hit. */
    isSound: () => isSound,
  }
}

/** Runs pending jobs. Stops at the first job that was interrupted. */
async function drainJobs(
  runtime: QuickJSRuntime,
  gate: Gate,
  runJobs: (max: number) => Promise<boolean>,
): Promise<void> {
  while (runtime.hasPendingJob() && !gate.isSpent()) {
    const isFine = await gate.runInTurns(() => runJobs(JOBS_AT_ONCE))
    gate.interrupts()
    if (!isFine) throw gate.stop(gate.isSpent() ? TOO_LONG : TOO_MUCH)
  }
  if (gate.isSpent()) throw gate.stop(TOO_LONG)
}

/** Opens a guest whose memory is restored by `reset`, so handles are never disposed of. */
export function openGuest({ quickjs, memory, fuel, refueling, hasGrown }: Engine, limits: SandboxLimits) {
  const gate = createGate(fuel, limits)
  Object.assign(refueling, { refuel: gate.refuel, pause: gate.pause })
  let host: HostFunctions = {}
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: limits.memoryBytes,
    maxStackSizeBytes: limits.stackBytes,
    interruptHandler: gate.interrupts,
  })
  const context = runtime.newContext()
  const calls = callsInTurns(quickjs, context, memory)

  /** Runs work in the interpreter that returns a value. */
  const enter = async (work: () => Promise<VmCallResult<QuickJSHandle>>): Promise<QuickJSHandle> => {
    const result = await gate.runInTurns(work)
    if (gate.isSpent()) throw gate.stop(TOO_LONG)
    if (result.error) throw await errorOf(result.error)
    return result.value
  }

  /** Converts the guest's error to one for people. */
  const errorOf = async (error: QuickJSHandle): Promise<SandboxError> => {
    const result = await gate.runInTurns(() => calls.call(prelude.describe, [error]))
    if (gate.isSpent()) return gate.stop(TOO_LONG)
    const told = result.error ? '' : context.getString(result.value)
    return told === '' || OUT_OF_LIMITS.test(told) ? gate.stop(TOO_MUCH) : new SandboxError(told)
  }

  const call = (fn: QuickJSHandle, ...args: QuickJSHandle[]) => enter(() => calls.call(fn, args))

  const hostObject = openHost(context, (name, text) => host[name]?.(text) ?? '')
  const prelude = gate.run(() => openPrelude(context, limits))
  const snapshot = takeSnapshot(memory)
  gate.run(() => context.callFunction(prelude.random, context.undefined))
  const randomState = findRandomState(memory, snapshot)
  restore(memory, snapshot)

  return {
    context,
    prelude,
    hostObject,
    errorOf,
    evaluate: (code: string, file: string) => enter(() => calls.evaluate(code, file)),
    call,
    text: (value: string) => context.newString(value),
    drainJobs: () => drainJobs(runtime, gate, calls.runJobs),
    /** Begins a run with the full limits. */
    begin() {
      gate.renew()
      reseed(memory, randomState)
    },
    provide(functions: HostFunctions) {
      host = { ...host, ...functions }
    },
    /** Charges the run's remaining fuel. */
    charge(turns: number) {
      fuel.value -= Math.min(turns, MOST_TURNS)
    },
    isSound: gate.isSound,
    /** CPU milliseconds that the run has taken. */
    cost: gate.cost,
    /** Forgets the run. Returns false if it hit a limit, after which the instance must not be used again. */
    reset(): boolean {
      host = {}
      if (!gate.isSound() || hasGrown()) return false
      restore(memory, snapshot)
      return true
    },
  }
}
