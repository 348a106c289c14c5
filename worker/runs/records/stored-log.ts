/** The statements that read the logs of runs, of any length, with their long texts. */
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { withinAnswer } from '#db/long-answer.ts'
import { executionSteps, runTexts } from '#db/schema/index.ts'

/** The parts of an answer that the two statements share with what else their batch reads. */
const SHARES = 4

/**
 * Selects steps and texts, for each run in order.
 * @param ofRuns follows the column of their ids: `= …` or `in …`. The caller answers for the workspace
 */
export function storedLogs(db: Database, ofRuns: SQL) {
  const { item, texts, sealed, ...columns } = getTableColumns(executionSteps)
  const { executionId, hash, text } = runTexts
  const order = { steps: [executionSteps.executionId, executionSteps.seq], texts: [executionId, hash] }
  const within = { steps: sql.join(order.steps, sql`, `), texts: sql.join(order.texts, sql`, `) }
  return {
    steps: db
      .select({ ...columns, ...withinAnswer({ item, texts, sealed }, { order: within.steps, shares: SHARES }) })
      .from(executionSteps)
      .where(sql`${executionSteps.executionId} ${ofRuns}`)
      .orderBy(...order.steps),
    texts: db
      .select({ executionId, hash, ...withinAnswer({ text }, { order: within.texts, shares: SHARES }) })
      .from(runTexts)
      .where(sql`${executionId} ${ofRuns}`)
      .orderBy(...order.texts),
  }
}
