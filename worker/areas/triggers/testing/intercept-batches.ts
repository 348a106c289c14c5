/** For worker tests of what a lost or refused batch leads to. */
import type { Database } from '#db/client.ts'

/** @param number of the batch, from 1 */
export type OnBatch = (number: number) => unknown

/**
 * Returns the database, whose batches are counted.
 * @param before is told of each batch, and may delay or refuse it
 * @param after is told of each batch that was done, and may lose its answer
 */
export function interceptBatches(database: Database, before: OnBatch, after: OnBatch = () => {}): Database {
  let count = 0
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name)
      return async (statements: Parameters<typeof database.batch>[0]) => {
        const number = ++count
        await before(number)
        const answers = await target.batch(statements)
        await after(number)
        return answers
      }
    },
  })
}
