/** Runs whose worker is gone: their lease has expired. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { executionSteps, executions } from '#db/schema/index.ts'
import type { StepRow } from '../../engine/types.ts'
import { newLease } from './lease.ts'

export type Orphan = typeof executions.$inferSelect & { lease: string; steps: StepRow[] }

/** How often a run is started in all, before it is given up. */
export const MAX_ATTEMPTS = 3
/** Runs taken up by one call. */
const MAX_CLAIMED = 5

/**
 * Takes expired runs under a lease of our own, with the steps they finished. One conditional UPDATE:
 * two workers never take the same run.
 */
export async function claimOrphans(db: Database, now: Date): Promise<Orphan[]> {
  const lease = newLease(now)
  const expired = and(eq(executions.state, 'INPROGRESS'), lt(executions.leaseExpiresDate, now.toISOString()))
  const some = db.select({ id: executions.id }).from(executions).where(expired).limit(MAX_CLAIMED)
  const claimed = await db
    .update(executions)
    .set({ leaseExpiresDate: lease, attempts: sql`${executions.attempts} + 1` })
    .where(and(expired, inArray(executions.id, some)))
    .returning()
  if (claimed.length === 0) return []
  const ids = claimed.map(({ id }) => id)
  const steps = await db
    .select()
    .from(executionSteps)
    .where(inArray(executionSteps.executionId, ids))
    .orderBy(executionSteps.seq)
  return claimed.map((run) => ({ ...run, lease, steps: steps.filter((step) => step.executionId === run.id) }))
}
