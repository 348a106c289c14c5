/** Records, newest first: pages by key, and files of all of them. */
import { and, desc, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { csvLine } from '#contract/data/csv.ts'
import { streamFile } from './stream-file.ts'

interface RecordTable {
  id: SQLiteColumn
  createdDate: SQLiteColumn
}

interface Recorded {
  id: string
  createdDate: string
}

export interface PageAsked {
  before?: string | undefined
  limit: number
}

/** Holds for records after the one that `before` names, in the order of `newestFirst`. */
export function isBefore({ id, createdDate }: RecordTable, before: string | undefined): SQL | undefined {
  if (before === undefined) return undefined
  const [date, last] = before.split('~')
  return sql`(${createdDate}, ${id}) < (${date}, ${last})`
}

export const isWithin = ({ createdDate }: RecordTable, { from, to }: { from?: string; to?: string }): SQL | undefined =>
  and(from === undefined ? undefined : gte(createdDate, from), to === undefined ? undefined : lt(createdDate, to))

export const newestFirst = ({ id, createdDate }: RecordTable): SQL[] => [desc(createdDate), desc(id)]

/** Makes a page of what was read with one row more than the limit. */
export function pageOf<Row extends Recorded>(rows: Row[], { limit }: PageAsked) {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { data: rows.slice(0, limit), next: last ? cursorOf(last) : null }
}

const cursorOf = ({ id, createdDate }: Recorded) => `${createdDate}~${id}`

/** Records of one query of a file. */
const PIECE = 500

interface RecordFile<Row extends Recorded> {
  /** Without its ending. */
  name: string
  format: 'csv' | 'jsonl'
  /** The columns of a CSV file. */
  columns: Record<string, (row: Row) => string | number | null>
  read(asked: PageAsked): Promise<Row[]>
}

/** Answers all records as CSV, or as one JSON object a line. At most one piece of them is in memory. */
export function sendRecords<Row extends Recorded>(file: RecordFile<Row>): Response {
  const type = file.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8'
  return streamFile({ name: `${file.name}.${file.format}`, type, pieces: writeRecords(file) })
}

async function* writeRecords<Row extends Recorded>({ format, columns, read }: RecordFile<Row>) {
  const cells = Object.values(columns)
  const line = (row: Row) => (format === 'csv' ? csvLine(cells.map((cell) => cell(row))) : `${JSON.stringify(row)}\n`)
  // The mark by which spreadsheets know that this is UTF-8.
  if (format === 'csv') yield `\uFEFF${csvLine(Object.keys(columns))}`
  let before: string | undefined
  for (;;) {
    const rows = await read({ before, limit: PIECE })
    const last = rows.at(-1)
    if (last) yield rows.map(line).join('')
    if (!last || rows.length < PIECE) return
    before = cursorOf(last)
  }
}
