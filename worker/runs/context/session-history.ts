/** Conditions for what a session said and did before a run. */
import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { executions } from '#db/schema/index.ts'

export interface SessionQuery {
  /** The session of a new run. Absent: a new session without history. */
  sessionId?: string | SQL
  /** The id of a run to resume; its history ends where the run began. Null in SQL: there is no such run. */
  run?: SQL
  /** 1 for a member's run of the draft, 0 for a call from outside: neither continues the other. Null: either. */
  isInternal?: number | null | SQL
}

/** Selects a column of that run; null when there is none. */
export const columnOfRun = (run: SQL, column: SQLiteColumn | SQL): SQL =>
  sql`(select ${column} from ${executions} where ${executions.id} = (${run}))`

/** The chat type of a run. */
export const CHAT_TYPE = sql<string>`coalesce(json_extract(${executions.input}, '$.chatType'), 'EXTERNAL')`

interface PastColumns {
  session: SQLiteColumn
  date: SQLiteColumn
  run: SQLiteColumn
  chatType: SQLiteColumn | SQL
}

/**
 * Returns a function that builds the condition for a session's history: all of it for a new run, and what there was at
 * its beginning for a run that is resumed. A replay has the history of the run that it repeats (`past` of its call).
 */
export function buildHistoryFilter({ sessionId, run, isInternal = null }: SessionQuery) {
  return (ofFlow: SQL, { session, date, run: owner, chatType }: PastColumns): SQL | undefined => {
    const isOfKind = (kind: SQL) => sql`(${chatType} = 'INTERNAL') = coalesce(${kind}, ${chatType} = 'INTERNAL')`
    if (!run) return sessionId ? and(ofFlow, eq(session, sessionId), isOfKind(sql`${isInternal}`)) : sql`false`
    const own = columnOfRun(run, executions.sessionId)
    const past = (key: string) => columnOfRun(run, sql`json_extract(${executions.input}, ${`$.past.${key}`})`)
    return and(
      ofFlow,
      isOfKind(
        sql`iif(${past('run')} is null, coalesce(${columnOfRun(run, CHAT_TYPE)} = 'INTERNAL', ${isInternal}), null)`,
      ),
      eq(session, sql`coalesce(${past('sessionId')}, ${own}, ${sessionId ?? null})`),
      lte(date, sql`coalesce(${past('before')}, ${columnOfRun(run, executions.createdDate)}, '9')`),
      sql`${owner} is not coalesce(${past('run')}, (${run}))`,
    )
  }
}
