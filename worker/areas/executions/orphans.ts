/** Runs whose worker is gone: their lease has expired. */
import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { executions } from '#db/schema/index.ts'
import { newLease } from './lease.ts'

export interface Claimed {
  id: string
  workspaceId: string
  agentflowId: string
  /** Ours now. */
  lease: string
}

/** How often a run is started in all, before it is given up. */
export const MAX_ATTEMPTS = 3
/** Runs taken up by one call. */
const MAX_CLAIMED = 5

export const isExpired = (now: Date): SQL | undefined =>
  and(eq(executions.state, 'INPROGRESS'), lt(executions.leaseExpiresDate, now.toISOString()))

/**
 * Takes expired runs under a lease of our own: of one flow, or of any. A run that another run called is left to that
 * one while it goes on. One conditional UPDATE: two workers never take the same run.
 */
export async function claimOrphans(db: Database, now: Date, flowId?: string): Promise<Claimed[]> {
  const calledByLiving = sql`exists (
    select 1 from executions as caller
    where caller.id = ${executions.parentExecutionId} and caller.state in ('INPROGRESS', 'STOPPED')
  )`
  const orphaned = and(
    isExpired(now),
    flowId === undefined ? undefined : eq(executions.agentflowId, flowId),
    sql`not ${calledByLiving}`,
  )
  const some = db.select({ id: executions.id }).from(executions).where(orphaned).limit(MAX_CLAIMED)
  return claim(db, now, and(isExpired(now), inArray(executions.id, some)))
}

/** The same for one run that another one called; undefined while its worker lives. A run that failed may be tried again. */
export async function claimCalled(db: Database, now: Date, id: string): Promise<Claimed | undefined> {
  const failed = and(eq(executions.state, 'ERROR'), isNull(executions.leaseExpiresDate))
  const [claimed] = await claim(db, now, and(eq(executions.id, id), or(isExpired(now), failed)))
  return claimed
}

async function claim(db: Database, now: Date, condition: SQL | undefined): Promise<Claimed[]> {
  const lease = newLease(now)
  const claimed = await db
    .update(executions)
    .set({
      state: 'INPROGRESS',
      error: null,
      leaseExpiresDate: lease,
      attempts: sql`case when ${executions.state} = 'ERROR' then 1 else ${executions.attempts} + 1 end`,
    })
    .where(condition)
    .returning({ id: executions.id, workspaceId: executions.workspaceId, agentflowId: executions.agentflowId })
  return claimed.map((run) => ({ ...run, lease }))
}
