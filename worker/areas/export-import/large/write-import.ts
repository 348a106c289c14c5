/**
 * Writes an import that was put aside. One batch decides it, with the state from which it only goes on. Then each batch
 * writes one piece, of its items first and then of their rows, whatever the size of the file, and the last one ends it. From
 * the decision on, nothing that others do may stop it: what no longer fits is left out, and the report names it.
 */
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import type { ImportReport, LeftOut } from '#contract/export-import/export-import.ts'
import { documentStores, importRows } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { type AuditedCall, withAuditOf, workspaceTarget } from '../../../http/audit.ts'
import type { Member } from '../../../http/route.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import type { Services } from '../../../services.ts'
import type { FlowSave } from '../../chatflows/index.ts'
import { newIndexJobs, startIndexing } from '../../document-stores/index.ts'
import { deleteBytesAt } from '../../files/index.ts'
import { recountStores, unindexedStores } from '../document-stores/write-stores.ts'
import { readTakenIds } from '../import.ts'
import type { ItemPlan } from '../planned.ts'
import { addUnlessPassed, type Cursor } from './cursor.ts'
import { dispatch, type ImportRow, partKeys, writeHeld } from './import-rows.ts'
import { moveStatements, readLeftOut } from './move-rows.ts'
import { fromSnapshot, toSnapshot } from './snapshot.ts'
import type { Staged } from './staged-rows.ts'
import type { OpenFile } from './take-file.ts'
import { IdsTaken, readItemsLeftOut, writeItems } from './write-items.ts'

/** Pieces that a step writes, with up to three requests each. An instance may make 1,000. */
const PIECES = 24
const IDS_AT_ONCE = 5000
/** Document stores whose chunks one batch counts. */
const STORES_AT_ONCE = 20

type Store = Services & { saves: readonly FlowSave[] }

/**
 * Decides an import whose items and rows are aside, and gives it to an instance that writes them. Throws `IdsTaken` when ids
 * of its rows were taken.
 */
export async function decideImport(
  services: Store,
  held: ImportRow,
  { file, cursor }: { file: OpenFile; cursor: Cursor },
): Promise<void> {
  const { db } = services
  const { call, ...member } = JSON.parse(held.actor) as Member & { call: AuditedCall }
  const { staged, items } = cursor.taking
  const planned = file.finish()
  await refuseTaken(services, held, { ids: file.ids(), planned })
  const { audit } = withAuditOf(services, { ...call, actor: member })
  const change = planned.report.imported
  const event = audit({ event: 'workspace.import', target: workspaceTarget(member), change }) as Statement
  const isEmpty = items === 0 && staged.size === 0
  const stores = unindexedStores(planned.stores).map((id, seq) => ({
    ...{ importId: held.id, list: 'stores', seq, row: JSON.stringify({ id }) },
  }))
  await writeHeld(services, held, {
    change: { state: 'writing', report: JSON.stringify(planned.report), leaseUntil: null },
    statements: [
      ...addUnlessPassed(db, held, { done: cursor, list: 'staged', seq: 0, row: toSnapshot(staged) }),
      ...(isEmpty ? [] : [event]),
      ...stores.map((store) => db.insert(importRows).values(store)),
    ],
  })
  await dispatch(services, { ...held, state: 'writing' })
}

interface Deciding {
  ids: readonly string[]
  planned: ItemPlan
}

/** The chunks of a store that is replaced are deleted first. */
async function refuseTaken({ db }: Store, held: ImportRow, { ids, planned }: Deciding): Promise<void> {
  const replaced = new Set(planned.stores.flatMap(({ store }) => (store.isReplacing ? [store.id] : [])))
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const { own, taken, owners } = await readTakenIds(db, held, ids.slice(from, from + IDS_AT_ONCE))
    const others = owners.filter(([, store]) => !replaced.has(store))
    if (own.length + taken.length + others.length > 0) throw new IdsTaken()
  }
}

