/** What a Workflow instance does: the tries of one delivery. It may be broken off and begun again anywhere. */
import { and, eq } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import { triggerDeliveries } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { STEP, type Steps } from '../../jobs/instances.ts'
import { runFlow } from '../../runs/run-flow.ts'
import type { Statement } from '../../runs/run-record.ts'
import type { RunStart } from '../../runs/run-start.ts'
import type { Services } from '../../services.ts'
import { resumeTriggeredRun, startTriggeredRun } from '../predictions/index.ts'
import { type FollowUp, followUp, followUpCompleted, sendNotifications } from './after-delivery.ts'
import { type ClaimedDelivery, claimDelivery, type UnclaimedDelivery } from './claim-delivery.ts'
import { type AttemptResult, attemptResultOf, completionStatements, type DeliveryAttempt } from './complete-delivery.ts'
import type { DeliveryParams } from './delivery-params.ts'
import { recoverDelivery } from './recover-deliveries.ts'
import { inputOf } from './run-input.ts'

export async function runDelivery(services: Services, params: DeliveryParams, step: Steps): Promise<void> {
  let { attempt, notBefore } = params
  for (;;) {
    const early = notBefore === null ? 0 : Date.parse(notBefore) - services.clock.now().getTime()
    if (early > 0) await step.sleep(`until try ${attempt + 1}`, early)
    const made = { ...params, attempt }
    const { again, mustNotify } = await step.do(`try ${attempt + 1}`, STEP, () => attemptDelivery(services, made))
    if (mustNotify) await step.do('tell', STEP, async () => void (await sendNotifications(services, params)))
    if (again === null) return
    notBefore = again
    attempt++
  }
}

const NOTHING: FollowUp = { again: null, mustNotify: false }

async function attemptDelivery(services: Services, params: DeliveryParams): Promise<FollowUp> {
  const taken = await claimDelivery(services, params)
  return 'readRunContext' in taken ? begin(services, taken) : continueDelivery(services, taken, params.attempt)
}

async function begin(services: Services, taken: ClaimedDelivery): Promise<FollowUp> {
  const { delivery, trigger } = taken
  let start: RunStart
  try {
    start = startOf(services, taken)
  } catch (thrown) {
    const end = { error: errorMessage(thrown), text: '', totalTokens: 0, totalCost: null, at: services.clock.now() }
    await services.db.batch(completionStatements(services.db, taken, end))
    return followUp(services, { delivery, trigger, end })
  }
  const { opening, ...begun } = start
  // A run that breaks its worker with its first step must have its row, so that it is not begun for ever.
  if (opening) await services.db.batch(opening as [Statement, ...Statement[]])
  return follow(services, begun, taken)
}

/** Throws when nothing can begin as the flow stands. */
function startOf(services: Services, { delivery, trigger, readRunContext, target }: ClaimedDelivery): RunStart {
  const chatType = trigger.kind === 'schedule' ? 'SCHEDULED' : 'WEBHOOK'
  const input = inputOf(trigger.settings, delivery.payload)
  return startTriggeredRun(services, readRunContext(), { ...target, chatType, input })
}

/** What could not be taken: it waits for the run before it, its worker is gone, or it is over. */
async function continueDelivery(
  services: Services,
  { delivery, trigger, target }: UnclaimedDelivery,
  attempt: number,
): Promise<FollowUp> {
  if (!delivery || !trigger) return NOTHING
  const closing = { delivery, trigger }
  if (delivery.state === 'queued' && delivery.attempts === attempt) await wait(services, closing)
  if (delivery.executionId !== target.executionId) return NOTHING
  if (delivery.state !== 'running') return followUpCompleted(services, closing)
  const rest = await resumeTriggeredRun(services, target)
  if (rest) return follow(services, rest, closing)
  const closed = await recoverDelivery(services, closing)
  return closed ? followUp(services, closed) : NOTHING
}

/** A run before it goes on: it is skipped, or waits. What has failed once is not skipped any more. */
async function wait({ db, clock }: Services, { delivery, trigger }: DeliveryAttempt): Promise<void> {
  const { settings } = trigger
  const isSkipped = settings.kind === 'schedule' && settings.overlap === 'skip' && delivery.attempts === 0
  const isWaiting = and(
    eq(triggerDeliveries.id, delivery.id),
    eq(triggerDeliveries.state, 'queued'),
    eq(triggerDeliveries.attempts, delivery.attempts),
  )
  const skipped = { state: 'skipped' as const, reason: STILL_GOING, finishedDate: clock.now().toISOString() }
  await scope(db, delivery).update(triggerDeliveries, isWaiting, isSkipped ? skipped : { handedDate: null })
}

const STILL_GOING = 'The run before it was still going on, and it is set to skip then'

/** Nothing follows when the end could not be written: the minute job finds out what became of it. */
async function follow(services: Services, start: RunStart, closing: DeliveryAttempt): Promise<FollowUp> {
  let end: AttemptResult | undefined
  const run = await runFlow(services, start, {
    emit() {},
    closing(outcome) {
      end = attemptResultOf(outcome, services.clock.now())
      return completionStatements(services.db, closing, end)
    },
  })
  return end && !run.isNotStored ? followUp(services, { ...closing, end }) : NOTHING
}
