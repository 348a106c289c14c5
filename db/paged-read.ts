/** Reads page by page what is longer than one answer, for statements that do not bound what they select (`long-answer.ts`). */
import type { LibsqlError } from '@libsql/client/web'

/** Rows of the first page. */
const FIRST_ROWS = 256

interface Paged {
  values: unknown[][]
  unread: unknown[]
}

export const isTooLarge = (error: unknown): boolean => (error as LibsqlError).code === 'RESPONSE_TOO_LARGE'

/**
 * Returns the answer of a statement that only reads. Its pages are read one after the other, so that a row that is written
 * meanwhile may be missing, or be there twice. Throws the database's error for a row that is too long by itself.
 */
export async function readPaged<Answer extends Paged>(
  sql: string,
  ask: (sql: string) => Promise<Answer>,
): Promise<Answer> {
  let whole: Answer | undefined
  let rows = FIRST_ROWS
  for (;;) {
    const offset = whole?.values.length ?? 0
    try {
      const page = await ask(`select * from (${sql}) limit ${rows} offset ${offset}`)
      const isLast = page.values.length < rows
      if (whole) {
        whole.values.push(...page.values)
        whole.unread.push(...page.unread)
      }
      whole ??= page
      if (isLast) return whole
    } catch (error) {
      if (!isTooLarge(error) || rows === 1) throw error
      rows = Math.ceil(rows / 4)
    }
  }
}
