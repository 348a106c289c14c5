/** Lets the runs of this machine end before it stops. */
import { setTimeout as wait } from 'node:timers/promises'

const POLL_MS = 250
/** The row of a run that was called is stored within that time; other requests are answered meanwhile. */
const APPEARS_MS = 1_500

interface WaitOptions {
  timeoutMs: number
  onWait(runs: number): void
}

/**
 * Waits until this machine works on no run any more, or the time is up. Returns how many runs are left: they are continued from
 * their logs, by the next start or another machine.
 *
 * @param count returns how many runs the machine works on
 */
export async function waitForRuns(count: () => Promise<number>, { timeoutMs, onWait }: WaitOptions): Promise<number> {
  const begun = Date.now()
  let live = await count()
  for (let isSaid = false; ; live = await count()) {
    const passed = Date.now() - begun
    if ((live === 0 && passed > APPEARS_MS) || passed > timeoutMs) break
    if (live > 0 && !isSaid) onWait(live)
    isSaid ||= live > 0
    // Also after the last one has ended: its answer is being sent.
    await wait(POLL_MS)
  }
  return live
}
