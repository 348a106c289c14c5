/**
 * How much a job does before others have their turn. Calls of flows share its thread, and locally its database, so that
 * each waits for what the job has begun. A worker's clock stands still while it computes, so budgets are counted in
 * characters and vectors.
 */
import type { Clock } from '../../../ports/types.ts'
import { lastRunStart } from '../../../runs/running.ts'

export const CHARS_BUDGET = 16_000
/** Cutting takes a tenth of the time that indexing takes. */
export const CUT_CHARS_BUDGET = 64_000
export const VECTORS_BUDGET = 50
/** About twice as long as a budget of work: others find the thread free most of the time. */
const PAUSE_MS = 8

/** A job goes on at once when nobody has called a flow for so long. */
export const IDLE_MS = 1000

export function yieldToCalls(clock: Clock): Promise<void> {
  const isIdle = clock.now().getTime() - lastRunStart() >= IDLE_MS
  return clock.sleep(isIdle ? 0 : PAUSE_MS)
}

/** Returns what gives others their turn whenever so many characters have been cut. */
export function createYield(clock: Clock): (chars: number) => Promise<void> {
  let worked = 0
  return async (chars) => {
    worked += chars
    if (worked < CUT_CHARS_BUDGET) return
    worked = 0
    await yieldToCalls(clock)
  }
}
