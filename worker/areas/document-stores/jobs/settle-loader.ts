/** Ends the reading of a loader: what is gone at its origin leaves, numbers and totals become exact. */
import { and, asc, count, eq, sql } from 'drizzle-orm'
import { documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { openShelf } from '#db/shelf.ts'
import { enabledChunks } from './embed-chunks.ts'
import type { JobCursor, LoaderRow } from './job-rows.ts'
import { type Statement, type Task, writeUnit } from './open-task.ts'
import type { StoredChunk } from './write-chunks.ts'
import { chunkStatements, countsOf, totalsOf } from './write-chunks.ts'
import { asksFirst, askToDrop, isUnseen, leftChunks, totalStatements } from './write-sources.ts'

/** Chunks that one unit deletes: about a turn's work. */
const DELETED_PER_UNIT = 200

interface Settled {
  loader: LoaderRow
  /** Where the job stands when the loader is done. */
  next: JobCursor
}

/** One unit of it: there is more to do, the loader is settled, or a person is asked. */
export async function settleLoader(task: Task, settled: Settled): Promise<'more' | 'settled' | 'asked'> {
  const { loader } = settled
  if (task.job.request.failedOnly) return finish(task, settled)
  const { db, rows } = task
  const ofGone = sql`${documentChunks.sourceId} in (select ${documentSources.id} from ${documentSources}
    where ${isUnseen(task, loader)})`
  const isGone = rows.foundInWorkspace(documentChunks, and(eq(documentChunks.docId, loader.id), ofGone))
  const { id, hash, pageContent } = documentChunks
  const [[gone], chunks] = await db.batch([
    db.select({ count: count() }).from(documentChunks).where(isGone),
    db
      .select({ id, hash, chars: sql<number>`length(${pageContent})` })
      .from(documentChunks)
      .where(isGone)
      .orderBy(asc(id))
      .limit(DELETED_PER_UNIT),
  ])
  const dropped = gone?.count ?? 0
  if (dropped === 0) return finish(task, settled)
  if (asksFirst(task, { chunks: task.store.totalChunks, dropped })) {
    const marked = rows.update(documentSources, isUnseen(task, loader), { status: 'GONE' })
    await askToDrop(task, dropped, [marked])
    return 'asked'
  }
  await deleteChunks(task, loader, chunks as StoredChunk[])
  return 'more'
}

async function deleteChunks(task: Task, loader: LoaderRow, removed: StoredChunk[]): Promise<void> {
  const { db, tenant, store, cursor } = task
  const shelf = await openShelf(db, tenant, store.id)
  if (!shelf) throw new Error(`Document store ${store.id} has chunks and no shelf`)
  const writes = { inserted: [], replaced: [], moved: [], proposed: [], removed }
  const totals = totalsOf(writes)
  const unused = leftChunks(task, writes)
  await writeUnit(task, {
    ...(unused && { cursor: { ...cursor, unused } }),
    add: countsOf(writes),
    statements: [
      ...chunkStatements(task, { writes, shelf, docId: loader.id }),
      ...totalStatements(task, loader, totals),
    ],
  })
  task.store.totalChunks += totals.chunks
}

/** Whatever was counted on the way, the totals are what is there. */
async function finish(task: Task, { loader, next }: Settled): Promise<'settled'> {
  const { rows, job } = task
  const shelf = await openShelf(task.db, task.tenant, task.store.id)
  const sum = (column: string) =>
    sql`(select coalesce(sum(${sql.identifier(column)}), 0) from ${documentLoaders} own where own.store_id = ${job.storeId})`
  const gone = job.request.failedOnly ? [] : [rows.delete(documentSources, isUnseen(task, loader))]
  await writeUnit(task, {
    cursor: next,
    statements: [
      ...gone,
      renumber(task, loader),
      ...(shelf?.keepEntries(enabledChunks(task)) ?? []),
      rows.update(documentLoaders, eq(documentLoaders.id, loader.id), {
        ...countedTotals(loader.id),
        ...readState(loader.id),
      }),
      rows.update(documentStores, eq(documentStores.id, job.storeId), {
        totalChunks: sum('total_chunks') as unknown as number,
        totalChars: sum('total_chars') as unknown as number,
        totalBytes: sql`(select coalesce(sum(own.size), 0) from ${documentSources} own
          where own.store_id = ${job.storeId} and own.is_stored)` as unknown as number,
      }),
    ],
  })
  return 'settled'
}

/** The totals of a loader, counted. */
export const countedTotals = (loaderId: string) => ({
  totalChunks: sql`(select count(*) from ${documentChunks} own where own.doc_id = ${loaderId})` as unknown as number,
  totalChars: sql`(select coalesce(sum(length(own.page_content)), 0) from ${documentChunks} own
    where own.doc_id = ${loaderId})` as unknown as number,
})

/** The state of a loader that was read. */
export function readState(loaderId: string) {
  const failed = sql`(select count(*) from ${documentSources} own where own.doc_id = ${loaderId} and own.status = 'FAILED')`
  return {
    status: sql`case when ${failed} = 0 then 'SYNC' else 'STALE' end` as unknown as 'SYNC',
    statusReason:
      sql`case when ${failed} > 0 then ${failed} || ' of its files or pages could not be read' end` as unknown as string,
  }
}

/** From 1, in the order in which the sources were listed. */
function renumber({ db, rows }: Task, { id }: LoaderRow): Statement {
  return db.run(sql`
    update ${documentChunks} set chunk_no = ordered.number
    from (select c.id, row_number() over (order by s.rowid, c.chunk_no, c.id) as number
      from ${documentChunks} c cross join ${documentSources} s on s.id = c.source_id where c.doc_id = ${id}) ordered
    where ${rows.foundInWorkspace(documentChunks, sql`${documentChunks.id} = ordered.id`)}
      and ${documentChunks.chunkNo} <> ordered.number`)
}
