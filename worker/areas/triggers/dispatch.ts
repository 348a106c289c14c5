/**
 * Dispatches each delivery to a Workflow instance. Dispatching one twice is harmless, because an instance must claim its
 * delivery first: deliveries whose instance never claimed them are dispatched again.
 */
import { and, asc, eq, isNull, lte, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { jsonIn } from '#db/long-text.ts'
import { triggerDeliveries } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse } from '#db/scope.ts'
import { createInstances, MAX_BATCH, REPLACE_AFTER_MS } from '../../jobs/instances.ts'
import { givePlaces, keepPlace, noteWaiting, PLACES_AT_ONCE, sharePlaces } from '../../jobs/places.ts'
import type { Services } from '../../services.ts'
import type { DeliveryParams } from './delivery-params.ts'

/** Instances wait for deliveries that are due within this time. */
const AHEAD_MS = 60_000

const { id, state, source, triggerId, flowId, workspaceId, attempts, dueDate, nextAttemptDate, chatId, payload } =
  triggerDeliveries

/**
 * The second half of the minute job: dispatches the deliveries that are due, as many as this isolate has places for. The
 * others wait for the end of one of these, for the next minute, or for another machine.
 */
export const dispatchQueued = (services: Pick<Services, 'db' | 'backgroundRuns'>, now: Date): Promise<void> =>
  givePlaces(async () => {
    for (let count = MAX_BATCH; count >= PLACES_AT_ONCE; )
      count = await dispatch(services, { condition: and(isDue(now), notBlocked), now })
  })

interface DispatchQuery {
  condition: SQL | undefined
  now: Date
  /** At most 100. */
  limit?: number
}

/** Dispatches matching queued deliveries, oldest first, as far as there are places. Returns their number. */
export async function dispatch(
  { db, backgroundRuns }: Pick<Services, 'db' | 'backgroundRuns'>,
  { limit = MAX_BATCH, ...query }: DispatchQuery,
): Promise<number> {
  const { full, count: places } = sharePlaces()
  noteWaiting(full)
  if (places === 0) {
    noteWaiting()
    return 0
  }
  const deliveries = await markDispatched(db, { ...query, limit: Math.min(limit, places), full })
  const isMoreWaiting = places < limit && deliveries.length === places
  if (isMoreWaiting) noteWaiting()
  const instances = deliveries.map(({ handedBefore, ...delivery }) => {
    const params: DeliveryParams = { kind: 'delivery', ...delivery, ...(isMoreWaiting && { isMoreWaiting }) }
    keepPlace(params.deliveryId, params.workspaceId, params.notBefore)
    return { id: instanceId(params, handedBefore), params }
  })
  await createInstances(backgroundRuns, instances)
  return instances.length
}

/** The chat that a delivery continues. One that an earlier version queued has it in its payload alone. */
export const ownChatId = sql<string | null>`coalesce(${chatId}, ${jsonIn(payload, '$.chatId')})`

/** The delivery's id, with a number when it was dispatched before. */
const instanceId = ({ deliveryId }: DeliveryParams, handedBefore: number): string =>
  handedBefore === 0 ? deliveryId : `${deliveryId}-${handedBefore}`

/** One conditional update, so that parallel handlers never dispatch the same delivery. */
function markDispatched(
  db: Database,
  { condition, now, limit, full }: DispatchQuery & { limit: number; full: string[] },
) {
  const some = db
    .select({ id })
    .from(triggerDeliveries)
    .where(and(eq(state, 'queued'), notDispatched(now), isInUse(workspaceId), notInArray(workspaceId, full), condition))
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
    lte(triggerDeliveries.handedDate, new Date(now.getTime() - REPLACE_AFTER_MS).toISOString()),
  )

function isDue(now: Date): SQL | undefined {
  const soon = new Date(now.getTime() + AHEAD_MS).toISOString()
  return lte(sql`coalesce(${nextAttemptDate}, ${dueDate})`, soon)
}

/** Leaves out deliveries that wait for a running one: in a queue that run dispatches the next, and retries wait where runs are skipped. */
const notBlocked: SQL = sql`(${source} <> 'schedule' or not exists (
  select 1 from triggers queue where queue.id = ${triggerId} and (
    queue.settings ->> 'overlap' = 'queue' or queue.settings ->> 'overlap' = 'skip' and ${attempts} > 0)
) or not exists (
  select 1 from trigger_deliveries running
  where running.trigger_id = ${triggerId} and running.workspace_id = ${workspaceId} and +running.state = 'running'
    and running.id <> ${id}
))`
