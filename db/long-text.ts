/**
 * Long texts of a column that `longText` makes. sqld refuses a row of more than 5 MB, so such a column holds
 * a text of more than 384 KiB as a reference: a blob, which no text can pass for. Its parts are rows of `long_texts`, which
 * the same batch writes, and equal texts share them. So SQL may copy and compare the column as before; what looks into it
 * asks `byteLength` and `includesText`. `hrana.ts` puts the parts together again in whatever it reads (`long-answer.ts`).
 */
import { is, type SQL, sql } from 'drizzle-orm'
import { customType, type SQLiteColumn, SQLiteCustomColumn } from 'drizzle-orm/sqlite-core'

/** Bytes of UTF-8 that stay in their row, which may have ten such columns. */
const MAX_BYTES = 384 * 1024
/** UTF-16 code units of a part, which have at most three bytes each. */
const PART_LENGTH = 256 * 1024
/** Parts in one answer, which has at most 10 MB. */
const PARTS_READ = 8

/** A parameter that is stored in parts. */
export class LongText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Returns what a column of long texts holds of a text, for SQL that names no column. */
export const storedText = (text: string): string | LongText =>
  text.length > MAX_BYTES || (text.length > MAX_BYTES / 3 && Buffer.byteLength(text) > MAX_BYTES)
    ? new LongText(text)
    : text

export const longText = customType<{ data: string; driverData: string | LongText }>({
  dataType: () => 'text',
  toDriver: storedText,
})

export const longJson = customType<{ data: unknown; driverData: string | LongText }>({
  dataType: () => 'text',
  toDriver: (value) => storedText(JSON.stringify(value)),
  fromDriver: (stored) => JSON.parse(stored as string),
})

export const isLongText = (column: SQLiteColumn): boolean =>
  is(column, SQLiteCustomColumn) && column.getSQLType() === 'text'

/** True for a value of the column that is a reference. */
export const isReference = (column: SQLiteColumn | SQL): SQL<boolean> => sql<boolean>`typeof(${column}) = 'blob'`

/** `heddle-text:<bytes>:<parts>:<SHA-256>`, the numbers with ten digits each. */
const MARK = 'heddle-text:'
const DIGITS = 10

/** The bytes of the column's text. */
export const byteLength = (column: SQLiteColumn | SQL): SQL<number> =>
  sql<number>`case ${isReference(column)} when 1 then cast(substr(${column}, 13, 10) as integer) else octet_length(${column}) end`

/** A value inside the column's JSON; null when its text is kept in parts. */
export const jsonIn = (column: SQLiteColumn | SQL, path: string): SQL =>
  sql`case when ${isReference(column)} then null else ${column} ->> ${path} end`

/** The first part of a text that is kept in parts. */
export const beginningOf = (column: SQLiteColumn): SQL =>
  sql`(select part.text from long_texts part where part.id = ${column} and part.part = 0)`

/** The first characters of the column's text, fewer than those of a part. */
export const excerptOf = (column: SQLiteColumn, length: number): SQL =>
  sql`substr(case when ${isReference(column)} then ${beginningOf(column)} else ${column} end, 1, ${length})`

interface Search {
  /** The greatest number of characters of what is found. */
  length: number
  isFound(text: SQLiteColumn | SQL): SQL
}

/** True if something is found in the column's text, also where two of its parts meet. */
export const someParts = (column: SQLiteColumn | SQL, { length, isFound }: Search): SQL<boolean> => sql<boolean>`
  case when ${isReference(column)} then exists (
    select 1 from long_texts part left join long_texts next on next.id = part.id and next.part = part.part + 1
    where part.id = ${column} and ${isFound(sql`part.text || coalesce(substr(next.text, 1, ${length}), '')`)}
  ) else ${isFound(column)} end`

/** True if the column's text includes the other one, of at most 200 characters. */
export const includesText = (column: SQLiteColumn | SQL, needle: SQLiteColumn): SQL<boolean> =>
  someParts(column, { length: 200, isFound: (text) => sql`instr(${text}, ${needle}) > 0` })

export interface PartStatement {
  sql: string
  args: (string | number | Uint8Array)[]
}

/** Returns what stands for each of the texts, and the statements that must run before those that hold it. */
export async function storeLongTexts(texts: readonly LongText[]) {
  const references = new Map<string, Uint8Array>()
  const statements: PartStatement[] = []
  for (const { text } of texts) {
    if (references.has(text)) continue
    const bytes = encoder.encode(text)
    const parts = partsOf(text)
    const sizes = [bytes.length, parts.length].map((size) => String(size).padStart(DIGITS, '0'))
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('base64url')
    const id = encoder.encode(`${MARK}${sizes.join(':')}:${hash}`)
    references.set(text, id)
    const insert = 'insert or ignore into long_texts (id, part, text) values (?, ?, ?)'
    statements.push(...parts.map((part, index) => ({ sql: insert, args: [id, index, part] })))
  }
  return { references, statements }
}

const encoder = new TextEncoder()

/** No part ends inside a surrogate pair. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + PART_LENGTH
    const next = end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end
    parts.push(text.slice(start, next))
    start = next
  }
  return parts
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Returns the statements that read the parts of the text for which this stands, in order, and how many parts there are. */
export function partsStatements(reference: string): { count: number; statements: PartStatement[] } {
  const count = Number(reference.split(':')[2])
  const id = encoder.encode(reference)
  const firsts = Array.from({ length: Math.ceil(count / PARTS_READ) }, (_, page) => page * PARTS_READ)
  const select = 'select text from long_texts where id = ? and part >= ? and part < ? order by part'
  return { count, statements: firsts.map((first) => ({ sql: select, args: [id, first, first + PARTS_READ] })) }
}

/** True for what a blob says that stands for a long text. */
export const isLongTextReference = (text: string): boolean => text.startsWith(MARK)
