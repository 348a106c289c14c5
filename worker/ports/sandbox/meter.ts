/**
 * Meters a run in the interpreter against its limits. Fuel is handed out in slices: after each, even in the middle of a
 * built-in, the clock is looked at and others get their turn.
 */
import type { SandboxLimits } from './limits.ts'

const FULL = 2 ** 31 - 1
/** Loop iterations of the interpreter, or blocks of copied memory: a few milliseconds. */
const SLICE = 500_000
/** More than a slice computes: where the clock says so, other processes had the processor. */
const MAX_SLICE_MS = 25
/** A run hands over after this time, or after so much fuel where the clock stands still during CPU work. */
const TURN_MS = 10
const TURN_FUEL = 10 * SLICE

/** What a millisecond computes where the clock stands still. */
const FUEL_PER_MS = 400_000

export function createMeter(fuel: WebAssembly.Global, limits: Pick<SandboxLimits, 'fuel' | 'cpuMs'>) {
  /** Fuel that is not in the interpreter. */
  let reserve = limits.fuel
  let spentMs = 0
  let sliceAt = 0
  let isSpent = false
  const turn = createTurn(reserve)

  const enter = () => {
    sliceAt = Date.now()
    handOut()
  }
  const sliceMs = () => Math.min(Date.now() - sliceAt, MAX_SLICE_MS)
  const countSlice = () => {
    spentMs += sliceMs()
    turn.add(Date.now() - sliceAt)
    sliceAt = Date.now()
  }
  const leave = () => {
    countSlice()
    reserve += fuel.value
    isSpent ||= reserve < 0
    // Work of the host is not counted against a run.
    fuel.value = FULL
  }
  const handOut = () => {
    fuel.value = Math.min(SLICE, reserve)
    reserve -= fuel.value
  }
  const isOverTime = () => spentMs + sliceMs() > limits.cpuMs

  return {
    /** Runs work in the interpreter. */
    pass<T>(work: () => T): T {
      enter()
      try {
        return work()
      } finally {
        leave()
      }
    },
    /** Runs work that hands over to others in between. */
    async passInTurns<T>(work: () => Promise<T>): Promise<T> {
      if (turn.isOver(reserve)) await turn.handOver(reserve)
      enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    /** Begins the next slice. Returns true when it is the turn of others. Throws when the run has used up a limit. */
    refuel(): boolean {
      countSlice()
      reserve += fuel.value
      isSpent ||= reserve <= 0 || isOverTime()
      if (isSpent) throw new Error('The run has used up a limit')
      handOut()
      return turn.isOver(reserve)
    },
    /** Lets others have their turn. */
    async pause(): Promise<void> {
      await turn.handOver(reserve)
      sliceAt = Date.now()
    },
    /** The interpreter's interrupt callback. Returns true to stop it. */
    interrupts(): boolean {
      isSpent ||= isOverTime()
      return isSpent
    },
    isSpent: () => isSpent,
    /** CPU milliseconds that the run took between its turns. */
    cost: () => Math.max(spentMs, (limits.fuel - reserve) / FUEL_PER_MS),
  }
}

/** What a run has used since others had their turn. */
function createTurn(reserve: number) {
  let ms = 0
  let reserveAtStart = reserve
  return {
    add(more: number) {
      ms += more
    },
    isOver: (reserveNow: number) => ms >= TURN_MS || reserveAtStart - reserveNow >= TURN_FUEL,
    async handOver(reserveNow: number) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      ms = 0
      reserveAtStart = reserveNow
    },
  }
}
