/** The CPU time that the functions of a workspace may take in a minute, in all isolates together. */
import { errorReport } from '#contract/errors.ts'

const WINDOW_MS = 60_000
/** Workspaces; beyond it, those whose minute is over are forgotten. */
const MANY = 1000
/**
 * An isolate keeps less than this to itself, so that short functions cost no call. A workspace gets that much more of each
 * isolate, and what functions there compute before the answer.
 */
const REPORTED_MS = 250

/**
 * Adds what functions of a workspace computed in this isolate to what they computed in others. Returns the sum, and when
 * the minute is over.
 */
export type CountCpu = (workspaceId: string, ms: number) => Promise<{ used: number; secondsLeft: number }>

interface Window {
  spentMs: number
  /** The part that other isolates know nothing of. */
  ownMs: number
  endsAt: number
}

/** @param countCpu absent: the isolate counts for itself */
export function createBudget(cpuMsPerMinute: number, { countCpu, now = Date.now }: Counting = {}) {
  const windows = new Map<string, Window>()

  const current = (workspaceId: string) => {
    const window = windows.get(workspaceId)
    return window && window.endsAt > now() ? window : undefined
  }

  function open(workspaceId: string): Window {
    const window = { spentMs: 0, ownMs: 0, endsAt: now() + WINDOW_MS }
    windows.set(workspaceId, window)
    if (windows.size > MANY) for (const [id] of windows) if (!current(id)) windows.delete(id)
    return window
  }

  return {
    /** Returns the seconds until functions of the workspace run again, or 0. */
    secondsToWait(workspaceId: string): number {
      const window = current(workspaceId)
      return window && window.spentMs >= cpuMsPerMinute ? Math.ceil((window.endsAt - now()) / 1000) : 0
    },
    /** Resolves when other isolates can know of it. Never rejects. */
    async spend(workspaceId: string, ms: number): Promise<void> {
      const window = current(workspaceId) ?? open(workspaceId)
      window.spentMs += ms
      window.ownMs += ms
      if (!countCpu || window.ownMs < REPORTED_MS) return
      const reported = Math.round(window.ownMs)
      window.ownMs = 0
      try {
        const { used, secondsLeft } = await countCpu(workspaceId, reported)
        window.spentMs = Math.max(window.spentMs, used + window.ownMs)
        window.endsAt = now() + secondsLeft * 1000
      } catch (error) {
        console.error(`CPU time of workspace ${workspaceId} could not be counted: ${errorReport(error)}`)
      }
    },
  }
}

interface Counting {
  countCpu?: CountCpu | undefined
  now?(): number
}
