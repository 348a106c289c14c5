/** Interprets the rows of a log. */

import { ERROR_OUTPUT } from '#contract/flow/params/run-policy.ts'
import type { TraceData } from '#contract/runs/events.ts'
import type { StepRow } from './types.ts'

type Logged = Pick<StepRow, 'path' | 'nodeId' | 'takenOutputs' | 'item'>

/**
 * `ended`: the step is complete and the run continues after it. `waiting`: it waits for a person. `answered`: that
 * person's answer. `failed`: the attempt failed, and the step may run again.
 */
type Meaning = 'ended' | 'waiting' | 'answered' | 'failed'

/** Returns a step's data for the run, including withheld values that `item.data` hides. */
export function dataOf({ item, withheld }: Pick<StepRow, 'item' | 'withheld'>): TraceData {
  const { secrets: _, ...hidden } = withheld ?? {}
  return withheld ? { ...item.data, ...hidden } : item.data
}

export function meaningOf({ item, takenOutputs }: Logged): Meaning {
  if (item.status === 'FINISHED') return 'ended'
  if (item.status === 'STOPPED') return item.data.answer ? 'answered' : 'waiting'
  return item.status === 'ERROR' && takenOutputs?.includes(ERROR_OUTPUT) ? 'ended' : 'failed'
}
