/** Puts the rows of an import aside, piece by piece, for `move-rows.ts`. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { importRows } from '#db/schema/index.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { ImportRow } from './import-rows.ts'

/** The lists of rows, each behind those that its rows refer to. */
export const STAGED_LISTS = ['executions', 'texts', 'steps', 'messages', 'feedback', 'chunks'] as const
export type StagedList = (typeof STAGED_LISTS)[number]
export type Page = Partial<Record<StagedList, object[]>>

/** The columns of each list that was put aside, and those of them that are staged by themselves in some row. */
export type Staged = Map<StagedList, { columns: Set<string>; long: Set<string> }>

/** More than the rows that a piece has of a list. The rows of a piece are numbered from its own number times this. */
const PIECE_STRIDE = 2 ** 32

/** Holds for the rows of a list that a piece has put aside. @param rows `import_rows`, or an alias of it */
export const isOfPiece = (
  { importId, piece }: { importId: string; piece: number },
  list: string,
  rows: SQL = sql`${importRows}`,
): SQL =>
  sql`${rows}.import_id = ${importId} and ${rows}.list = ${list}
    and ${rows}.seq >= ${piece * PIECE_STRIDE} and ${rows}.seq < ${(piece + 1) * PIECE_STRIDE}`

/** The list of the long columns of this name. */
export const longListOf = (list: StagedList, column: string): string => `${list}.${column}`

/** Characters of the JSON of a row, and of one of its columns, that are staged together. */
const MAX_LENGTH = 64 * 1024
/** Characters of the rows that one statement brings. */
const PAGE_LENGTH = 512 * 1024

/** Returns the statements that put the page of a piece aside, and adds to `staged` what it has. */
export function stageStatements(
  db: Database,
  { id: importId }: Pick<ImportRow, 'id'>,
  { page, piece, staged }: { page: Page; piece: number; staged: Staged },
): Statement[] {
  return STAGED_LISTS.flatMap((list) => {
    const rows = page[list] ?? []
    if (rows.length === 0) return []
    const before = staged.get(list)
    const seen = { columns: new Set(before?.columns), long: new Set(before?.long) }
    staged.set(list, seen)
    const long: Statement[] = []
    const pages: { first: number; rows: string[] }[] = []
    let room = 0
    for (const [index, row] of rows.entries()) {
      const seq = piece * PIECE_STRIDE + index
      for (const name of Object.keys(row)) seen.columns.add(name)
      const { json, taken } = withoutLong(row)
      for (const [name, text] of taken) {
        seen.long.add(name)
        long.push(db.insert(importRows).values({ importId, list: longListOf(list, name), seq, row: text }))
      }
      if (json.length > room) {
        pages.push({ first: seq, rows: [] })
        room = PAGE_LENGTH
      }
      pages.at(-1)?.rows.push(json)
      room -= json.length
    }
    const short = pages.map(({ first, rows: together }) => {
      const values = sql`select ${importId}, ${list}, ${first} + key, value from json_each(${`[${together.join()}]`})`
      return db.run(sql`insert into ${importRows} (import_id, list, seq, row) ${values}`)
    })
    return [...short, ...long]
  })
}

/** Returns the row as JSON without its long columns, and these as their table holds them. */
function withoutLong(row: object): { json: string; taken: [string, string][] } {
  const json = JSON.stringify(row)
  if (json.length <= MAX_LENGTH) return { json, taken: [] }
  const taken: [string, string][] = []
  const rest = Object.entries(row).filter(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text === undefined || text.length <= MAX_LENGTH) return true
    taken.push([name, text])
    return false
  })
  return { json: JSON.stringify(Object.fromEntries(rest)), taken }
}
