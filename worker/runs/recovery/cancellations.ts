/** Cancellations that reached another isolate than the one of their run. */
import { sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { executions } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import { liveRuns, stopRun } from '../running.ts'

const LOOK_MS = 1000
let lookedAt = 0

/**
 * Stops the runs of this isolate that were cancelled elsewhere. Each run calls this all the time; once a second one of
 * them reads for all. A failed read is repeated a second later.
 */
export async function lookForCancellations(db: Database, now: Date): Promise<void> {
  const time = now.getTime()
  if (time - lookedAt < LOOK_MS) return
  lookedAt = time
  const ids = liveRuns()
  if (ids.length === 0) return
  const isLive = sql`${executions.id} in (select value from json_each(${JSON.stringify(ids)}))`
  const cancelled = await acrossWorkspaces(db, 'an isolate asks for the runs that it holds')
    .select({ id: executions.id })
    .from(executions)
    // With the plus, the rows are found by their ids: many more were ever cancelled.
    .where(sql`${isLive} and +${executions.state} = 'TERMINATED'`)
    .catch(() => [])
  for (const { id } of cancelled) stopRun(id)
}
