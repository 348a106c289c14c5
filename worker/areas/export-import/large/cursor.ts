/**
 * How far an import is, kept with what it found among the rows that it put aside. Each piece of work writes both in one
 * batch, so that it is done once: a piece that is repeated is refused by its number.
 */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { alias, type SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { LeftOut } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import { withinAnswer } from '#db/long-answer.ts'
import { excerptOf } from '#db/long-text.ts'
import { importRows } from '#db/schema/index.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { Services } from '../../../services.ts'
import type { CountedNotes } from '../notes.ts'
import { type ImportRow, ROWS_AT_ONCE, writeHeld } from './import-rows.ts'
import { NOTHING_SCANNED, type Scanned } from './read-file.ts'
import type { FilePosition } from './read-lists.ts'
import { fromSnapshot, toSnapshot } from './snapshot.ts'
import type { Staged } from './staged-rows.ts'

/**
 * Raise it with each change of what pieces keep, or of the order in which a plan gives ids. An import that another version
 * of the worker began is then read again from the beginning. One that writes has no cursor any more.
 */
const PLAN_VERSION = 3
/** Times that a file is read again because its ids were taken meanwhile. */
const MAX_REREADS = 3

export interface Cursor {
  /** Undefined in cursors of earlier versions. */
  version?: number
  phase: 'scan' | 'plan' | 'take'
  /** Pieces done, which is the number of the next one. */
  pieces: number
  /** The instance that did the last piece. */
  attempt: number
  /** Times that the file was read again. */
  rereads: number
  /** Where the scan goes on; undefined at the beginning. */
  place?: FilePosition | undefined
  scanned: Scanned
  taking: TakingState
}

/** State that taking rows leaves for the next piece, besides the ids of the rows. */
export interface TakingState {
  /** The stretch that is read, and how many of its rows were. */
  stretch: number
  read: number
  /** Where it goes on; undefined at its beginning. */
  place?: FilePosition | undefined
  rowsDone: number
  idsGiven: number
  leftOut: LeftOut[]
  notes: CountedNotes
  staged: Staged
  /** Pieces of items that were put aside, behind the last stretch. */
  items: number
}

const BEGINNING: Cursor = {
  ...{ phase: 'scan', pieces: 0, attempt: 0, rereads: 0, scanned: NOTHING_SCANNED },
  taking: {
    ...{ stretch: 0, read: 0, rowsDone: 0, idsGiven: 0, leftOut: [], staged: new Map(), items: 0 },
    notes: { counts: new Map(), more: 0 },
  },
}

/**
 * `scanned` and `ids` hold what the pieces of a phase found, `context` what the plan was made from, and `items` pieces of
 * what it is.
 */
type PieceList = 'scanned' | 'context' | 'ids' | 'items'

const rowsOf = ({ id }: Pick<ImportRow, 'id'>, list: PieceList | 'cursor') =>
  and(eq(importRows.importId, id), eq(importRows.list, list))

export async function readCursor(db: Database, held: ImportRow): Promise<Cursor> {
  const [found] = await db.select({ row: importRows.row }).from(importRows).where(rowsOf(held, 'cursor'))
  if (!found) return BEGINNING
  const cursor = fromSnapshot<Cursor>(found.row)
  return cursor.version === PLAN_VERSION ? cursor : fromBeginning(cursor)
}

const BEFORE_PIECES = '{"pieces":'

/** The text of a cursor begins with its number, because a long one is kept in parts, in which SQL finds no key. */
const cursorText = ({ pieces, ...rest }: Cursor): string => toSnapshot({ pieces, ...rest })

/** The number of a cursor in its row; 0 for that of an earlier version. */
const piecesIn = (row: SQLiteColumn): SQL =>
  sql`cast(substr(${excerptOf(row, 40)}, ${BEFORE_PIECES.length + 1}) as integer)`

const begun = alias(importRows, 'begun')

/** Holds when another instance has gone on behind this cursor, or reads the file again. */
const isPassed = ({ id }: Pick<ImportRow, 'id'>, { pieces }: Pick<Cursor, 'pieces'>): SQL =>
  sql`exists (select 1 from ${importRows} begun
    where ${begun.importId} = ${id} and ${begun.list} = 'cursor' and ${piecesIn(begun.row)} > ${pieces})`

/** Returns the statements that add a row. Once the import has passed this cursor, they add it twice, which is refused. */
export const addUnlessPassed = (
  db: Database,
  held: Pick<ImportRow, 'id'>,
  { done, list, seq, row }: { done: Pick<Cursor, 'pieces'>; list: string; seq: number; row: string },
): Statement[] => [
  db.insert(importRows).values({ importId: held.id, list, seq, row }),
  db.run(sql`insert into ${importRows} (import_id, list, seq, row)
    select ${held.id}, ${list}, ${seq}, '' where ${isPassed(held, done)}`),
]

export const isBeginning = ({ phase, place }: Cursor): boolean => phase === 'scan' && place === undefined

/** Holds for what an earlier reading of the file has kept, unless another instance has gone on. */
const isLeftover = (held: Pick<ImportRow, 'id'>, cursor: Cursor): SQL =>
  sql`${importRows.importId} = ${held.id} and ${importRows.list} <> 'cursor' and not ${isPassed(held, cursor)}`

/** Deletes what an earlier reading has kept, which may be too much for one batch. */
export async function clearLeftovers(services: Pick<Services, 'db' | 'clock'>, held: ImportRow, cursor: Cursor) {
  const { db } = services
  const some = sql`select rowid from ${importRows} where ${isLeftover(held, cursor)} limit ${ROWS_AT_ONCE}`
  for (;;) {
    const left = await db.select({ seq: importRows.seq }).from(importRows).where(isLeftover(held, cursor)).limit(1)
    if (left.length === 0) return
    await writeHeld(services, held, { statements: [db.delete(importRows).where(sql`rowid in (${some})`)] })
  }
}

/** The numbers of pieces go on, so that none is taken for one of before. */
const fromBeginning = ({ pieces, attempt, rereads = 0 }: Cursor): Cursor => ({ ...BEGINNING, pieces, attempt, rereads })

/**
 * Returns the statement with which the file is read again, for a plan whose ids somebody else has taken; undefined when it
 * was read often enough. It does nothing when another instance has gone on.
 */
export function rereadFile(db: Database, held: ImportRow, cursor: Cursor): Statement | undefined {
  if (cursor.rereads >= MAX_REREADS) return undefined
  const { pieces, rereads } = cursor
  const next = { ...fromBeginning(cursor), version: PLAN_VERSION, pieces: pieces + 1, rereads: rereads + 1 }
  const isLatest = sql`${piecesIn(importRows.row)} = ${pieces}`
  return db
    .update(importRows)
    .set({ row: cursorText({ ...next, attempt: held.attempt }) })
    .where(and(rowsOf(held, 'cursor'), isLatest))
}

/** Returns what the pieces of a list found, in the order in which they were done. */
export async function readFindings<Finding>(db: Database, held: ImportRow, list: PieceList): Promise<Finding[]> {
  const found = await db
    .select(withinAnswer({ row: importRows.row }, { order: sql`${importRows.seq}` }))
    .from(importRows)
    .where(rowsOf(held, list))
    .orderBy(importRows.seq)
  return found.map(({ row }) => fromSnapshot(row))
}

interface Piece {
  done: Cursor
  list: PieceList
  finding: object
  /** Where the import is after it. */
  next: Omit<Cursor, 'version' | 'pieces' | 'attempt'>
}

/** The cursor after a piece, and the statements that keep it: they fail when the piece was done before. */
export function pieceDone(db: Database, held: ImportRow, { done, list, finding, next }: Piece) {
  const { pieces: seq } = done
  const cursor: Cursor = { ...next, version: PLAN_VERSION, pieces: seq + 1, attempt: held.attempt }
  const row = cursorText(cursor)
  const leftovers = db.delete(importRows).where(isLeftover(held, done))
  const statements: Statement[] = [
    ...(isBeginning(done) ? [leftovers] : []),
    ...addUnlessPassed(db, held, { done, list, seq, row: toSnapshot(finding) }),
    db
      .insert(importRows)
      .values({ importId: held.id, list: 'cursor', seq: 0, row })
      .onConflictDoUpdate({ target: [importRows.importId, importRows.list, importRows.seq], set: { row } }),
  ]
  return { cursor, statements }
}
