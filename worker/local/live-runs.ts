/** Lets the runs of this machine end before it stops. */
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@libsql/client/web'
import type { DatabaseAddress } from './migrate.ts'

const POLL_MS = 250
/** The row of a run that was called is stored within that time; other requests are answered meanwhile. */
const APPEARS_MS = 1_500

/** Runs that somebody works on: their lease has not expired. */
const LIVE = "SELECT count(*) AS n FROM executions WHERE state = 'INPROGRESS' AND lease_expires_date > ?"

/**
 * Waits until nobody works on a run any more, or the time is up. Returns how many runs are left: the next start continues
 * them from their logs.
 */
export async function waitForRuns(
  { url, authToken }: DatabaseAddress,
  { timeoutMs, onWait }: { timeoutMs: number; onWait(runs: number): void },
): Promise<number> {
  const client = createClient({ url, ...(authToken !== undefined && { authToken }) })
  const count = async () => {
    const { rows } = await client.execute({ sql: LIVE, args: [new Date().toISOString()] })
    return Number(rows[0]?.n)
  }
  try {
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
  } finally {
    client.close()
  }
}