/** Writes the next pieces, of items before rows; ends the import behind the last one. Returns whether it is still open. */
export async function writePieces(services: Store, held: ImportRow): Promise<boolean> {
  const { db } = services
  const isOfImport = eq(importRows.importId, held.id)
  const isList = (list: string) => and(isOfImport, eq(importRows.list, list))
  const [[kept], pieces] = await Promise.all([
    db.select({ row: importRows.row }).from(importRows).where(isList('staged')),
    db
      .select({ list: importRows.list, piece: importRows.seq })
      .from(importRows)
      .where(and(isOfImport, inArray(importRows.list, ['items', 'ids'])))
      .orderBy(desc(importRows.list), importRows.seq)
      .limit(PIECES),
  ])
  if (!kept) throw new Error('An import that writes has nothing aside')
  const staged = fromSnapshot<Staged>(kept.row)
  for (const { list, piece } of pieces) {
    if (list === 'items') await writeItems(services, held, piece)
    else {
      const isDone = db.delete(importRows).where(and(isList('ids'), eq(importRows.seq, piece)))
      await writeHeld(services, held, { statements: [...moveStatements(db, held, { piece, staged }), isDone] })
    }
  }
  if (pieces.length === PIECES) return true
  await finishImport(services, held)
  return false
}

/** Ends an import whose rows are written, with jobs for the stores that are still to be indexed. */
export async function finishImport(services: Store, held: ImportRow): Promise<void> {
  const { db, clock } = services
  await countStores(services, held)
  const [items, rows, storeIds] = await Promise.all([
    readItemsLeftOut(db, held),
    readLeftOut(db, held),
    readStoreIds(db, held, 'counted'),
  ])
  const leftOut = [...items, ...rows]
  const report = held.report && JSON.stringify(withLeftOut(JSON.parse(held.report), leftOut))
  const now = clock.now().toISOString()
  const reason = leftOut.length > 0 ? reasonOf(leftOut) : null
  await endImport(services, held, { state: 'done', report, reason }, newIndexJobs(db, held, { storeIds, now }))
  await startIndexing(services, held, storeIds)
}

/** Stores with chunks, before and after these were counted. */
type StoreList = 'stores' | 'counted'

const isInList = ({ id }: Pick<ImportRow, 'id'>, list: StoreList) =>
  and(eq(importRows.importId, id), eq(importRows.list, list))

/** Returns those of the stores that are still there. */
async function readStoreIds(db: Store['db'], held: ImportRow, list: StoreList): Promise<string[]> {
  const ids = db
    .select({ id: sql`${importRows.row} ->> 'id'` })
    .from(importRows)
    .where(isInList(held, list))
  const stores = await scope(db, held).select(documentStores, sql`${documentStores.id} in (${ids})`)
  return stores.map(({ id }) => id as string)
}

/** Others may have counted while chunks were missing, and some were left out: the totals become what is there. */
async function countStores(services: Store, held: ImportRow): Promise<void> {
  const { db } = services
  const ids = await readStoreIds(db, held, 'stores')
  for (let from = 0; from < ids.length; from += STORES_AT_ONCE) {
    const some = ids.slice(from, from + STORES_AT_ONCE)
    const isCounted = and(isInList(held, 'stores'), inArray(sql`${importRows.row} ->> 'id'`, some))
    await writeHeld(services, held, {
      statements: [...recountStores(db, held, some), db.update(importRows).set({ list: 'counted' }).where(isCounted)],
    })
  }
}

/** Returns the report of an import some of whose rows were left out while it was written. */
function withLeftOut(report: ImportReport, leftOut: readonly LeftOut[]): ImportReport {
  const imported = { ...report.imported }
  for (const { key, count } of leftOut) imported[key] = (imported[key] ?? 0) - count
  return { ...report, imported, leftOut: [...report.leftOut, ...leftOut] }
}

const reasonOf = (leftOut: readonly LeftOut[]): string =>
  `Not imported: ${leftOut.map(({ key, count, why }) => `${key} (${count}): ${why}`).join('. ')}`

type Ended = Pick<ImportRow, 'state'> & Partial<Pick<ImportRow, 'reason' | 'report'>>

/** Deletes the parts immediately and leaves the staged rows to the minute job. */
export function endImport(
  services: Pick<Services, 'db' | 'clock'>,
  held: ImportRow,
  ended: Ended,
  statements: Statement[] = [],
): Promise<void> {
  const { db, clock } = services
  return writeHeld(services, held, {
    change: { ...ended, endedDate: clock.now().toISOString() },
    statements: [...statements, deleteBytesAt(db, partKeys(held), '')],
  })
}
