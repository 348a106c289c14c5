/** The result of a check. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail'
  /** What was found, and for the others what to do. */
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const warn = (text: string): Finding => ({ level: 'warn', text })
export const fail = (text: string): Finding => ({ level: 'fail', text })

/** Milliseconds that two clocks may differ. */
export const CLOCK_TOLERANCE_MS = 60_000
