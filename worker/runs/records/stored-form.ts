/** Reads the forms with which runs began. */
import { type SQL, sql } from 'drizzle-orm'
import { withinRow } from '#db/long-answer.ts'
import { executions, runTexts } from '#db/schema/index.ts'

/** Selects the form of a run as JSON. For statements that select from `executions`. @param rows their greatest number */
export const storedForm = (rows: number): SQL<string | null> => sql<string | null>`coalesce((
  select ${withinRow(runTexts.text, rows)} from ${runTexts}
  where ${runTexts.executionId} = ${executions.id} and ${runTexts.hash} = ${executions.inputTexts} ->> '$."/form"'
), ${executions.input} ->> '$.form')`
