/**
 * The Workflow of a large file. A check reads the whole file and writes nothing to the workspace; a run reads it again, puts
 * its rows aside, and then writes them (`write-import.ts`). Both go on in small pieces, each of which is one batch with a
 * cursor: an instance may die anywhere, and another goes on behind the last piece.
 */
import { eq } from 'drizzle-orm'
import { errorMessage, HeddleError, isUnavailable } from '#contract/errors.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import { importRows } from '#db/schema/index.ts'
import { isUniqueViolation } from '#db/unique-violation.ts'
import { defineJob, type Job, STEP, type Steps } from '../../../jobs/instances.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { Services } from '../../../services.ts'
import type { FlowSave } from '../../chatflows/index.ts'
import { readTakenIds } from '../import.ts'
import { type Cursor, clearLeftovers, isBeginning, pieceDone, readCursor, rereadFile } from './cursor.ts'
import {
  type Change,
  claimImport,
  handOver,
  type ImportJobParams,
  type ImportRow,
  LostImport,
  MAX_ATTEMPTS,
  readHeld,
  writeHeld,
} from './import-rows.ts'
import { readPages, scanPiece } from './read-file.ts'
import { stageStatements } from './staged-rows.ts'
import { type OpenFile, planFile, resumeFile } from './take-file.ts'
import { decideImport, endImport, finishImport, writePieces } from './write-import.ts'
import { IdsTaken, keepItems, openItems } from './write-items.ts'

/** The platform allows 1,024 steps and 1,000 requests of one instance; then another goes on. */
const STEPS = 12
/** Bytes of the file that a step reads, for the sake of its CPU time; the last piece may go beyond. */
const STEP_BYTES = 4 * 1024 * 1024
/** Pieces of items that a step puts aside. */
const ITEM_PIECES = 16

/** @param saves one of each area that keeps rows of saved flows */
export const largeImportJob = (saves: readonly FlowSave[]): Job =>
  defineJob<ImportJobParams>({
    kind: 'import',
    run: (services, params, steps) => runImportJob({ ...services, saves }, params, steps),
  })

type Store = Services & { saves: readonly FlowSave[] }

async function runImportJob(services: Store, params: ImportJobParams, steps: Steps): Promise<void> {
  const claim = await steps.do('claim', STEP, async () => (await claimImport(services, params)) ?? null)
  if (claim === null) return
  // What a restarted instance has to read again.
  const memory: Memory = {}
  for (let number = 1; number <= STEPS; number++) {
    const isOpen = await steps.do(`work ${number}`, STEP, async () => {
      const held = await readHeld(services, { ...params, ...claim })
      return held !== undefined && (await work(services, held, memory))
    })
    if (!isOpen) return
  }
  await steps.do('hand over', STEP, () => handOver(services, { ...params, ...claim }))
}

interface Memory {
  file?: OpenFile | undefined
}

/** Returns whether the import is still open and held. */
async function work(services: Store, held: ImportRow, memory: Memory): Promise<boolean> {
  try {
    if (held.state === 'writing') return await writePieces(services, held)
    if (held.state === 'indexing') {
      await finishImport(services, held)
      return false
    }
    return await doPieces({ services, held, memory })
  } catch (error) {
    memory.file = undefined
    if (error instanceof LostImport) return false
    // The instance was restarted while its older self went on.
    if (isUniqueViolation(error, importRows.seq)) return true
    // It is tried again until it succeeds: what was decided is never undone.
    if (held.state === 'writing' || held.state === 'indexing') throw error
    // The step is tried again then.
    const isTaken = areIdsTaken(error)
    if (!isTaken && (isDatabaseFailure(error) || isUnavailable(error))) throw error
    return await giveUp(services, held, error).catch((failure) => {
      if (failure instanceof LostImport) return false
      throw failure
    })
  }
}

/** Ends an import as failed. One whose ids were taken meanwhile reads its file again instead, and stays open. */
async function giveUp(services: Store, held: ImportRow, error: unknown): Promise<boolean> {
  const isTaken = areIdsTaken(error)
  const reread = isTaken && rereadFile(services.db, held, await readCursor(services.db, held))
  if (reread) await writeHeld(services, held, { change: { rowsDone: 0 }, statements: [reread] })
  else await endImport(services, held, { state: 'failed', reason: isTaken ? IDS_TAKEN : reasonOf(error) })
  return Boolean(reread)
}

const areIdsTaken = (error: unknown) => error instanceof IdsTaken || isUniqueViolation(error)

const IDS_TAKEN = 'Rows of this file were added elsewhere meanwhile. Import it again'

const reasonOf = (error: unknown): string =>
  error instanceof HeddleError ? errorMessage(error) : 'Something went wrong. Import the file again'

interface Work {
  services: Store
  held: ImportRow
  memory: Memory
}

