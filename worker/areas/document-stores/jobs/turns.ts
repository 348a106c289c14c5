/**
 * How much a job does before others have their turn. Calls of flows share its thread, and locally its database, so that
 * each waits for what the job has begun. A worker's clock stands still while it computes, so turns are bounded by
 * characters and vectors.
 */
import type { Clock } from '../../../ports/types.ts'
import { lastRunStart } from '../../../runs/running.ts'

export const CHARS_PER_TURN = 16_000
/** Cutting takes a tenth of the time that indexing takes. */
export const CHARS_CUT_PER_TURN = 64_000
export const VECTORS_PER_TURN = 50
/** About twice as long as a turn: others find the thread free most of the time. */
const PAUSE_MS = 8

/** A job goes on at once when nobody has called a flow for so long. */
export const QUIET_MS = 1000

export function giveTurn(clock: Clock): Promise<void> {
  const isQuiet = clock.now().getTime() - lastRunStart() >= QUIET_MS
  return clock.sleep(isQuiet ? 0 : PAUSE_MS)
}

/** Returns what gives others their turn whenever so many characters have been cut. */
export function turnsOf(clock: Clock): (chars: number) => Promise<void> {
  let worked = 0
  return async (chars) => {
    worked += chars
    if (worked < CHARS_CUT_PER_TURN) return
    worked = 0
    await giveTurn(clock)
  }
}
