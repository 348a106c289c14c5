/** Runs together with the runs that they called. */
import { and, type SQL, sql } from 'drizzle-orm'
import { executions } from '#db/schema/index.ts'
import type { Scope } from '#db/scope.ts'

/** Selects the ids of these runs and of all runs below them. `first` selects ids. */
export const runTreeOf = (first: SQL): SQL => sql`(
  with recursive family(id) as (
    select * from ${first}
    union select ${executions.id} from ${executions} join family on ${executions.parentExecutionId} = family.id
  ) select id from family
)`

/** Ends the runs below this one that wait for a person: nobody will ask the question again. */
export function endWaitingSubruns(rows: Scope, { executionId, now }: { executionId: string | SQL; now: string | SQL }) {
  const called = sql`(select id from executions where parent_execution_id = ${executionId})`
  // The `+` keeps SQLite from going through all runs that wait.
  const waiting = and(sql`+${executions.state} = 'STOPPED'`, sql`${executions.id} in ${runTreeOf(called)}`)
  return rows.update(executions, waiting, {
    state: 'TERMINATED',
    action: null,
    error: 'The run that called this one has ended.',
    updatedDate: sql`${now}` as never,
    stoppedDate: sql`${now}` as never,
  })
}
