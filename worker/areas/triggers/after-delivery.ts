/** Work after an attempt of a delivery: retries, queued deliveries, callbacks and alerts. */
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import { chatflows, triggerDeliveries, triggers, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { sendAlerts, wantsAlerts } from './alerts.ts'
import { type AttemptResult, type DeliveryAttempt, nextAttemptAt } from './complete-delivery.ts'
import { dispatch } from './dispatch.ts'
import { callbackUrlOf, isCallbackSent, sendCallback } from './webhook/callback.ts'

export type CompletedAttempt = DeliveryAttempt & { end: AttemptResult }

export interface FollowUp {
  /** ISO date of the next attempt; null when there is none. */
  again: string | null
  /** True when a callback or an alert must be sent. */
  mustNotify: boolean
}

/** Starts the next queued delivery and returns what else must follow. */
export async function followUp(services: Services, closed: CompletedAttempt): Promise<FollowUp> {
  const again = nextAttemptAt(closed, closed.end)
  if (again) return { again: again.toISOString(), mustNotify: false }
  return finish(services, closed, closed.end.error !== undefined && !closed.end.isStopped)
}

/** `followUp` for an attempt that was completed before, by a worker that may have died right after. */
export async function followUpCompleted(services: Services, closed: DeliveryAttempt): Promise<FollowUp> {
  const { state, nextAttemptDate } = closed.delivery
  if (state === 'queued') return { again: nextAttemptDate, mustNotify: false }
  return finish(services, closed, state === 'dead')
}

async function finish(
  services: Services,
  { delivery, trigger }: DeliveryAttempt,
  hasFailed: boolean,
): Promise<FollowUp> {
  const { settings } = trigger
  if (settings.kind === 'schedule' && settings.overlap === 'queue') await startNext(services, delivery.triggerId)
  return { again: null, mustNotify: (hasFailed && wantsAlerts(trigger)) || callbackUrlOf(settings) !== undefined }
}

/** Dispatches the oldest queued delivery. */
function startNext(services: Services, triggerId: string): Promise<number> {
  const now = services.clock.now()
  const { nextAttemptDate } = triggerDeliveries
  const isReady = or(isNull(nextAttemptDate), lte(nextAttemptDate, now.toISOString()))
  return dispatch(services, { condition: and(eq(triggerDeliveries.triggerId, triggerId), isReady), now, limit: 1 })
}

/**
 * Sends the callback of a webhook once, and the alerts of a dead delivery. Throws when an alert failed, so that the caller
 * can retry.
 */
export async function sendNotifications(services: Services, target: Tenant & { deliveryId: string }): Promise<void> {
  const [row] = await services.db
    .select({
      delivery: triggerDeliveries,
      trigger: triggers,
      flowName: chatflows.name,
      wrappedKey: workspaces.wrappedKey,
    })
    .from(triggerDeliveries)
    .innerJoin(triggers, eq(triggers.id, triggerDeliveries.triggerId))
    .innerJoin(chatflows, eq(chatflows.id, triggers.flowId))
    .innerJoin(workspaces, eq(workspaces.id, triggers.workspaceId))
    .where(scope(services.db, target).inWorkspace(triggerDeliveries, eq(triggerDeliveries.id, target.deliveryId)))
  if (!row) return
  if (callbackUrlOf(row.trigger.settings) && !isCallbackSent(row.delivery)) await sendCallback(services, target)
  if (row.delivery.state === 'dead') await sendAlerts(services, row)
}
