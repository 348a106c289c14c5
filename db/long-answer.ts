/**
 * Answers that grow with what people store. A database answers with at most 10 MB, so a statement selects long columns with
 * `withinAnswer` or `withinRow`: what does not fit comes as a blob that says where it is, for which no text can pass, and
 * `hrana.ts` reads it in statements of their own. The same goes for the references of long texts.
 */
import { type GetColumnData, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { DatabaseFault } from './database-failure.ts'
import { isLongTextReference, type PartStatement, partsStatements } from './long-text.ts'
import { readInPieces } from './long-value.ts'

/** Bytes that one statement selects. JSON in JSON can double in size, and a batch of several has one answer. */
const ANSWER_BYTES = 3 * 1024 ** 2
/** Rows that one statement reads by their numbers. */
const MAX_ROWS = 10_000

/** How the blobs of both kinds begin. */
const HEDDLE_BASE64 = Buffer.from('heddle').toString('base64')

let mark = ''

/** `heddle-rest:<random>:<bytes>:<rowid>:<table>:<column>:<id in hex, if it has one>`: each isolate has a mark of its own, which nobody can have stored. */
function ownMark(): string {
  mark ||= `heddle-rest:${crypto.randomUUID().replaceAll('-', '').slice(0, 23)}:`
  return mark
}

const bytesOf = (column: SQLiteColumn): SQL => sql`coalesce(octet_length(${column}), 0)`

/** SQLite gives the highest rowid anew once its row is deleted, so that a rowid alone may find another row. */
function restOf(column: SQLiteColumn): SQL {
  const { id } = getTableColumns(column.table)
  const hexId = id ? sql`hex(${id})` : sql`''`
  return sql`cast(${ownMark()} || octet_length(${column}) || ':' || ${column.table}.rowid || ${`:${getTableName(column.table)}:${column.name}:`} || ${hexId} as blob)`
}

const either = <Column extends SQLiteColumn>(fits: SQL, column: Column) =>
  sql`case when ${fits} then ${column} else ${restOf(column)} end`.mapWith(column) as SQL<GetColumnData<Column>>

type Selected<Columns extends Record<string, SQLiteColumn>> = {
  [Name in keyof Columns]: SQL<GetColumnData<Columns[Name]>>
}

/**
 * Selects these columns for any number of rows, of which there must be no `limit`.
 * @param order that of the statement
 * @param shares the statements of the batch that select like this
 */
export function withinAnswer<Columns extends Record<string, SQLiteColumn>>(
  columns: Columns,
  { order, shares = 1 }: { order: SQL; shares?: number },
): Selected<Columns> {
  const bytes = sql.join(Object.values(columns).map(bytesOf), sql` + `)
  const fits = sql`sum(${bytes}) over (order by ${order}) <= ${Math.floor(ANSWER_BYTES / shares)}`
  const entries = Object.entries(columns).map(([name, column]) => [name, either(fits, column)])
  return Object.fromEntries(entries) as Selected<Columns>
}

/** Selects the column for a few rows. @param rows their greatest number */
export const withinRow = <Column extends SQLiteColumn>(column: Column, rows: number) =>
  either(sql`${bytesOf(column)} <= ${Math.floor(ANSWER_BYTES / rows)}`, column)

/** Stands in an answer for a value that must be read yet. */
class Unread {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** @param base64 a blob of a column of texts, or of an expression */
export function unreadIn(base64: string): Unread | undefined {
  if (!base64.startsWith(HEDDLE_BASE64)) return undefined
  const text = Buffer.from(base64, 'base64').toString('latin1')
  return text.startsWith(ownMark()) || isLongTextReference(text) ? new Unread(text) : undefined
}

/** The place of a value in an answer. */
export interface UnreadValue {
  row: unknown[]
  column: number
}

/** Answers with the values of rows. */
type Ask = (statement: PartStatement) => Promise<unknown[][]>

/** Reads what answers lack, and puts it in its place. Throws DatabaseFault when it is gone: its row changed meanwhile. */
export async function readUnread(places: UnreadValue[], ask: Ask): Promise<void> {
  let left = places
  while (left.length > 0) {
    const found = new Map<string, unknown>()
    const wanted = new Set(left.map(unreadAt))
    for (const read of [...readsOfRows(wanted), ...readsOfTexts(wanted)]) await read(ask, found)
    for (const place of left) {
      const text = unreadAt(place)
      if (!found.has(text)) throw changedMeanwhile()
      place.row[place.column] = found.get(text)
    }
    // A row may hold the reference of a long text.
    left = left.filter(({ row, column }) => row[column] instanceof Unread)
  }
}

export const changedMeanwhile = () => new DatabaseFault('A value has changed since its row was read', 'nothing-done')

const unreadAt = ({ row, column }: UnreadValue): string => (row[column] as Unread).text

type Read = (ask: Ask, found: Map<string, unknown>) => Promise<void>

interface Rest {
  row: number
  bytes: number
  /** In hex; empty when the table has no `id`. */
  id: string
  text: string
}

function readsOfRows(wanted: Set<string>): Read[] {
  const byColumn = new Map<string, Rest[]>()
  for (const text of wanted) {
    if (!text.startsWith(ownMark())) continue
    const [, , bytes, row, table, column, id = ''] = text.split(':')
    const key = `${table}:${column}:${id && 'id'}`
    const rests = byColumn.get(key) ?? []
    byColumn.set(key, rests)
    rests.push({ row: Number(row), bytes: Number(bytes), id, text })
  }
  return [...byColumn].flatMap(([key, rests]) => {
    const [table, column, id] = key.split(':')
    const place = { column: `"${column}"`, table: `"${table}"`, hexId: id ? `hex("${id}")` : "''" }
    return groupByBytes(rests).map((group) => {
      const [first] = group
      return first && first.bytes > ANSWER_BYTES ? readOfLongRest(place, first) : readOfRests(place, group)
    })
  })
}

/** The names of a column in SQL. */
interface StoredColumn {
  table: string
  column: string
  hexId: string
}

const readOfRests =
  ({ table, column, hexId }: StoredColumn, group: Rest[]): Read =>
  async (ask, found) => {
    const rests = new Map(group.map((rest) => [rest.row, rest]))
    const select = `select rowid, octet_length(${column}), ${hexId}, ${column} from ${table}
      where rowid in (select value from json_each(?))`
    for (const [row, bytes, id, value] of await ask({ sql: select, args: [JSON.stringify([...rests.keys()])] })) {
      const rest = rests.get(row as number)
      if (rest && rest.bytes === bytes && rest.id === id) found.set(rest.text, value)
    }
  }

const readOfLongRest =
  ({ table, column, hexId }: StoredColumn, { row, bytes, id, text }: Rest): Read =>
  async (ask, found) => {
    const where = `where rowid = ? and octet_length(${column}) = ? and ${hexId} = ?`
    const value = await readInPieces({ column, bytes }, (expression) =>
      ask({ sql: `select ${expression} from ${table} ${where}`, args: [row, bytes, id] }),
    )
    if (value !== undefined) found.set(text, value)
  }

/** Groups of as many bytes as one statement selects, or of one item that has more. */
function groupByBytes<Item extends { bytes: number }>(items: readonly Item[]): Item[][] {
  const groups: Item[][] = []
  let room = 0
  for (const item of items) {
    if (item.bytes > room || groups.at(-1)?.length === MAX_ROWS) {
      groups.push([])
      room = ANSWER_BYTES
    }
    groups.at(-1)?.push(item)
    room -= item.bytes
  }
  return groups
}

const readsOfTexts = (wanted: Set<string>): Read[] =>
  [...wanted]
    .filter((text) => !text.startsWith(ownMark()))
    .map(
      (text): Read =>
        async (ask, found) => {
          const { count, statements } = partsStatements(text)
          const parts: unknown[] = []
          for (const statement of statements) for (const [part] of await ask(statement)) parts.push(part)
          if (parts.length === count) found.set(text, parts.join(''))
        },
    )
