/** The Workflow of one delivery: makes its attempts. It can be interrupted and restarted at any point. */
import { and, eq } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import { faultOf, isDatabaseFailure } from '#db/database-failure.ts'
import { triggerDeliveries } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { STEP, type Steps } from '../../jobs/instances.ts'
import { hasPlace, inPlace, noteWaiting, sharePlaces, takeWaiting } from '../../jobs/places.ts'
import { metrics } from '../../ports/metrics/metrics.ts'
import { writeWhile } from '../../runs/records/write-while.ts'
import { leaseEnd } from '../../runs/recovery/lease.ts'
import { runFlow } from '../../runs/run-flow.ts'
import type { RunStart } from '../../runs/run-start.ts'
import { resumeTriggeredRun, startTriggeredRun } from '../../runs/triggered-run.ts'
import type { Services } from '../../services.ts'
import { type FollowUp, followUp, followUpCompleted, sendNotifications } from './after-delivery.ts'
import { type ClaimedDelivery, claimDelivery, type UnclaimedDelivery } from './claim-delivery.ts'
import { type AttemptResult, completionStatements, type DeliveryAttempt, toAttemptResult } from './complete-delivery.ts'
import type { DeliveryParams } from './delivery-params.ts'
import { runRecords } from './delivery-records.ts'
import { dispatchQueued } from './dispatch.ts'
import { recoverDelivery } from './recover-deliveries.ts'
import { inputOf } from './run-input.ts'

export async function runDelivery(services: Services, params: DeliveryParams, step: Steps): Promise<void> {
  let { attempt, notBefore } = params
  for (;;) {
    const waitMs = notBefore === null ? 0 : Date.parse(notBefore) - services.clock.now().getTime()
    if (waitMs > 0) await step.sleep(`until try ${attempt + 1}`, waitMs)
    const current = { ...params, attempt }
    const { again, mustNotify } = await step.do(`try ${attempt + 1}`, STEP, () => attemptInPlace(services, current))
    if (mustNotify) await step.do('tell', STEP, async () => void (await sendNotifications(services, params)))
    if (again === null) return
    notBefore = again
    attempt++
  }
}

const DONE: FollowUp = { again: null, mustNotify: false }

/** When what waits cannot be started, the next run that ends does it, or the minute job: this attempt must not be repeated. */
async function attemptInPlace(services: Services, params: DeliveryParams): Promise<FollowUp> {
  const { deliveryId, workspaceId } = params
  const mayStart = hasPlace(deliveryId, workspaceId)
  if (params.isMoreWaiting) noteWaiting()
  if (!mayStart) noteWaiting(sharePlaces().full.includes(workspaceId) ? [workspaceId] : undefined)
  const next = await inPlace(deliveryId, workspaceId, () => attemptDelivery(services, params, mayStart))
  await startWaiting(services)
  return next
}

/** Runs that end meanwhile leave their places to this one. */
async function startWaiting(services: Services): Promise<void> {
  try {
    while (takeWaiting()) await dispatchQueued(services, services.clock.now())
  } catch (error) {
    noteWaiting()
    console.error(`Deliveries wait for the next run that ends, or the next minute: ${errorMessage(error)}`)
  }
}

async function attemptDelivery(services: Services, params: DeliveryParams, mayStart: boolean): Promise<FollowUp> {
  const claimed = await claimDelivery(services, params, { mayStart })
  if (!('readRunContext' in claimed)) return continueDelivery(services, claimed, { ...params, mayStart })
  if (params.attempt === 0) countStart(claimed, params, services.clock.now())
  return startRun(services, claimed)
}

/** A delay that the trigger is set to is none. */
function countStart({ delivery }: ClaimedDelivery, { notBefore }: DeliveryParams, now: Date): void {
  const due = Date.parse(notBefore ?? delivery.dueDate)
  metrics.triggerDelays.observe(Math.max(0, now.getTime() - due) / 1000, { source: delivery.source })
}