async function doPieces(task: Work): Promise<boolean> {
  const { services, held, memory } = task
  let cursor = await readCursor(services.db, held)
  if (isBeginning(cursor)) await clearLeftovers(services, held, cursor)
  if (held.attempt - cursor.attempt > MAX_ATTEMPTS)
    throw new HeddleError('too_large', 'The worker stopped again and again at this file')
  for (let bytes = 0; bytes < STEP_BYTES && cursor.phase === 'scan'; ) {
    const from = cursor.place?.offset ?? 0
    cursor = await scan(task, cursor)
    bytes += (cursor.place?.offset ?? from + STEP_BYTES) - from
  }
  if (cursor.phase === 'scan') return true
  if (cursor.phase === 'plan') cursor = await plan(task, cursor)
  const file = memory.file?.pieces === cursor.pieces ? memory.file : await resumeFile(services, held, cursor)
  memory.file = file
  for (let bytes = 0; bytes < STEP_BYTES; ) {
    const stretch = file.stretches[cursor.taking.stretch]
    if (!stretch) {
      if (held.state === 'importing') return await putItemsAside(task, { file, cursor })
      await endCheck(services, held, file)
      return false
    }
    const read = await takeStretch(task, { file, cursor, bytes: STEP_BYTES - bytes })
    cursor = read.cursor
    bytes += read.bytes
  }
  return true
}

/** Reads the next bytes of the file and keeps what they hold. */
async function scan({ services, held }: Work, cursor: Cursor): Promise<Cursor> {
  const { db, fileStorage } = services
  const { piece, scanned, next } = await scanPiece(
    { fileStorage, row: held },
    { from: cursor.place, scanned: cursor.scanned, takenIds: (ids) => readTakenIds(db, held, ids) },
  )
  return writePiece(services, held, {
    ...{ done: cursor, list: 'scanned', finding: piece },
    next: { ...cursor, scanned, place: next, phase: next ? 'scan' : 'plan' },
    change: held.state === 'checking' ? { rowsDone: scanned.rows } : {},
  })
}

async function plan({ services, held, memory }: Work, cursor: Cursor): Promise<Cursor> {
  const file = await planFile(services, held, cursor)
  const rowsTotal = file.stretches.reduce((sum, { rows }) => sum + rows, 0)
  const after = await writePiece(services, held, {
    ...{ done: cursor, list: 'context', finding: file.context, next: { ...cursor, phase: 'take' } },
    change: { rowsDone: 0, rowsTotal },
  })
  memory.file = file
  return after
}

interface TakingRows {
  file: OpenFile
  cursor: Cursor
  bytes: number
}

/** Takes rows of one stretch, up to so many bytes, and puts them aside. */
async function takeStretch(
  { services, held }: Work,
  { file, cursor: first, bytes }: TakingRows,
): Promise<{ cursor: Cursor; bytes: number }> {
  const { db, fileStorage } = services
  const { stretch, place, read } = first.taking
  const whole = file.stretches[stretch] as (typeof file.stretches)[number]
  const rest = { ...whole, from: place ?? whole.from, rows: whole.rows - read }
  let cursor = first
  for await (const { rows, next } of readPages({ fileStorage, row: held }, rest)) {
    const { page, ids } = file.take(whole.key, rows)
    const { taking } = cursor
    const staged = new Map(taking.staged)
    const statements =
      held.state === 'importing' ? stageStatements(db, held, { page, piece: cursor.pieces, staged }) : []
    const rowsDone = taking.rowsDone + rows.length
    const isEnd = taking.read + rows.length === whole.rows
    const moved = isEnd
      ? { stretch: stretch + 1, read: 0, place: undefined }
      : { stretch, read: taking.read + rows.length, place: next }
    cursor = await writePiece(services, held, {
      ...{ done: cursor, list: 'ids', finding: ids, change: { rowsDone }, statements },
      next: { ...cursor, taking: { ...taking, ...file.state(), ...moved, rowsDone, staged } },
    })
    file.pieces = cursor.pieces
    const passed = next.offset - rest.from.offset
    if (isEnd || passed >= bytes) return { cursor, bytes: passed }
  }
  throw new HeddleError('bad_request', 'The file was changed while it was imported. Import it again')
}

/** Puts the next pieces of the items aside, and decides the import behind the last one. Returns whether it is still open. */
async function putItemsAside(
  { services, held }: Work,
  { file, cursor: first }: { file: OpenFile; cursor: Cursor },
): Promise<boolean> {
  file.items ??= await openItems(services, held, file)
  let cursor = first
  for (const finding of file.items.slice(first.taking.items, first.taking.items + ITEM_PIECES)) {
    const statements = await keepItems(services, held, finding)
    const taking = { ...cursor.taking, items: cursor.taking.items + 1 }
    cursor = await writePiece(services, held, {
      ...{ done: cursor, list: 'items', finding, next: { ...cursor, taking }, change: {}, statements },
    })
    file.pieces = cursor.pieces
  }
  if (cursor.taking.items < file.items.length) return true
  await decideImport(services, held, { file, cursor })
  return false
}

type WrittenPiece = Parameters<typeof pieceDone>[2] & { change: Change; statements?: Statement[] }

async function writePiece(services: Store, held: ImportRow, { change, statements = [], ...piece }: WrittenPiece) {
  const done = pieceDone(services.db, held, piece)
  await writeHeld(services, held, { change, statements: [...done.statements, ...statements] })
  return done.cursor
}

async function endCheck(services: Store, held: ImportRow, file: OpenFile): Promise<void> {
  const { report } = file.finish()
  const ofImport = eq(importRows.importId, held.id)
  await writeHeld(services, held, {
    change: { state: 'checked', report: JSON.stringify(report) },
    statements: [services.db.delete(importRows).where(ofImport)],
  })
}
