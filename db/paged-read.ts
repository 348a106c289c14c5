/** Reads page by page what is longer than one answer, for statements that do not bound what they select (`long-answer.ts`). */
import type { LibsqlError } from '@libsql/client/web'
import { changedMeanwhile } from './long-answer.ts'
import { readInPieces } from './long-value.ts'

/** Rows of the first page, and of those after it at most. */
const FIRST_ROWS = 256
/** Bytes of the short columns of a row that is too long. */
const SHORT_BYTES = 3 * 1024 ** 2

interface Paged {
  columns: string[]
  values: unknown[][]
  unread: unknown[]
}

type Ask<Answer> = (sql: string) => Promise<Answer>

export const isTooLarge = (error: unknown): boolean => (error as LibsqlError).code === 'RESPONSE_TOO_LARGE'

/**
 * Returns the answer of a statement that only reads. Its pages are read one after the other, so that a row that is written
 * meanwhile may be missing, or be there twice.
 */
export async function readPaged<Answer extends Paged>(sql: string, ask: Ask<Answer>): Promise<Answer> {
  let whole: Answer | undefined
  let rows = FIRST_ROWS
  for (;;) {
    const offset = whole?.values.length ?? 0
    try {
      const page =
        rows === 1
          ? await readRow({ sql, offset }, ask)
          : await ask(`select * from (${sql}) limit ${rows} offset ${offset}`)
      const isLast = page.values.length < rows
      if (whole) {
        whole.values.push(...page.values)
        whole.unread.push(...page.unread)
      }
      whole ??= page
      if (isLast) return whole
      rows = Math.min(FIRST_ROWS, rows * 4)
    } catch (error) {
      if (!isTooLarge(error) || rows === 1) throw error
      rows = Math.ceil(rows / 4)
    }
  }
}

/** Reads the row, whose texts may be longer than an answer. */
async function readRow<Answer extends Paged>(
  { sql, offset }: { sql: string; offset: number },
  ask: Ask<Answer>,
): Promise<Answer> {
  const { columns } = await ask(`select * from (${sql}) limit 0`)
  const names = columns.map((_, index) => `c${index}`)
  const select = (expressions: string[]) =>
    ask(`with answer(${names}) as (${sql}) select ${expressions} from answer limit 1 offset ${offset}`)
  const sizes = await select(names.map((name) => `iif(typeof(${name}) = 'text', octet_length(${name}), 0)`))
  const isLong = (index: number) => Number(sizes.values[0]?.[index]) > SHORT_BYTES / names.length
  const answer = await select(
    names.map((name, index) => `${isLong(index) ? 'null' : name} as "${columns[index]?.replaceAll('"', '""')}"`),
  )
  const [row] = answer.values
  for (const [index, column] of names.entries()) {
    if (!row || !isLong(index)) continue
    const bytes = Number(sizes.values[0]?.[index])
    const text = await readInPieces({ column, bytes }, async (expression) => (await select([expression])).values)
    if (text === undefined) throw changedMeanwhile()
    row[index] = text
  }
  return answer
}
