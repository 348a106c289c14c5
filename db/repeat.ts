import { DatabaseFault } from './database-failure.ts'
import type { Traffic } from './traffic.ts'

/** A fault that passes within that time is nobody's failure. */
const REPEAT_MS = 6_000
const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1_000

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Repeats what did nothing, with growing random pauses, until it succeeds, fails for another reason or takes too long. */
export async function repeat<Result>(traffic: Traffic, attempt: () => Promise<Result>): Promise<Result> {
  const until = Date.now() + REPEAT_MS
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await attempt()
    } catch (error) {
      const mayRepeat = error instanceof DatabaseFault && error.outcome === 'nothing-done'
      if (!mayRepeat || Date.now() >= until) throw error
      traffic.repeats++
      await sleep(pause * (0.5 + Math.random() / 2))
    }
  }
}
