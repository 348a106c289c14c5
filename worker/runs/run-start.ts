/** What a run stands on when it begins or goes on. */
import type { RunLimits } from '#contract/limits.ts'
import type { StepRow } from '../engine/types.ts'
import type { Services } from '../services.ts'
import { runInput, type StoredCall } from './call.ts'
import { createLease } from './lease.ts'
import type { RunContext } from './run-context.ts'
import type { Statement } from './run-record.ts'

export interface RunStart {
  executionId: string
  chatId: string
  sessionId: string
  call: StoredCall
  runContext: RunContext
  lease: string
  /** When the person or caller spoke whom the next answer answers, and what they said. */
  startedAt: Date
  question: string
  /** Files of the call that are at hand, by their ids. */
  fresh?: ReadonlyMap<string, Uint8Array>
  /** The steps that the run has behind it. */
  done: StepRow[]
  /** Writes the rows of a new run; they are stored behind it. */
  opening?: Statement[]
  /** Seconds that it worked before. */
  secondsBefore: number
  /** Of a run that another one called. */
  caller?: Caller
}

export interface Caller {
  executionId: string
  /** The flows whose runs called this one, outermost first. */
  calledBy: string[]
  limitsLeft: RunLimits
}

/** A new run under a lease of its own; its rows are for the caller to open. */
export function createRun(
  { clock }: Pick<Services, 'clock'>,
  run: Pick<RunStart, 'executionId' | 'chatId' | 'sessionId' | 'call' | 'runContext' | 'fresh'>,
): RunStart {
  const startedAt = clock.now()
  const question = runInput(run.call).text
  return { ...run, lease: createLease(startedAt), startedAt, question, done: [], secondsBefore: 0 }
}

/** A run that goes on under this lease, from the rows that it left. */
export function continueRun(runContext: RunContext, lease: string): RunStart {
  if (!runContext.run) throw new Error('The ground was read without the run')
  const { id, chatId, sessionId, input, createdDate, workSeconds, steps } = runContext.run
  const call = JSON.parse(input) as StoredCall
  return {
    executionId: id,
    chatId,
    sessionId,
    call,
    runContext,
    lease,
    startedAt: new Date(createdDate),
    question: runInput(call).text,
    done: steps,
    secondsBefore: workSeconds,
  }
}
