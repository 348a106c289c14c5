/** Limits of one run of a custom function. */
export interface SandboxLimits {
  /** Concurrent functions per isolate, including those that wait for a response. Others queue. */
  atOnce: number
  /** Maximum time in the queue. */
  waitMs: number
  /** The interpreter's heap. */
  memoryBytes: number
  stackBytes: number
  /**
   * Loop iterations of the interpreter. Also bounds work that the interpreter never interrupts, and works where the
   * clock stands still during CPU work.
   */
  fuel: number
  /** CPU time, where the clock advances during CPU work. */
  cpuMs: number
  /** CPU time of all functions of a workspace in a minute. */
  cpuMsPerMinute: number
  /** Total duration, including waiting for responses. */
  wallMs: number
  outputChars: number
  logChars: number
  fetches: number
  /** Concurrent timers and requests. */
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
  cpuMsPerMinute: 10_000,
  wallMs: 60_000,
  outputChars: 1_000_000,
  logChars: 64_000,
  fetches: 20,
  timers: 1_000,
  fetchBytes: 2 * 1024 * 1024,
}
