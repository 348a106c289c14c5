/** A running occurrence of a node, with its attempts. Each attempt has its own signal and timeout. */

import { errorMessage } from '#contract/errors.ts'
import type { TraceData, UsageMetadata } from '#contract/runs/events.ts'
import { addUsage } from '#contract/runs/usage.ts'
import type { StepResult } from '../nodes/types.ts'
import type { Clock } from '../ports/types.ts'
import type { Frame } from './frame.ts'
import { meaningOf } from './log-rows.ts'
import type { PlanNode } from './plan.ts'
import type { StepRow } from './types.ts'

export interface Step {
  frame: Frame
  node: PlanNode
  path: string
  startedAt: string
  /** Usage before it asked a person. */
  usedBefore?: UsageMetadata
  /** Usage of the current attempt. */
  usage?: UsageMetadata
  failedAttempts: NonNullable<TraceData['failedAttempts']>
}

/** Returns the earlier usage and failed attempts of an occurrence, from the row that its next row replaces. */
export function usedUntil(row: StepRow | undefined): Pick<Step, 'usedBefore' | 'failedAttempts'> {
  if (!row || row.isCopied) return { failedAttempts: [] }
  const { error, output, failedAttempts = [] } = row.item.data
  const used = output?.usageMetadata
  if (meaningOf(row) !== 'failed') return { usedBefore: used, failedAttempts: [...failedAttempts] }
  const failed = { error: error ?? row.item.status, at: row.finishedAt, ...(used && { usageMetadata: used }) }
  return { failedAttempts: [...failedAttempts, failed] }
}

/** Returns the usage of an occurrence, without its failed attempts. */
export function usedBy({ usedBefore, usage }: Step): UsageMetadata | undefined {
  return usage ? addUsage(usedBefore, usage) : usedBefore
}

export interface Attempt {
  signal: AbortSignal
  /** False once the attempt is over. Later events are ignored. */
  isOpen(): boolean
}

/** Runs the attempts that the node's policy allows. Throws the error of the last one, or the abort reason. */
export async function attempts(
  step: Step,
  clock: Clock,
  once: (attempt: Attempt) => Promise<StepResult>,
): Promise<StepResult> {
  const { retries, retryWaitSeconds } = step.node.policy
  const { signal } = step.frame
  for (let tried = 0; ; tried++) {
    try {
      return await attempt(step, clock, once)
    } catch (error) {
      if (signal.aborted || tried === retries) throw error
      step.failedAttempts.push({
        error: errorMessage(error),
        at: clock.now().toISOString(),
        ...(step.usage && { usageMetadata: step.usage }),
      })
      step.usage = undefined
      await clock.sleep(retryWaitSeconds * 1000 * 2 ** tried, signal)
    }
  }
}

async function attempt(
  { node, frame }: Step,
  clock: Clock,
  once: (attempt: Attempt) => Promise<StepResult>,
): Promise<StepResult> {
  const { timeoutSeconds } = node.policy
  const limit = timeoutSeconds === null ? undefined : startLimit(timeoutSeconds, frame, clock)
  const signal = limit?.signal ?? frame.signal
  let isOpen = true
  try {
    return await orStopped(once({ signal, isOpen: () => isOpen }), signal)
  } finally {
    isOpen = false
    limit?.end()
  }
}

/** Returns a signal that aborts with the frame's, and when the time is up before the end. */
function startLimit(seconds: number, frame: Frame, clock: Clock) {
  const tooLong = new AbortController()
  const ended = new AbortController()
  const late = new Error(`Timed out after ${seconds} seconds`)
  clock.sleep(seconds * 1000, ended.signal).then(
    () => tooLong.abort(late),
    () => {},
  )
  return { signal: AbortSignal.any([frame.signal, tooLong.signal]), end: () => ended.abort() }
}

/** Rejects when the signal aborts, even if the node ignores the signal. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
