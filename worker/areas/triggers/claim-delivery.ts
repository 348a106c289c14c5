/**
 * Claims a delivery for one attempt with a conditional update. Until the run's first row is stored, the claim may be made
 * again: its answer may be lost, or its instance die. Of several instances that claim, one can store that row.
 */
import { and, eq, notExists, or, type SQL, sql } from 'drizzle-orm'
import { executions, triggerDeliveries, triggers } from '#db/schema/index.ts'
import { isInUse, scope, type Tenant } from '#db/scope.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import { readTriggeredRunContext, type TriggeredRun } from '../../runs/triggered-run.ts'
import type { Services } from '../../services.ts'
import type { DeliveryParams } from './delivery-params.ts'
import { type DeliveryRow, deriveExecutionId, type TriggerRow } from './rows.ts'

/** A delivery that this instance must run. */
export interface ClaimedDelivery {
  delivery: DeliveryRow
  trigger: TriggerRow
  /** Throws `not_found` when the flow was deleted, or the error that prevents reading it. */
  readRunContext(): RunContext
  target: Pick<TriggeredRun, 'flow' | 'executionId' | 'chatId'>
}

/** A delivery that was deleted, has ended, waits for a running one, or was claimed by another instance. */
export interface UnclaimedDelivery {
  delivery?: DeliveryRow
  trigger?: TriggerRow
  target: ClaimedDelivery['target']
}

/** Claims the delivery, if it may start, and reads the context of its run in one round trip. */
export async function claimDelivery(
  services: Services,
  params: DeliveryParams,
  { mayStart }: { mayStart: boolean },
): Promise<ClaimedDelivery | UnclaimedDelivery> {
  const { db, clock } = services
  const { deliveryId, triggerId, flowId, attempt, chatId } = params
  const flow = { id: flowId, workspaceId: params.workspaceId }
  const executionId = await deriveExecutionId(flow, { id: deliveryId, attempt })
  const target = { flow, executionId, ...(chatId !== null && { chatId }) }
  const rows = scope(db, flow)
  const runContext = readTriggeredRunContext(services, target)
  const claim = rows
    .update(triggerDeliveries, isClaimable(services, { params, executionId, mayStart }), {
      state: 'running',
      attempts: attempt + 1,
      startedDate: clock.now().toISOString(),
      nextAttemptDate: null,
      handedDate: null,
      executionId,
    })
    .returning({ id: triggerDeliveries.id })
  const [claimed, deliveries, triggerRows, ...contextRows] = await db.batch([
    claim,
    rows.select(triggerDeliveries, eq(triggerDeliveries.id, deliveryId)),
    rows.select(triggers, eq(triggers.id, triggerId)),
    ...runContext.statements,
  ])
  const [delivery] = deliveries
  const [trigger] = triggerRows
  if (!claimed[0] || !delivery || !trigger) return { delivery, trigger, target }
  return { delivery, trigger, readRunContext: () => runContext.read(contextRows), target }
}

interface Attempt {
  params: DeliveryParams
  executionId: string
  mayStart: boolean
}

/** The delivery waits and may start, or it was claimed for this attempt and its run has no row. */
function isClaimable({ db }: Pick<Services, 'db'>, { params, executionId, mayStart }: Attempt): SQL | undefined {
  const { deliveryId, attempt } = params
  const isRun = scope(db, params).inWorkspace(executions, eq(executions.id, executionId))
  const isUnbegun = notExists(db.select({ one: sql`1` }).from(executions).where(isRun))
  const isWaiting = and(eq(triggerDeliveries.state, 'queued'), eq(triggerDeliveries.attempts, attempt))
  const isClaimed = and(eq(triggerDeliveries.state, 'running'), eq(triggerDeliveries.executionId, executionId))
  return and(
    eq(triggerDeliveries.id, deliveryId),
    isInUse(triggerDeliveries.workspaceId),
    or(mayStart ? and(isWaiting, canStartNow(params, params)) : undefined, and(isClaimed, isUnbegun)),
  )
}

/** While another run is in progress, a scheduled delivery starts only when runs may overlap; queues start the oldest first. */
function canStartNow({ workspaceId }: Tenant, { deliveryId, triggerId }: DeliveryParams) {
  const before = sql`
    select 1 from ${triggerDeliveries} before
    where before.workspace_id = ${workspaceId} and before.trigger_id = ${triggerId} and before.id <> ${deliveryId}
      and (+before.state = 'running'
        or before.state = 'queued' and before.source = 'schedule' and before.attempts = 0
          and before.due_date < ${triggerDeliveries}.due_date)`
  const mayOverlap = sql`
    select 1 from ${triggers}
    where ${triggers.id} = ${triggerId} and json_extract(${triggers.settings}, '$.overlap') = 'together'`
  return sql`(${triggerDeliveries.source} <> 'schedule' or exists (${mayOverlap}) or not exists (${before}))`
}
