/** Counts what a run spends while it is inside the interpreter, and says when that is enough. */
import type { SandboxLimits } from './limits.ts'

export function createMeter(limits: Pick<SandboxLimits, 'ticks' | 'cpuMs'>) {
  let ticks = 0
  let spentMs = 0
  let enteredAt = 0
  let isSpent = false

  return {
    /** Runs one stay in the interpreter. */
    enter<T>(work: () => T): T {
      enteredAt = Date.now()
      try {
        return work()
      } finally {
        spentMs += Date.now() - enteredAt
      }
    },
    /** The interpreter's interrupt callback: true stops it. */
    tick(): boolean {
      isSpent ||= ++ticks > limits.ticks || spentMs + Date.now() - enteredAt > limits.cpuMs
      return isSpent
    },
    isSpent: () => isSpent,
  }
}
