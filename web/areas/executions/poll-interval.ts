import type { RunState } from '#contract/runs/events.ts'

const MIN_POLL_MS = 1000
const MAX_POLL_MS = 10_000
const WAITING_POLL_MS = 15_000

/**
 * Returns the milliseconds until the next poll of a run: short while it is active, longer the longer it is silent,
 * and fixed while it waits for a person. Returns false when the run has ended.
 */
export function nextPollMs(state: RunState, lastActivity: string, now = Date.now()): number | false {
  if (state === 'STOPPED') return WAITING_POLL_MS
  if (state !== 'INPROGRESS') return false
  const silentFor = now - Date.parse(lastActivity)
  return Math.min(Math.max(silentFor / 5, MIN_POLL_MS), MAX_POLL_MS)
}
