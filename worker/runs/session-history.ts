/** What the ground's queries ask of a run that goes on. */
import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { executions } from '#db/schema/index.ts'
import type { RunContextQuery } from './run-context.ts'

/** A column of that run; null when there is none. */
export const columnOfRun = (run: SQL, column: SQLiteColumn | SQL): SQL =>
  sql`(select ${column} from ${executions} where ${executions.id} = (${run}))`

interface PastColumns {
  session: SQLiteColumn
  date: SQLiteColumn
  run: SQLiteColumn
}

/**
 * The condition for what a session had said and done before: for a new run all of it, for one that goes on what there
 * was when it began. A replay stands where the run stood that it repeats (`past` of its stored call).
 */
export function sessionHistoryOf({ sessionId, run }: RunContextQuery) {
  return (ofFlow: SQL, { session, date, run: owner }: PastColumns): SQL | undefined => {
    if (!run) return sessionId ? and(ofFlow, eq(session, sessionId)) : sql`false`
    const own = columnOfRun(run, executions.sessionId)
    const past = (key: string) => columnOfRun(run, sql`json_extract(${executions.input}, ${`$.past.${key}`})`)
    return and(
      ofFlow,
      eq(session, sql`coalesce(${past('sessionId')}, ${own}, ${sessionId ?? null})`),
      lte(date, sql`coalesce(${past('before')}, ${columnOfRun(run, executions.createdDate)}, '9')`),
      sql`${owner} is not coalesce(${past('run')}, (${run}))`,
    )
  }
}
