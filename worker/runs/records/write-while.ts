import type { BatchItem } from 'drizzle-orm/batch'
import type { Database } from '#db/client.ts'
import { faultOf, type Outcome } from '#db/database-failure.ts'

/**
 * Writes a batch. Tries again while `mayWrite` says so, as long as nothing was done. Returns undefined when everything was
 * written but the answer was lost.
 */
export async function writeWhile(
  mayWrite: () => boolean,
  db: Database,
  statements: BatchItem<'sqlite'>[],
): Promise<unknown[] | undefined> {
  for (;;) {
    try {
      return await db.batch(statements as [BatchItem<'sqlite'>])
    } catch (error) {
      const outcome = await settleOutcome(error, mayWrite)
      if (outcome === 'written') return undefined
      if (outcome !== 'nothing-done' || !mayWrite()) throw error
    }
  }
}

async function settleOutcome(error: unknown, mayWrite: () => boolean): Promise<Outcome | undefined> {
  const fault = faultOf(error)
  let outcome = fault?.outcome
  while (outcome === 'unknown' && fault?.settle && mayWrite()) outcome = await fault.settle()
  return outcome
}
