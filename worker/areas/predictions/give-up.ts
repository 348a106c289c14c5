/** Ends a run that cannot go on, with a reason. */
import type { RunOutcome } from '../../engine/types.ts'
import type { Services } from '../../services.ts'
import { MAX_ATTEMPTS, openRunRecord } from '../executions/index.ts'
import { answerStatements } from './rows.ts'
import type { RunStart } from './run-start.ts'

/** Why a run that was taken up again is not run again; undefined when it is. */
export function reasonToGiveUp({ ground }: RunStart): string | undefined {
  if ((ground.run?.attempts ?? 0) <= MAX_ATTEMPTS) return undefined
  return `This run was interrupted ${MAX_ATTEMPTS} times, so it was given up. Send the question again.`
}

export async function giveUp(services: Services, start: RunStart, error: string): Promise<void> {
  const { db, clock } = services
  const nothing = () => {}
  const record = openRunRecord({
    db,
    clock,
    executionId: start.executionId,
    lease: start.lease,
    secondsBefore: start.secondsBefore,
    onStop: nothing,
    onLost: nothing,
  })
  const trace = start.done.map(({ item }) => item)
  const outcome: RunOutcome = { state: 'ERROR', text: '', trace, error, flowState: {}, totalTokens: 0, totalCost: null }
  try {
    await record.write(answerStatements(services, start, outcome))
  } finally {
    record.close()
  }
}
