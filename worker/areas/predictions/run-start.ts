/** What a run stands on when it begins or goes on. */
import type { RunLimits } from '#contract/limits.ts'
import type { StepRow } from '../../engine/types.ts'
import type { Services } from '../../services.ts'
import { newLease, type Statement } from '../executions/index.ts'
import { runInput, type StoredCall } from './call.ts'
import type { Ground } from './ground.ts'

export interface RunStart {
  executionId: string
  chatId: string
  sessionId: string
  call: StoredCall
  ground: Ground
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
export function begin(
  { clock }: Pick<Services, 'clock'>,
  run: Pick<RunStart, 'executionId' | 'chatId' | 'sessionId' | 'call' | 'ground' | 'fresh'>,
): RunStart {
  const startedAt = clock.now()
  const question = runInput(run.call).text
  return { ...run, lease: newLease(startedAt), startedAt, question, done: [], secondsBefore: 0 }
}

/** A run that goes on under this lease, from the rows that it left. */
export function goOn(ground: Ground, lease: string): RunStart {
  if (!ground.run) throw new Error('The ground was read without the run')
  const { id, chatId, sessionId, input, createdDate, workSeconds, steps } = ground.run
  const call = JSON.parse(input) as StoredCall
  return {
    executionId: id,
    chatId,
    sessionId,
    call,
    ground,
    lease,
    startedAt: new Date(createdDate),
    question: runInput(call).text,
    done: steps,
    secondsBefore: workSeconds,
  }
}
