/**
 * How far an import is, kept with what it found among the rows that it put aside. Each piece of work writes both in one
 * batch, so that it is done once: a piece that is repeated is refused by its number.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { LeftOut } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import { withinAnswer } from '#db/long-answer.ts'
import { importRows } from '#db/schema/index.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { CountedNotes } from '../notes.ts'
import type { ImportRow } from './import-rows.ts'
import { NOTHING_SCANNED, type Scanned } from './read-file.ts'
import type { FilePosition } from './read-lists.ts'
import { fromSnapshot, toSnapshot } from './snapshot.ts'
import type { Staged } from './staged-rows.ts'

export interface Cursor {
  phase: 'scan' | 'plan' | 'take'
  /** Pieces done, which is the number of the next one. */
  pieces: number
  /** The instance that did the last piece. */
  attempt: number
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
}

const BEGINNING: Cursor = {
  ...{ phase: 'scan', pieces: 0, attempt: 0, scanned: NOTHING_SCANNED },
  taking: {
    ...{ stretch: 0, read: 0, rowsDone: 0, idsGiven: 0, leftOut: [], staged: new Map() },
    notes: { counts: new Map(), more: 0 },
  },
}

/** `scanned` and `ids` hold what the pieces of a phase found, `context` what the plan was made from. */
type PieceList = 'scanned' | 'context' | 'ids'

const rowsOf = ({ id }: Pick<ImportRow, 'id'>, list: PieceList | 'cursor') =>
  and(eq(importRows.importId, id), eq(importRows.list, list))

export async function readCursor(db: Database, held: ImportRow): Promise<Cursor> {
  const [found] = await db.select({ row: importRows.row }).from(importRows).where(rowsOf(held, 'cursor'))
  return found ? fromSnapshot(found.row) : BEGINNING
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
  next: Omit<Cursor, 'pieces' | 'attempt'>
}

/** The cursor after a piece, and the statements that keep it: they fail when the piece was done before. */
export function pieceDone(db: Database, held: ImportRow, { done, list, finding, next }: Piece) {
  const { pieces: seq } = done
  const cursor: Cursor = { ...next, pieces: seq + 1, attempt: held.attempt }
  const row = toSnapshot(cursor)
  const isBegun = sql`exists (select 1 from ${importRows} begun where begun.import_id = ${held.id} and begun.list = 'cursor')`
  // Earlier versions kept no cursor and began anew.
  const leftovers = db.delete(importRows).where(and(eq(importRows.importId, held.id), sql`not ${isBegun}`))
  const statements: Statement[] = [
    ...(seq === 0 ? [leftovers] : []),
    db.insert(importRows).values({ importId: held.id, list, seq, row: toSnapshot(finding) }),
    db
      .insert(importRows)
      .values({ importId: held.id, list: 'cursor', seq: 0, row })
      .onConflictDoUpdate({ target: [importRows.importId, importRows.list, importRows.seq], set: { row } }),
  ]
  return { cursor, statements }
}
