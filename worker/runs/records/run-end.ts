import type { HumanInputAction, RunState, TraceItem } from '#contract/runs/events.ts'
import type { LimitName } from '#contract/runs/limits.ts'
import type { RunOutcome } from '../../engine/types.ts'

export interface RunEnd {
  state: RunState
  text: string
  trace: TraceItem[]
  error?: string
  limit?: LimitName
  action?: HumanInputAction
  /** The end could not be written: another worker has the run, or will recover it. */
  isNotStored?: true
}

/** Returns true when the run ended without an answer: in an error, or at a limit. */
export const hasFailed = ({ state, limit }: Pick<RunOutcome, 'state' | 'limit'>): boolean =>
  state === 'ERROR' || state === 'TIMEOUT' || limit !== undefined
