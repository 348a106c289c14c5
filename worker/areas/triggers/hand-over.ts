/**
 * Hands deliveries to Workflow instances, each to one of its own. Who is handed a delivery must still take it, so handing
 * it over twice does no harm: an instance that never began, or died before it took the delivery, is followed by another.
 */
import { and, asc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { triggerDeliveries } from '#db/schema/index.ts'
import type { Services, TriggerRunParams, TriggerRuns } from '../../services.ts'

/** The platform's limit. */
const BATCH = 100
/** An instance that has not taken its delivery by then is not waited for any longer. */
const PATIENCE_MS = 5 * 60_000
/** Instances wait by themselves for what comes within the minute. */
const AHEAD_MS = 60_000

const { id, state, source, triggerId, flowId, workspaceId, attempts, dueDate, nextAttemptDate, payload } =
  triggerDeliveries

/** The job's second half: everything that waits, what an earlier handler left included. Two handlers share the work. */
export async function handOverQueued(services: Services, now: Date): Promise<void> {
  for (let handed = BATCH; handed === BATCH; )
    handed = await handOver(services, { condition: and(isDue(now), notHeldUp), now })
}

interface Which {
  condition: SQL | undefined
  now: Date
  /** At most 100. */
  limit?: number
}

/** Hands over queued deliveries that match, the oldest first; answers how many. */
export async function handOver(
  { db, triggerRuns }: Pick<Services, 'db' | 'triggerRuns'>,
  which: Which,
): Promise<number> {
  const deliveries = await mark(db, which)
  const instances = deliveries.map(({ handedBefore, ...params }) => ({ id: instanceId(params, handedBefore), params }))
  await createRuns(triggerRuns, instances)
  return instances.length
}

/** Any number; those whose id exists already are left alone. */
export async function createRuns(
  triggerRuns: TriggerRuns,
  instances: { id: string; params: TriggerRunParams }[],
): Promise<void> {
  for (let from = 0; from < instances.length; from += BATCH)
    await triggerRuns.createBatch(instances.slice(from, from + BATCH))
}

/** The conversation that a delivery asks for. */
export const ownChatId = sql<string | null>`json_extract(${payload}, '$.chatId')`

/** Trigger and due time. An instance that follows another one says so. */
const instanceId = ({ deliveryId }: TriggerRunParams, handedBefore: number): string =>
  handedBefore === 0 ? deliveryId : `${deliveryId}-${handedBefore}`

/** One conditional update: what one handler marks no other one hands over while it is waited for. */
function mark(db: Database, { condition, now, limit = BATCH }: Which) {
  const some = db
    .select({ id })
    .from(triggerDeliveries)
    .where(and(eq(state, 'queued'), notHanded(now), condition))
    .orderBy(asc(dueDate), asc(id))
    .limit(limit)
  return db
    .update(triggerDeliveries)
    .set({
      handedDate: now.toISOString(),
      timesHanded: sql`${triggerDeliveries.timesHanded} + 1`,
    })
    .where(sql`${id} in (${some})`)
    .returning({
      deliveryId: id,
      triggerId,
      flowId,
      workspaceId,
      attempt: attempts,
      chatId: ownChatId,
      notBefore: nextAttemptDate,
      handedBefore: sql<number>`${triggerDeliveries.timesHanded} - 1`,
    })
}

const notHanded = (now: Date) =>
  or(
    isNull(triggerDeliveries.handedDate),
    lte(triggerDeliveries.handedDate, new Date(now.getTime() - PATIENCE_MS).toISOString()),
  )

function isDue(now: Date): SQL | undefined {
  const soon = new Date(now.getTime() + AHEAD_MS).toISOString()
  return lte(sql`coalesce(${nextAttemptDate}, ${dueDate})`, soon)
}

/** What waits in a queue behind a run is handed over by that run. Where runs are skipped, a try that is made again waits. */
const notHeldUp: SQL = sql`(${source} <> 'schedule' or not exists (
  select 1 from triggers queue where queue.id = ${triggerId} and (
    queue.settings ->> 'overlap' = 'queue' or queue.settings ->> 'overlap' = 'skip' and ${attempts} > 0)
) or not exists (
  select 1 from trigger_deliveries running
  where running.trigger_id = ${triggerId} and running.workspace_id = ${workspaceId} and +running.state = 'running'
    and running.id <> ${id}
))`
