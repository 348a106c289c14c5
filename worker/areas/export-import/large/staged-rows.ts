/** Puts the rows of an import aside, and moves them to their tables in its last batch. */
import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import {
  chatMessageFeedback,
  chatMessages,
  documentChunks,
  executionSteps,
  executions,
  importRows,
  runTexts,
} from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { ImportRow } from './import-rows.ts'

/** In the order in which they are moved. */
const LISTS = ['executions', 'texts', 'steps', 'messages', 'feedback', 'chunks'] as const
type List = (typeof LISTS)[number]
export type Page = Partial<Record<List, object[]>>

/** The rows of each list that were put aside: how many, their columns, and those that are staged by themselves. */
export type Staged = Map<List, { rows: number; columns: Set<string>; long: Set<string> }>

/** Characters of the JSON of a row, and of one of its columns, that are staged together. */
const MAX_LENGTH = 64 * 1024
/** Characters of the rows that one statement brings. */
const PAGE_LENGTH = 512 * 1024

/** Returns the statements that put a page aside, and adds to `staged` what it has. */
export function stageStatements(
  db: Database,
  { id: importId }: Pick<ImportRow, 'id'>,
  { page, staged }: { page: Page; staged: Staged },
): Statement[] {
  return LISTS.flatMap((list) => {
    const rows = page[list] ?? []
    if (rows.length === 0) return []
    const before = staged.get(list)
    const seen = { rows: before?.rows ?? 0, columns: new Set(before?.columns), long: new Set(before?.long) }
    staged.set(list, seen)
    const long: Statement[] = []
    const pages: { first: number; rows: string[] }[] = []
    let room = 0
    for (const row of rows) {
      const seq = seen.rows++
      for (const name of Object.keys(row)) seen.columns.add(name)
      const { json, taken } = withoutLong(row)
      for (const [name, text] of taken) {
        seen.long.add(name)
        long.push(db.insert(importRows).values({ importId, list: `${list}.${name}`, seq, row: text }))
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

/** Returns the statements that move what was put aside. */
export const moveStatements = (db: Database, held: ImportRow, staged: Staged): Statement[] =>
  LISTS.flatMap((list) => {
    const seen = staged.get(list)
    if (!seen) return []
    const value = (name: string): SQL => {
      const short = sql`json_extract(${importRows.row}, ${`$.${name}`})`
      if (!seen.long.has(name)) return short
      return sql`coalesce((
        select long.row from ${importRows} long
        where long.import_id = ${held.id} and long.list = ${`${list}.${name}`} and long.seq = ${importRows.seq}
      ), ${short})`
    }
    const values = Object.fromEntries([...seen.columns].map((name) => [name, value(name)]))
    const isOfList = sql`${importRows.importId} = ${held.id} and ${importRows.list} = ${list}`
    const from = sql`from ${importRows} where ${isOfList} order by ${importRows.seq}`
    const rows = scope(db, held)
    if (list === 'executions') return [rows.insertFound(executions, { values, from })]
    if (list === 'messages') return [rows.insertFound(chatMessages, { values, from })]
    if (list === 'chunks') return [rows.insertFound(documentChunks, { values, from })]
    if (list === 'feedback') return [rows.insertFound(chatMessageFeedback, { values, from })]
    if (list === 'texts')
      return [
        db.run(sql`insert into ${runTexts} (execution_id, hash, text, created_date)
          select ${value('executionId')}, ${value('hash')}, ${value('text')}, ${value('createdDate')} ${from}`),
      ]
    return [
      db.run(sql`insert into ${executionSteps} (execution_id, seq, path, node_id, item, started_at, finished_at)
        select ${value('executionId')}, ${value('seq')}, ${value('path')}, ${value('nodeId')}, ${value('item')},
          ${value('startedAt')}, ${value('finishedAt')} ${from}`),
    ]
  })
