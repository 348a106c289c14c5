/** The CPU time that the functions of a workspace may take in a minute, counted in this isolate. */

const WINDOW_MS = 60_000
/** Workspaces; beyond it, those whose minute is over are forgotten. */
const MANY = 1000

export function createBudget(cpuMsPerMinute: number, now = Date.now) {
  const windows = new Map<string, { spentMs: number; endsAt: number }>()

  const current = (workspaceId: string) => {
    const window = windows.get(workspaceId)
    return window && window.endsAt > now() ? window : undefined
  }

  return {
    /** Returns the seconds until functions of the workspace run again, or 0. */
    secondsToWait(workspaceId: string): number {
      const window = current(workspaceId)
      return window && window.spentMs >= cpuMsPerMinute ? Math.ceil((window.endsAt - now()) / 1000) : 0
    },
    spend(workspaceId: string, ms: number): void {
      const window = current(workspaceId)
      if (window) window.spentMs += ms
      else windows.set(workspaceId, { spentMs: ms, endsAt: now() + WINDOW_MS })
      if (windows.size > MANY) for (const [id] of windows) if (!current(id)) windows.delete(id)
    },
  }
}
