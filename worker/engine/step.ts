/** One occurrence of a node while it runs: its attempts, each with a signal and a time limit of its own. */

import { errorMessage } from '#contract/errors.ts'
import type { TraceData, UsageMetadata } from '#contract/events.ts'
import { addUsage } from '#contract/usage.ts'
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
  /** What it was charged until it asked a person. */
  usedBefore?: UsageMetadata
  /** What the present attempt was charged. */
  usage?: UsageMetadata
  failedAttempts: NonNullable<TraceData['failedAttempts']>
}

/** What an occurrence that runs again used before: of a row of this run, which its next row takes the place of. */
export function usedUntil(row: StepRow | undefined): Pick<Step, 'usedBefore' | 'failedAttempts'> {
  if (!row || row.isCopied) return { failedAttempts: [] }
  const { error, output, failedAttempts = [] } = row.item.data
  const used = output?.usageMetadata
  if (meaningOf(row) !== 'failed') return { usedBefore: used, failedAttempts: [...failedAttempts] }
  const failed = { error: error ?? row.item.status, at: row.finishedAt, ...(used && { usageMetadata: used }) }
  return { failedAttempts: [...failedAttempts, failed] }
}

/** What an occurrence used, without its failed attempts. */
export function usedBy({ usedBefore, usage }: Step): UsageMetadata | undefined {
  return usage ? addUsage(usedBefore, usage) : usedBefore
}

export interface Attempt {
  signal: AbortSignal
  /** False once the attempt is over: what it still says is not heard. */
  isOpen(): boolean
}

/** Runs the attempts that the node's policy allows. Throws what the last one threw, or the reason to stop. */
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
    } catch (thrown) {
      if (signal.aborted || tried === retries) throw thrown
      step.failedAttempts.push({
        error: errorMessage(thrown),
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
  const tooLong = new AbortController()
  const ended = new AbortController()
  const signal = AbortSignal.any([frame.signal, tooLong.signal])
  if (timeoutSeconds !== null) {
    const late = new Error(`There was no result within ${timeoutSeconds} seconds`)
    clock.sleep(timeoutSeconds * 1000, ended.signal).then(
      () => tooLong.abort(late),
      () => {},
    )
  }
  try {
    return await orStopped(once({ signal, isOpen: () => !ended.signal.aborted }), signal)
  } finally {
    ended.abort()
  }
}

/** A node that does not heed the signal cannot hold up the end of the run. */
function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
