/** Puts the planned items of an import aside, piece by piece, and writes them once it is decided. */
import { and, eq } from 'drizzle-orm'
import type { LeftOut } from '#contract/export-import/export-import.ts'
import type { Database } from '#db/client.ts'
import { documentSources, importRows } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Member } from '../../../http/route.ts'
import { fileKey } from '../../../ports/file-storage.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { Services } from '../../../services.ts'
import type { FlowSave } from '../../chatflows/index.ts'
import { deleteBytesAt } from '../../files/index.ts'
import { itemStatements } from '../import-statements.ts'
import { leftOutList } from '../left-out.ts'
import { storePlannedSources } from '../source-files.ts'
import { cutItems, type ItemPiece } from './cut-items.ts'
import { fitItems, type LeftOutItem } from './fit-items.ts'
import { type ImportRow, writeHeld } from './import-rows.ts'
import { fromSnapshot } from './snapshot.ts'
import type { OpenFile } from './take-file.ts'

/** An import that was decided may have to wait for its worker, and its flows need their files then. */
const FILES_KEPT_MS = 30 * 24 * 60 * 60_000

type Store = Services & { saves: readonly FlowSave[] }

/** Somebody has taken ids or names of the file since it was read, or deleted what it replaces. */
export class IdsTaken extends Error {}

/** Stores the source files of the flows, and cuts the items. Throws `too_large` past the quota of files. */
export async function openItems(services: Store, held: ImportRow, file: OpenFile): Promise<readonly ItemPiece[]> {
  const planned = file.finish()
  return cutItems(planned, await storePlannedSources(services, held, planned.flows))
}

/** Returns the statements that keep the source files of a piece until it is written. Throws `IdsTaken` unless all of it fits. */
export async function keepItems({ db, clock }: Store, held: ImportRow, piece: ItemPiece): Promise<Statement[]> {
  const { leftOut } = await fitItems(db, held, piece)
  if (leftOut.length > 0) throw new IdsTaken()
  const files = [...piece.sourceFiles.values()].flat()
  const keys = files.map(({ objectId: id }) => fileKey({ workspaceId: held.workspaceId, id }))
  const dueDate = new Date(clock.now().getTime() + FILES_KEPT_MS).toISOString()
  return keys.length === 0 ? [] : [deleteBytesAt(db, keys, dueDate)]
}

/** Writes the items of a piece that still fit, in one batch. */
export async function writeItems(services: Store, held: ImportRow, seq: number): Promise<void> {
  const { db, saves, clock } = services
  const isPiece = and(eq(importRows.importId, held.id), eq(importRows.list, 'items'), eq(importRows.seq, seq))
  const [kept] = await db.select({ row: importRows.row }).from(importRows).where(isPiece)
  // Another instance was faster.
  if (!kept) return
  const member = JSON.parse(held.actor) as Member
  const { fitting, leftOut } = await fitItems(db, held, fromSnapshot<ItemPiece>(kept.row))
  const now = clock.now().toISOString()
  const sources = fitting.sources.map((source) => ({ ...source, createdDate: now, updatedDate: now }))
  await writeHeld(services, held, {
    statements: [
      // A piece that is repeated is refused by its number.
      db.insert(importRows).values({ importId: held.id, list: 'written', seq, row: JSON.stringify(leftOut) }),
      ...itemStatements({ db, member, saves, sources: fitting.sourceFiles, now }, fitting),
      // A loader that is refreshed meanwhile may have found the same.
      ...(sources.length === 0 ? [] : [scope(db, held).insertAll(documentSources, sources).onConflictDoNothing()]),
      db.delete(importRows).where(isPiece),
    ],
  })
}

/** Returns the items that were left out while others were written, as a report lists them. */
export async function readItemsLeftOut(db: Database, { id }: Pick<ImportRow, 'id'>): Promise<LeftOut[]> {
  const written = await db
    .select({ row: importRows.row })
    .from(importRows)
    .where(and(eq(importRows.importId, id), eq(importRows.list, 'written')))
    .orderBy(importRows.seq)
  const list = leftOutList()
  for (const { row } of written)
    for (const { key, name, why } of JSON.parse(row) as LeftOutItem[]) list.add(key, { name }, why)
  return list.entries()
}
