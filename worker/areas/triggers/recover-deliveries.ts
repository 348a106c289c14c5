/** Recovers deliveries whose worker is gone, from the state of their runs. */
import { and, asc, eq, isNotNull, lt, ne, or, sql } from 'drizzle-orm'
import { chatMessages, executions, triggerDeliveries } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope } from '#db/scope.ts'
import { createInstances, replaceableId } from '../../jobs/instances.ts'
import { keepPlace, placesForLost } from '../../jobs/places.ts'
import { isExpired } from '../../runs/recovery/orphans.ts'
import type { Services } from '../../services.ts'
import type { CompletedAttempt } from './after-delivery.ts'
import { completionStatements, type DeliveryAttempt, toAttemptResult } from './complete-delivery.ts'
import type { DeliveryParams } from './delivery-params.ts'
import { ownChatId } from './dispatch.ts'

/** Completes a delivery whose run has ended. Returns undefined when the run is in progress or never started. */
export async function recoverDelivery(
  services: Services,
  { delivery, trigger }: DeliveryAttempt,
): Promise<CompletedAttempt | undefined> {
  const { db, clock } = services
  const rows = scope(db, delivery)
  const isRun = eq(executions.id, delivery.executionId ?? '')
  const [[run], [answer]] = await db.batch([
    rows.select(executions, isRun),
    db
      .select({ content: chatMessages.content })
      .from(chatMessages)
      .where(
        rows.inWorkspace(
          chatMessages,
          and(eq(chatMessages.executionId, delivery.executionId ?? ''), eq(chatMessages.role, 'apiMessage')),
        ),
      )
      .limit(1),
  ])
  if (!run || run.state === 'INPROGRESS') return undefined
  const { state, totalTokens, totalCost } = run
  const outcome = { state, text: answer?.content ?? '', totalTokens, totalCost }
  const reasons = { ...(run.error !== null && { error: run.error }), ...(run.endedBy && { limit: run.endedBy }) }
  const end = toAttemptResult({ ...outcome, ...reasons }, clock.now())
  await db.batch(completionStatements(db, { delivery, trigger }, end))
  return { delivery, trigger, end }
}

type Dispatching = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>

/** Time between a delivery's start and its run's first row. */
const BEGIN_MS = 60_000

/**
 * Part of the minute job. Dispatches running deliveries without a worker to another instance, which continues or completes
 * them. Deliveries whose run never started are queued again.
 */
export async function recoverLostDeliveries({ db, clock, backgroundRuns }: Dispatching): Promise<void> {
  const now = clock.now()
  await requeueUnstarted(db, now)
  const isOver = and(isNotNull(executions.id), ne(executions.state, 'INPROGRESS'))
  const { id, triggerId, flowId, workspaceId, attempts, startedDate } = triggerDeliveries
  const lost = await acrossWorkspaces(db, 'the minute job finds lost deliveries of every workspace')
    .select({
      startedDate,
      params: {
        deliveryId: id,
        triggerId,
        flowId,
        workspaceId,
        attempt: sql<number>`${attempts} - 1`,
        chatId: ownChatId,
      },
    })
    .from(triggerDeliveries)
    .leftJoin(executions, eq(executions.id, triggerDeliveries.executionId))
    .where(and(eq(triggerDeliveries.state, 'running'), isInUse(workspaceId), or(isOver, isExpired(now))))
    // The oldest of each workspace, then the second of each, and so on.
    .orderBy(
      sql`row_number() over (partition by ${workspaceId} order by ${startedDate}, ${id})`,
      asc(triggerDeliveries.startedDate),
    )
    .limit(placesForLost())
  const instances = lost.map(({ startedDate, params }) => {
    keepPlace(params.deliveryId, params.workspaceId, null)
    return {
      id: replaceableId(`${params.deliveryId}-rest-${params.attempt}`, {
        since: startedDate ?? '',
        now,
        replaceAfterMs: 60_000,
      }),
      params: { kind: 'delivery' as const, ...params, notBefore: null },
    }
  })
  await createInstances<DeliveryParams>(backgroundRuns, instances)
}

/** Queues deliveries whose worker died between the claim and the first row of the run. */
async function requeueUnstarted(db: Services['db'], now: Date): Promise<void> {
  const begun = sql`select 1 from ${executions} where ${executions.id} = ${triggerDeliveries.executionId}`
  await acrossWorkspaces(db, 'the minute job requeues deliveries of every workspace that never began')
    .update(triggerDeliveries)
    .set({ state: 'queued', attempts: sql`${triggerDeliveries.attempts} - 1`, handedDate: null, executionId: null })
    .where(
      and(
        eq(triggerDeliveries.state, 'running'),
        lt(triggerDeliveries.startedDate, new Date(now.getTime() - BEGIN_MS).toISOString()),
        sql`not exists (${begun})`,
      ),
    )
}
