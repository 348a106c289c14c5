/** A run that is about to begin or to resume. */
import type { RunLimits } from '#contract/runs/limits.ts'
import type { StepRow } from '../engine/types.ts'
import type { Services } from '../services.ts'
import type { RunContext } from './context/run-context.ts'
import { runInput, type StoredCall } from './inputs/call.ts'
import type { Statement } from './records/run-record.ts'
import { createLease } from './recovery/lease.ts'

export interface RunStart {
  executionId: string
  chatId: string
  sessionId: string
  call: StoredCall
  runContext: RunContext
  lease: string
  /** When the question that the next answer belongs to was asked. */
  startedAt: Date
  question: string
  /** The person who asks: the email of the call, or else the lead of the chat. */
  lead?: { leadEmail: string } | { leadId: string }
  /** Bytes of files that came with the call, by file id. */
  fresh?: ReadonlyMap<string, Uint8Array>
  /** Steps in the log already. */
  done: StepRow[]
  /** Inserts the rows of a new run; written while it runs. */
  opening?: Statement[]
  /** Its caller waits for it and would ask again, so the opening rows may come late. */
  opensLate?: boolean
  /** Seconds of work in earlier attempts. */
  secondsBefore: number
  /** The run that called this one. */
  caller?: Caller
}

export interface Caller {
  executionId: string
  /** The flows whose runs called this one, outermost first. */
  calledBy: string[]
  limitsLeft: RunLimits
}

/** Returns a new run under a new lease, without the statements that insert its rows. */
export function createRun(
  { clock }: Pick<Services, 'clock'>,
  run: Pick<RunStart, 'executionId' | 'chatId' | 'sessionId' | 'call' | 'runContext' | 'fresh'>,
): RunStart {
  const startedAt = clock.now()
  const question = runInput(run.call).text
  return { ...run, lease: createLease(startedAt), startedAt, question, done: [], secondsBefore: 0 }
}

/** Returns the rest of a stored run, under this lease. */
export function continueRun(runContext: RunContext, lease: string): RunStart {
  if (!runContext.run) throw new Error('The run context was read without the run')
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
