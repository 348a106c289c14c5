/** Orphans: runs whose lease has expired because their worker is gone. */
import { and, asc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { faultOf } from '#db/database-failure.ts'
import { executions } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { createLease } from './lease.ts'

interface Orphan {
  id: string
  workspaceId: string
  attempts: number
  /** ISO. */
  since: string
}

/** A run that this worker has claimed. */
export interface Claimed {
  id: string
  workspaceId: string
  agentflowId: string
  parentExecutionId: string | null
  /** Starts so far, this one included. */
  attempts: number
  workSeconds: number
  lease: string
}

/** A run that was interrupted twice is given up. */
export const MAX_ATTEMPTS = 2

/** @param now ISO, where it is SQL */
export const isExpired = (now: Date | SQL): SQL | undefined =>
  and(
    eq(executions.state, 'INPROGRESS'),
    lt(executions.leaseExpiresDate, now instanceof Date ? now.toISOString() : now),
  )

/** Leaves a called run to its caller while that is open, and the run of a delivery to its delivery. */
function isOrphan(now: Date): SQL | undefined {
  const livingCaller = sql`
    select 1 from executions as caller
    where caller.id = ${executions.parentExecutionId} and caller.state in ('INPROGRESS', 'STOPPED')`
  const delivery = sql`
    select 1 from trigger_deliveries as delivery
    where delivery.execution_id = ${executions.id} and +delivery.state = 'running'`
  return and(
    isExpired(now),
    isInUse(executions.workspaceId),
    sql`not exists (${livingCaller})`,
    sql`not exists (${delivery})`,
  )
}

/** Returns orphans of one flow or of all: the oldest of each workspace, then the second of each, and so on. */
export function findOrphans(
  db: Database,
  { now, flowId, limit }: { now: Date; flowId?: string; limit: number },
): Promise<Orphan[]> {
  const { id, workspaceId, attempts, leaseExpiresDate, agentflowId } = executions
  const found = db
    .select({
      id,
      workspaceId,
      attempts,
      since: sql<string>`substr(${leaseExpiresDate}, 1, 24)`.as('since'),
      turn: sql<number>`row_number() over (partition by ${workspaceId} order by ${leaseExpiresDate}, ${id})`.as('turn'),
    })
    .from(executions)
    .where(and(isOrphan(now), flowId === undefined ? undefined : eq(agentflowId, flowId)))
    .as('found')
  return acrossWorkspaces(db, 'the minute job finds lost runs of every workspace')
    .select({ id: found.id, workspaceId: found.workspaceId, attempts: found.attempts, since: found.since })
    .from(found)
    .orderBy(asc(found.turn), asc(found.since), asc(found.id))
    .limit(limit)
}

/** Returns undefined when the run is no longer an orphan. */
export const claimOrphan = (db: Database, now: Date, id: string): Promise<Claimed | undefined> =>
  claim(db, now, and(eq(executions.id, id), isOrphan(now)))

/** Claims a run for its caller or delivery. Returns undefined while its worker lives. A failed run may be retried. */
export function claimSubrun(db: Database, now: Date, id: string): Promise<Claimed | undefined> {
  const failed = and(eq(executions.state, 'ERROR'), isNull(executions.leaseExpiresDate))
  return claim(db, now, and(eq(executions.id, id), or(isExpired(now), failed)))
}

/** One conditional UPDATE: two workers never claim the same run. */
async function claim(db: Database, now: Date, condition: SQL | undefined): Promise<Claimed | undefined> {
  const lease = createLease(now)
  const { id, workspaceId, agentflowId, parentExecutionId, attempts, workSeconds } = executions
  const [claimed] = await acrossWorkspaces(db, 'a lost run is claimed by its id and names its workspace')
    .update(executions)
    .set({
      state: 'INPROGRESS',
      error: null,
      leaseExpiresDate: lease,
      attempts: sql`case when ${executions.state} = 'ERROR' then 1 else ${executions.attempts} + 1 end`,
    })
    .where(condition)
    .returning({ id, workspaceId, agentflowId, parentExecutionId, attempts, workSeconds })
  return claimed && { ...claimed, lease }
}

/** A run that is older counts each interruption, so that one which can never be read ends. */
const GIVEN_BACK_MS = 24 * 3600_000

/**
 * Reads what a claimed run needs. While the database is away the claim is given back, so that it can be repeated at once
 * and counts as no interruption.
 */
export async function readClaimed<Result>(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { id, workspaceId, lease }: Pick<Claimed, 'id' | 'workspaceId' | 'lease'>,
  read: () => Promise<Result>,
): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const since = new Date(clock.now().getTime() - GIVEN_BACK_MS).toISOString()
    const isYoung = gt(executions.createdDate, since)
    const isMine = and(eq(executions.id, id), eq(executions.leaseExpiresDate, lease), isYoung)
    const given = { attempts: oneLess, leaseExpiresDate: ENDED }
    if (faultOf(error)) await scope(db, { workspaceId }).update(executions, isMine, given).catch(ignore)
    throw error
  }
}

const oneLess = sql`max(${executions.attempts} - 1, 0)` as never
/** A lease that has ended. */
const ENDED = '1970-01-01T00:00:00.000Z#0'
/** The interruption counts, as one whose worker is gone. */
const ignore = () => undefined
