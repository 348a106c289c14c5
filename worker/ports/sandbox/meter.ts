/** Tracks a run's fuel and CPU time in the interpreter against its limits. */
import type { SandboxLimits } from './limits.ts'

const FULL = 2 ** 31 - 1

export function createMeter(fuel: WebAssembly.Global, limits: Pick<SandboxLimits, 'fuel' | 'cpuMs'>) {
  let fuelLeft = limits.fuel
  let spentMs = 0
  let enteredAt = 0
  let isSpent = false

  return {
    /** Runs work in the interpreter, which traps when the fuel is used up. */
    enter<T>(work: () => T): T {
      enteredAt = Date.now()
      fuel.value = fuelLeft
      try {
        return work()
      } finally {
        spentMs += Date.now() - enteredAt
        fuelLeft = fuel.value
        isSpent ||= fuelLeft < 0
        // Work of the host is not counted against a run.
        fuel.value = FULL
      }
    },
    /** The interpreter's interrupt callback. Returns true to stop it. */
    interrupts(): boolean {
      isSpent ||= spentMs + Date.now() - enteredAt > limits.cpuMs
      return isSpent
    },
    isSpent: () => isSpent,
  }
}
