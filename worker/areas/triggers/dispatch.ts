/**
 * Dispatches deliveries to Workflow instances, each to one of its own. An instance must still take its delivery, so
 * dispatching it twice does no harm: one that never began, or died before it took the delivery, is followed by another.
 */
import { and, asc, eq, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { triggerDeliveries } from '#db/schema/index.ts'
import { acrossWorkspaces } from '#db/scope.ts'
import { createInstances, MAX_BATCH, PATIENCE_MS } from '../../jobs/instances.ts'
import type { Services } from '../../services.ts'
import type { DeliveryParams } from './delivery-params.ts'

/** Instances wait by themselves for what comes within the minute. */
const AHEAD_MS = 60_000

const { id, state, source, triggerId, flowId, workspaceId, attempts, dueDate, nextAttemptDate, payload } =
  triggerDeliveries

/** The job's second half: everything that waits, what an earlier handler left included. Two handlers share the work. */
export async function dispatchQueued(services: Services, now: Date): Promise<void> {
  for (let count = MAX_BATCH; count === MAX_BATCH; )
    count = await dispatch(services, { condition: and(isDue(now), notBlocked), now })
}

interface Which {
  condition: SQL | undefined
  now: Date
  /** At most 100. */
  limit?: number
}

/** Dispatches queued deliveries that match, the oldest first; answers how many. */
export async function dispatch(
  { db, backgroundRuns }: Pick<Services, 'db' | 'backgroundRuns'>,
  which: Which,
): Promise<number> {
  const deliveries = await mark(db, which)
  const instances = deliveries.map(({ handedBefore, ...delivery }) => {
    const params: DeliveryParams = { kind: 'delivery', ...delivery }
    return { id: instanceId(params, handedBefore), params }
  })
  await createInstances(backgroundRuns, instances)
  return instances.length
}

/** The conversation that a delivery asks for. */
export const ownChatId = sql<string | null>`json_extract(${payload}, '$.chatId')`

/** Trigger and due time. An instance that follows another one says so. */
const instanceId = ({ deliveryId }: DeliveryParams, handedBefore: number): string =>
  handedBefore === 0 ? deliveryId : `${deliveryId}-${handedBefore}`

/** One conditional update: what one handler marks no other one dispatches while it is waited for. */
function mark(db: Database, { condition, now, limit = MAX_BATCH }: Which) {
  const some = db
    .select({ id })
    .from(triggerDeliveries)
    .where(and(eq(state, 'queued'), notDispatched(now), condition))
    .orderBy(asc(dueDate), asc(id))
    .limit(limit)
  return acrossWorkspaces(db, 'the minute job dispatches queued deliveries of every workspace')
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

const notDispatched = (now: Date) =>
  or(
    isNull(triggerDeliveries.handedDate),
    lte(triggerDeliveries.handedDate, new Date(now.getTime() - PATIENCE_MS).toISOString()),
  )

function isDue(now: Date): SQL | undefined {
  const soon = new Date(now.getTime() + AHEAD_MS).toISOString()
  return lte(sql`coalesce(${nextAttemptDate}, ${dueDate})`, soon)
}

/** What waits in a queue behind a run is dispatched by that run. Where runs are skipped, a try that is made again waits. */
const notBlocked: SQL = sql`(${source} <> 'schedule' or not exists (
  select 1 from triggers queue where queue.id = ${triggerId} and (
    queue.settings ->> 'overlap' = 'queue' or queue.settings ->> 'overlap' = 'skip' and ${attempts} > 0)
) or not exists (
  select 1 from trigger_deliveries running
  where running.trigger_id = ${triggerId} and running.workspace_id = ${workspaceId} and +running.state = 'running'
    and running.id <> ${id}
))`