async function startRun(services: Services, claimed: ClaimedDelivery): Promise<FollowUp> {
  const { delivery, trigger } = claimed
  let start: RunStart
  try {
    start = await storeStart(services, startOf(services, claimed))
  } catch (error) {
    if (faultOf(error) || isUniqueViolation(error)) throw error
    const end = { error: errorMessage(error), text: '', totalTokens: 0, totalCost: null, at: services.clock.now() }
    await services.db.batch(completionStatements(services.db, claimed, end))
    return followUp(services, { delivery, trigger, end })
  }
  return runToEnd(services, start, claimed)
}

/**
 * Stores the run's row first, so that a run whose first step crashes the worker is not restarted forever. While the lease
 * lasts, nobody else takes the run up, so it is tried until then. Throws what may pass, or says that another instance has
 * begun the run, as it is.
 */
async function storeStart({ db, clock }: Services, { opening, ...opened }: RunStart): Promise<RunStart> {
  const isHeld = () => clock.now().getTime() < leaseEnd(opened.lease)
  try {
    if (opening) await writeWhile(isHeld, db, opening)
    return opened
  } catch (error) {
    if (!isDatabaseFailure(error) || faultOf(error) || isUniqueViolation(error)) throw error
    console.error(`run ${opened.executionId} could not be stored: ${errorMessage(error)}`)
    const isTooLong = errorMessage(error).includes('string or blob too big')
    const why = isTooLong ? 'What it was called with is too long.' : 'The log of the server says why.'
    throw new Error(`This run could not be stored, so it was not started. ${why}`)
  }
}

/** Throws when the flow cannot be started. */
function startOf(services: Services, { delivery, trigger, readRunContext, target }: ClaimedDelivery): RunStart {
  const chatType = trigger.kind === 'schedule' ? 'SCHEDULED' : 'WEBHOOK'
  const input = inputOf(trigger.settings, delivery.payload)
  return startTriggeredRun(services, readRunContext(), { ...target, chatType, input })
}

/** Handles a delivery that was not claimed: it waits for a running one or a place, lost its worker, or has ended. */
async function continueDelivery(
  services: Services,
  { delivery, trigger, target }: UnclaimedDelivery,
  { attempt, mayStart }: { attempt: number; mayStart: boolean },
): Promise<FollowUp> {
  if (!delivery || !trigger) return DONE
  const closing = { delivery, trigger }
  if (delivery.state === 'queued' && delivery.attempts === attempt) await skipOrDefer(services, closing, mayStart)
  if (delivery.executionId !== target.executionId) return DONE
  if (delivery.state !== 'running') return followUpCompleted(services, closing)
  const resumed = await resumeTriggeredRun(services, target)
  if (resumed) return runToEnd(services, resumed, closing)
  const completed = await recoverDelivery(services, closing)
  return completed ? followUp(services, completed) : DONE
}

/** Skips or defers a delivery while another run is in progress. Retries, and what only lacks a place, are never skipped. */
async function skipOrDefer(
  { db, clock }: Services,
  { delivery, trigger }: DeliveryAttempt,
  mayStart: boolean,
): Promise<void> {
  const { settings } = trigger
  const isSkipped = mayStart && settings.kind === 'schedule' && settings.overlap === 'skip' && delivery.attempts === 0
  const isWaiting = and(
    eq(triggerDeliveries.id, delivery.id),
    eq(triggerDeliveries.state, 'queued'),
    eq(triggerDeliveries.attempts, delivery.attempts),
  )
  const skipped = { state: 'skipped' as const, reason: OVERLAPPING, finishedDate: clock.now().toISOString() }
  await scope(db, delivery).update(triggerDeliveries, isWaiting, isSkipped ? skipped : { handedDate: null })
}

const OVERLAPPING = 'The previous run was still in progress, and the trigger is set to skip overlapping runs'

/** Nothing follows when the end could not be stored: then the minute job recovers the delivery. */
async function runToEnd(services: Services, start: RunStart, closing: DeliveryAttempt): Promise<FollowUp> {
  let end: AttemptResult | undefined
  const run = await runFlow(services, start, {
    emit() {},
    closing(outcome) {
      end = toAttemptResult(outcome, services.clock.now())
      const { trigger } = closing
      return [...completionStatements(services.db, closing, end), ...runRecords(services, trigger, start, outcome)]
    },
  })
  return end && !run.isNotStored ? followUp(services, { ...closing, end }) : DONE
}
