/** Ends a run that cannot be resumed, with a reason. */
import { eq, sql } from 'drizzle-orm'
import { executions } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { createRunRecord } from '../records/run-record.ts'
import { endWaitingSubruns } from '../records/run-tree.ts'
import { type Claimed, MAX_ATTEMPTS } from './orphans.ts'

/** Returns why a claimed run is given up; undefined when it is to be resumed. */
export function failureReason({ attempts }: Pick<Claimed, 'attempts'>): string | undefined {
  if (attempts <= MAX_ATTEMPTS) return undefined
  return 'This run was interrupted twice, so it was given up. Send the question again.'
}

/** Changes nothing when the lease was lost. A cancelled run stays cancelled. */
export async function failRun({ db, clock }: Services, run: Claimed, error: string): Promise<void> {
  const rows = scope(db, run)
  const now = clock.now().toISOString()
  const nothing = () => {}
  const record = createRunRecord({
    db,
    clock,
    executionId: run.id,
    lease: run.lease,
    secondsBefore: run.workSeconds,
    seal: async () => null,
    onStop: nothing,
    onLost: nothing,
  })
  const end = rows.update(executions, eq(executions.id, run.id), {
    state: sql`case when ${executions.state} = 'TERMINATED' then 'TERMINATED' else 'ERROR' end` as never,
    error,
    leaseExpiresDate: null,
    updatedDate: now,
  })
  const called = endWaitingSubruns(rows, { executionId: run.id, now })
  try {
    await record.write(run.parentExecutionId ? [end] : [end, called])
  } finally {
    record.close()
  }
}
