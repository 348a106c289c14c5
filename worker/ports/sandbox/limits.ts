/** What one run of a custom function may use. */
export interface SandboxLimits {
  /** Functions of all runs that an isolate runs at once, those included that wait for an answer. Others wait in line. */
  atOnce: number
  /** In line. */
  waitMs: number
  /** Heap of the interpreter. */
  memoryBytes: number
  stackBytes: number
  /**
   * Turns of the interpreter's own loops. The bound that also holds for work that it never interrupts, and where the
   * clock stands still during CPU work.
   */
  fuel: number
  /** Time on the CPU, where the clock can tell. */
  cpuMs: number
  /** From start to end, waiting for answers included. */
  wallMs: number
  outputChars: number
  logChars: number
  fetches: number
  /** Timers and requests under way at once. */
  timers: number
  fetchBytes: number
}

export const DEFAULT_LIMITS: SandboxLimits = {
  // Each holds up to 22 MiB, and an isolate has 128 MB.
  atOnce: 4,
  waitMs: 30_000,
  memoryBytes: 16 * 1024 * 1024,
  stackBytes: 128 * 1024,
  fuel: 400_000_000,
  cpuMs: 1_000,
  wallMs: 60_000,
  outputChars: 1_000_000,
  logChars: 64_000,
  fetches: 20,
  timers: 1_000,
  fetchBytes: 2 * 1024 * 1024,
}
