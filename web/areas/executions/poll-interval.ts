import type { RunState } from '#contract/events.ts'

const SOONEST_MS = 1000
const LATEST_MS = 10_000
const WHILE_WAITING_MS = 15_000

/**
 * Milliseconds until a run is looked at again: soon while it gives signs of life, more and more rarely when it is
 * silent, now and then while it waits for a person. False: it has ended.
 */
export function nextPollMs(state: RunState, lastSign: string, now = Date.now()): number | false {
  if (state === 'STOPPED') return WHILE_WAITING_MS
  if (state !== 'INPROGRESS') return false
  const silentFor = now - Date.parse(lastSign)
  return Math.min(Math.max(silentFor / 5, SOONEST_MS), LATEST_MS)
}
