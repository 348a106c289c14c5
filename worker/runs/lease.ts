/** A run belongs to the worker that holds its lease. Whoever lost it can write nothing more of that run. */
import { eq, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { executions } from '#db/schema/index.ts'

const LEASE_MS = 30_000

/** A new lease. Random digits make every lease different, so that two holders never take each other's for their own. */
export function createLease(now: Date): string {
  const nonce = crypto.getRandomValues(new Uint16Array(1))[0] as number
  return `${new Date(now.getTime() + LEASE_MS).toISOString()}#${nonce}`
}

/**
 * The first statement of every write of a run. It renews the lease and answers the run's state; when the lease is
 * not ours any more it breaks the whole batch, by writing null where null is refused.
 */
export function renewLease(
  db: Database,
  run: { executionId: string; held: string; next: string; now: Date; workSeconds: number },
) {
  return db
    .update(executions)
    .set({
      leaseExpiresDate: run.next,
      workSeconds: run.workSeconds,
      updatedDate: sql`case when ${executions.leaseExpiresDate} = ${run.held} then ${run.now.toISOString()} end`,
    })
    .where(eq(executions.id, run.executionId))
    .returning({ state: executions.state })
}
