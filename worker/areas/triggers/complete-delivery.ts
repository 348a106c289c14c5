/** Completes an attempt of a delivery: it succeeded, is retried later, or is dead. */
import { and, eq, exists, gt, sql } from 'drizzle-orm'
import type { DeliveryResponse } from '#contract/triggers/index.ts'
import type { Database } from '#db/client.ts'
import { triggerDeliveries, triggers } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { RunOutcome } from '../../engine/types.ts'
import { hasFailed } from '../../runs/records/run-end.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import type { DeliveryRow, TriggerRow } from './rows.ts'

const MAX_RESPONSE = 64 * 1024

export interface AttemptResult {
  /** Absent when the run has an answer or waits for a person. */
  error?: string
  /** Stopped by a person: it is not retried and does not count as a failure. */
  isStopped?: boolean
  text: string
  totalTokens: number
  totalCost: number | null
  at: Date
}

/** Converts the outcome of a run. A run that waits for a person counts as success. */
export function toAttemptResult(
  outcome: Pick<RunOutcome, 'state' | 'limit' | 'error' | 'text' | 'totalTokens' | 'totalCost'>,
  at: Date,
): AttemptResult {
  const { state, limit, text, totalTokens, totalCost } = outcome
  const isStopped = state === 'TERMINATED' && limit === undefined
  const hasNoAnswer = hasFailed(outcome) || state === 'TERMINATED'
  const error = hasNoAnswer ? (outcome.error ?? 'The run was stopped') : undefined
  return { ...(error !== undefined && { error }), isStopped, text, totalTokens, totalCost, at }
}

export interface DeliveryAttempt {
  delivery: DeliveryRow
  trigger: TriggerRow
}

/** Returns when a failed attempt is retried; undefined when it is not. */
export function nextAttemptAt({ delivery, trigger }: DeliveryAttempt, end: AttemptResult): Date | undefined {
  const { retries, retryWaitSeconds } = trigger.operations
  if (end.error === undefined || end.isStopped || delivery.attempts > retries) return undefined
  return new Date(end.at.getTime() + retryWaitSeconds * 1000 * 2 ** (delivery.attempts - 1))
}

/** Run together with the statements that end the run. They change nothing when the attempt was completed before. */
export function completionStatements(
  db: Database,
  closing: DeliveryAttempt,
  end: AttemptResult,
): [Statement, ...Statement[]] {
  const { delivery } = closing
  const { error, text, totalTokens, totalCost, at } = end
  const again = nextAttemptAt(closing, end)
  const response: DeliveryResponse = { status: error ? 500 : 200, body: (error ?? text).slice(0, MAX_RESPONSE) }
  const close = scope(db, delivery).update(triggerDeliveries, isOpenAttempt(closing), {
    state: again ? 'queued' : error === undefined ? 'succeeded' : 'dead',
    ...((error !== undefined || delivery.attempts > 1) && { reason: error ?? null }),
    nextAttemptDate: again?.toISOString() ?? null,
    handedDate: again?.toISOString() ?? null,
    ...(!again && { finishedDate: at.toISOString() }),
    duration: at.getTime() - Date.parse(delivery.startedDate ?? delivery.dueDate),
    totalTokens: delivery.totalTokens + totalTokens,
    totalCost: totalCost === null ? delivery.totalCost : (delivery.totalCost ?? 0) + totalCost,
    response,
  })
  const [count] = countStatements(db, closing, { isOver: !again, end })
  return count ? [count, close] : [close]
}

const isOpenAttempt = ({ delivery }: DeliveryAttempt) =>
  and(
    eq(triggerDeliveries.id, delivery.id),
    eq(triggerDeliveries.state, 'running'),
    eq(triggerDeliveries.attempts, delivery.attempts),
  )

/** Counts failures in a row and pauses the trigger at the limit. Manual runs and replays do not count. */
function countStatements(
  db: Database,
  closing: DeliveryAttempt,
  { isOver, end }: { isOver: boolean; end: AttemptResult },
): Statement[] {
  const { trigger, delivery } = closing
  if (!isOver || end.isStopped || delivery.source === 'manual' || delivery.source === 'replay') return []
  const rows = scope(db, delivery)
  const own = eq(triggers.id, trigger.id)
  const isOpen = exists(
    db
      .select({ one: sql`1` })
      .from(triggerDeliveries)
      .where(rows.inWorkspace(triggerDeliveries, isOpenAttempt(closing))),
  )
  if (end.error === undefined) {
    return [rows.update(triggers, and(own, gt(triggers.failuresInRow, 0), isOpen), { failuresInRow: 0 })]
  }
  const { pauseAfter } = trigger.operations
  const isPaused = sql`${triggers.state} = 'active' and ${pauseAfter} > 0 and ${triggers.failuresInRow} + 1 >= ${pauseAfter}`
  const pausedOr = <Column>(column: Column, value: unknown) =>
    sql`case when ${isPaused} then ${value} else ${column} end`
  return [
    rows.update(triggers, and(own, isOpen), {
      failuresInRow: sql`${triggers.failuresInRow} + 1` as never,
      state: pausedOr(triggers.state, 'failing') as never,
      stateReason: pausedOr(triggers.stateReason, pauseReason(pauseAfter, end.error)) as never,
      nextDue: pausedOr(triggers.nextDue, null) as never,
    }),
  ]
}

const pauseReason = (failures: number, error: string) =>
  `Paused after ${failures === 1 ? 'a failure' : `${failures} failures in a row`}. Last error: ${error}`
