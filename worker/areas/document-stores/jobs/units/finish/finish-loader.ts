/** Ends the reading of a loader: what is gone at its origin leaves, numbers and totals become exact. */
import { and, asc, count, eq, inArray, ne, sql } from 'drizzle-orm'
import { documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { openSearchIndex } from '#db/search-index/search-index.ts'
import { type JobContext, type Statement, writeUnit } from '../../job-context.ts'
import type { JobCursor, LoaderRow } from '../../rows/job-rows.ts'
import type { StoredChunk } from '../read/write-chunks.ts'
import { chunkStatements, countsOf, REMOVED_PER_UNIT, totalsOf } from '../read/write-chunks.ts'
import { asksFirst, askToDrop, leftChunks, mayAsk, totalStatements } from '../read/write-sources.ts'
import { renumberChunks } from './renumber-chunks.ts'

const SOURCES_PER_UNIT = 200

interface Settled {
  loader: LoaderRow
  /** Where the job stands when the loader is done. */
  next: JobCursor
}

/** One unit of it: there is more to do, the loader is settled, or a person is asked. */
export async function finishLoader(task: JobContext, { loader, next }: Settled): Promise<'more' | 'settled' | 'asked'> {
  if (!task.job.request.failedOnly && task.cursor.walk === undefined) {
    if (!task.cursor.isMarked) {
      if (await markGone(task, loader)) return 'more'
      const asked = await askFirst(task, loader)
      if (asked) return 'asked'
      task.cursor = { ...task.cursor, isMarked: true }
    }
    if (await deleteGone(task, loader)) return 'more'
  }
  const numbered = await renumberChunks(task, loader)
  if (!numbered) return 'more'
  await finish(task, { loader, next, ...numbered })
  return 'settled'
}

/** Marks sources that this job did not see: they are gone at their origin. Returns false when none is left. */
async function markGone(task: JobContext, loader: LoaderRow): Promise<boolean> {
  const { db, rows, job } = task
  const { id, docId, seenBy, status } = documentSources
  const isUnseen = and(eq(docId, loader.id), sql`${seenBy} is not ${job.id}`, ne(status, 'GONE'))
  const unseen = await db
    .select({ id })
    .from(documentSources)
    .where(rows.foundInWorkspace(documentSources, isUnseen))
    .limit(SOURCES_PER_UNIT)
  if (unseen.length === 0) return false
  await writeUnit(task, { statements: [rows.update(documentSources, isOneOf(unseen), { status: 'GONE' })] })
  return true
}

const isGone = ({ id }: LoaderRow) => and(eq(documentSources.docId, id), eq(documentSources.status, 'GONE'))
const isOneOf = (sources: { id: string }[]) =>
  sql`${documentSources.id} in (select value from json_each(${JSON.stringify(sources.map(({ id }) => id))}))`

/** Whether a person is to be asked is decided once, before the first chunk leaves. */
async function askFirst(task: JobContext, loader: LoaderRow): Promise<boolean> {
  const { db, rows } = task
  if (!mayAsk(task)) return false
  const ofGone = sql`${documentChunks.sourceId} in (select ${documentSources.id} from ${documentSources} where ${isGone(loader)})`
  const [gone] = await db
    .select({ count: count() })
    .from(documentChunks)
    .where(rows.foundInWorkspace(documentChunks, ofGone))
  const dropped = gone?.count ?? 0
  if (!asksFirst(task, { chunks: task.store.totalChunks, dropped })) return false
  await askToDrop(task, dropped)
  return true
}

/** Deletes the next of the gone sources with their chunks, or some of these. Returns false when none is left. */
async function deleteGone(task: JobContext, loader: LoaderRow): Promise<boolean> {
  const { db, rows } = task
  const { id, hash, sourceId, pageContent } = documentChunks
  const gone = await db
    .select({ id: documentSources.id })
    .from(documentSources)
    .where(rows.foundInWorkspace(documentSources, isGone(loader)))
    .orderBy(asc(documentSources.id))
    .limit(SOURCES_PER_UNIT)
  if (gone.length === 0) return false
  const ids = gone.map((source) => source.id)
  const chunks = await db
    .select({ id, hash, chars: sql<number>`length(${pageContent})` })
    .from(documentChunks)
    .where(rows.foundInWorkspace(documentChunks, inArray(sourceId, ids)))
    .limit(REMOVED_PER_UNIT)
  const left = chunks.length < REMOVED_PER_UNIT ? deleteSources(task, gone) : []
  await deleteChunks(task, loader, { removed: chunks as StoredChunk[], left })
  return true
}

/** Their originals no longer count. */
function deleteSources({ rows, store }: JobContext, sources: { id: string }[]): Statement[] {
  const bytes = sql`(select coalesce(sum(own.size), 0) from ${documentSources} own where own.is_stored
    and own.id in (select value from json_each(${JSON.stringify(sources.map(({ id }) => id))})))`
  return [
    rows.update(documentStores, eq(documentStores.id, store.id), {
      totalBytes: sql`${documentStores.totalBytes} - ${bytes}` as unknown as number,
    }),
    rows.delete(documentSources, isOneOf(sources)),
  ]
}

interface Leaving {
  removed: StoredChunk[]
  /** What follows from it. */
  left: Statement[]
}

async function deleteChunks(task: JobContext, loader: LoaderRow, { removed, left }: Leaving): Promise<void> {
  const { db, tenant, store, cursor } = task
  const searchIndex = await openSearchIndex(db, tenant, store.id)
  if (!searchIndex) throw new Error(`Document store ${store.id} has sources and no search index`)
  const writes = { inserted: [], replaced: [], moved: [], proposed: [], removed }
  const totals = totalsOf(writes)
  const unused = leftChunks(task, writes)
  await writeUnit(task, {
    cursor: { ...cursor, ...(unused && { unused }) },
    add: countsOf(writes),
    statements: [
      ...chunkStatements(task, { writes, searchIndex, docId: loader.id }),
      ...totalStatements(task, loader, totals),
      ...left,
    ],
  })
  task.store.totalChunks += totals.chunks
}

interface Finished extends Settled {
  chars: number
  statements: Statement[]
}

/** Whatever was counted on the way, the totals are what is there. */
async function finish(task: JobContext, { loader, next, chars, statements }: Finished): Promise<void> {
  const { rows, job } = task
  const sum = (column: string) =>
    sql`(select coalesce(sum(${sql.identifier(column)}), 0) from ${documentLoaders} own where own.store_id = ${job.storeId})`
  await writeUnit(task, {
    cursor: next,
    statements: [
      ...statements,
      rows.update(documentLoaders, eq(documentLoaders.id, loader.id), {
        totalChunks: countedTotals(loader.id).totalChunks,
        totalChars: chars,
        ...readState(loader.id),
      }),
      rows.update(documentStores, eq(documentStores.id, job.storeId), {
        totalChunks: sum('total_chunks') as unknown as number,
        totalChars: sum('total_chars') as unknown as number,
      }),
    ],
  })
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
