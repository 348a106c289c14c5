/** Writes what was read of a few sources: chunks change in one batch, with their rows and all counters; those of a large document in several. */
import { asc, eq, inArray, sql } from 'drizzle-orm'
import { compareChunks } from '#contract/document-stores/chunk-changes.ts'
import { CHUNK_QUOTA } from '#contract/document-stores/limits.ts'
import { documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { chunkHash } from '../../../../../knowledge/chunk-hash.ts'
import { type JobContext, JobProblem, type Statement, writeUnit } from '../../job-context.ts'
import { endJob } from '../../rows/end-job.ts'
import type { JobCounts, LoaderRow } from '../../rows/job-rows.ts'
import { yieldToCalls } from '../../work-budget.ts'
import { addSources, countFiles } from '../list-sources.ts'
import type { Reading, ReadSource } from './read-progress.ts'
import { storeOriginalFile } from './store-original-file.ts'
import {
  type ChunkTotals,
  type ChunkWrites,
  chunkStatements,
  countsOf,
  indexFirst,
  mergeWrites,
  planWrites,
  type StoredChunk,
  splitWrites,
  totalsOf,
} from './write-chunks.ts'

export async function writeSources(reading: Reading, results: ReadSource[]): Promise<void> {
  const { task, opened, searchIndex } = reading
  const loader = opened.row
  const old = await readChunks(task, results)
  let nextNo = loader.totalChunks + 1
  const written = results.map((result) => {
    const known = old.get(result.source.id) ?? []
    const source = writesOfSource(result, known, {
      firstNo: known[0]?.chunkNo ?? nextNo,
      now: task.services.clock.now(),
    })
    if (known.length === 0) nextNo += source.writes.inserted.length
    return { result, ...source }
  })
  const writes = mergeWrites(written.map((source) => source.writes))
  const totals = totalsOf(writes)
  if (asksFirst(task, { chunks: task.store.totalChunks, dropped: -totals.chunks }))
    return askToDrop(task, -totals.chunks)
  assertQuota(task, totals)
  const originals = (await Promise.all(results.map((result) => storeOriginalFile(task, result)))).flat()
  const parts = splitWrites(writes)
  for (const [index, part] of parts.entries()) {
    if (index > 0) await yieldToCalls(task.services.clock)
    const isLast = index === parts.length - 1
    const unused = leftChunks(task, part)
    const isIndexed = await indexFirst(task, searchIndex, part)
    await writeUnit(task, {
      ...(unused && { cursor: { ...task.cursor, unused } }),
      add: { ...countsOf(part), ...(isLast && fileCounts(written)) },
      statements: [
        ...chunkStatements(task, { writes: part, searchIndex, docId: loader.id, isIndexed }),
        ...totalStatements(task, loader, totalsOf(part)),
        ...(isLast
          ? [...originals, sourceStatement(task, written), ...foundStatements(task, loader, results)]
          : [beginStatement(task, results)]),
      ],
    })
    addTotals(task, loader, totalsOf(part))
  }
}

interface WrittenSource {
  result: ReadSource
  writes: ChunkWrites
  /** Its chunks afterwards. */
  chunks: number
  skipped: number
}

const NO_WRITES: ChunkWrites = { inserted: [], replaced: [], moved: [], proposed: [], removed: [] }

function writesOfSource(result: ReadSource, old: StoredChunk[], { firstNo, now }: { firstNo: number; now: Date }) {
  if (result.state !== 'read') return { writes: NO_WRITES, chunks: result.source.chunks, skipped: old.length }
  const changes = compareChunks(old, result.pieces, firstNo)
  const { kept, renumbered, added, changed, conflicts } = changes
  const skipped = kept.length + renumbered.length
  return {
    writes: planWrites(result.source.id, changes, now),
    chunks: skipped + added.length + changed.length + conflicts.length,
    skipped,
  }
}

/** One that was never read to its end has chunks when a worker was lost between its batches: its row says so. */
const mayHaveChunks = ({ hash, chunks }: ReadSource['source']) => hash !== null || chunks > 0

/** The statement that says so. */
const beginStatement = ({ rows }: JobContext, results: ReadSource[]): Statement =>
  rows.update(
    documentSources,
    inArray(
      documentSources.id,
      results.map(({ source }) => source.id),
    ),
    { chunks: sql`max(1, ${documentSources.chunks})` as unknown as number },
  )

/** Only edited chunks need their text: all others are compared by their hashes. */
async function readChunks({ db, rows }: JobContext, results: ReadSource[]): Promise<Map<string, StoredChunk[]>> {
  const ids = results.flatMap(({ source, state }) => (state === 'read' && mayHaveChunks(source) ? [source.id] : []))
  if (ids.length === 0) return new Map()
  const { id, sourceId, chunkNo, pageContent, metadata, headings, hash, originHash, isEnabled, editedDate } =
    documentChunks
  const found = await db
    .select({
      ...{ id, sourceId, chunkNo, metadata, headings, hash, originHash, isEnabled, editedDate },
      pageContent: sql<string>`case when ${editedDate} is null then '' else ${pageContent} end`,
      chars: sql<number>`length(${pageContent})`,
      proposedContent: documentChunks.proposedContent,
    })
    .from(documentChunks)
    .where(rows.foundInWorkspace(documentChunks, inArray(sourceId, ids)))
    .orderBy(asc(chunkNo), asc(id))
  const chunks = found.map(({ editedDate, headings, ...chunk }) => ({
    ...chunk,
    isEdited: editedDate !== null,
    proposedHash: chunk.proposedContent ? chunkHash(headings, chunk.proposedContent) : null,
  }))
  return Map.groupBy(chunks, (chunk) => chunk.sourceId)
}

/** True if a refresh has dropped at least half of the store's chunks and nobody has approved it. */
export function asksFirst(task: JobContext, { chunks, dropped }: { chunks: number; dropped: number }): boolean {
  if (!mayAsk(task)) return false
  const { job } = task
  const before = job.numDeleted - job.numAdded
  return dropped > 0 && (before + dropped) * 2 >= chunks + before
}

/** True for a refresh that nobody has agreed to. */
export const mayAsk = ({ job }: JobContext): boolean => job.kind === 'refresh' && !job.request.agreed

/** The job waits; what it would drop stays until a person agrees. */
export async function askToDrop(task: JobContext, dropped: number): Promise<void> {
  const { totalChunks } = task.store
  const reason = `This would delete ${dropped} of ${totalChunks} chunks, because their sources are gone or much shorter. Do you want to keep them or delete them?`
  await endJob(task, { state: 'asking', reason })
}

function assertQuota({ used }: JobContext, { chunks }: ChunkTotals): void {
  if (chunks <= 0 || used.chunks + chunks <= CHUNK_QUOTA) return
  throw new JobProblem(
    `This workspace may have ${CHUNK_QUOTA.toLocaleString('en')} chunks, and this needs more. Delete what is no longer searched, or cut larger chunks.`,
  )
}

/** A vector store elsewhere is told later which chunks have left. */
export function leftChunks({ store, cursor }: JobContext, { removed }: ChunkWrites): string[] | undefined {
  if (store.vectorStoreConfig === null || removed.length === 0) return undefined
  return [...(cursor.unused ?? []), ...removed.map(({ id }) => id)]
}

function fileCounts(written: WrittenSource[]): JobCounts {
  const failed = written.filter(({ result }) => result.state === 'failed').length
  return {
    filesDone: written.length,
    filesFailed: failed,
    pages: written.reduce((sum, { result }) => sum + (result.content?.pages ?? 0), 0),
    numSkipped: written.reduce((sum, { skipped }) => sum + skipped, 0),
  }
}

const STATES = { read: 'SYNC', same: 'SYNC', failed: 'FAILED', gone: 'GONE' } as const

function sourceStatement({ db, rows, services }: JobContext, written: WrittenSource[]): Statement {
  const listed = written.map(({ result: { source, state, error, content, pieces }, chunks }) => ({
    ...{ id: source.id, status: STATES[state], error, chunks },
    ...{ hash: content?.hash ?? source.hash, pages: content?.pages ?? source.pages },
    chars: state === 'read' ? pieces.reduce((sum, { text }) => sum + text.length, 0) : source.chars,
    seenBy: state === 'gone' ? null : source.seenBy,
  }))
  return db.run(sql`update ${documentSources} set status = i.value ->> 'status', error = i.value ->> 'error',
      hash = i.value ->> 'hash', pages = i.value ->> 'pages', chars = i.value ->> 'chars',
      chunks = i.value ->> 'chunks', seen_by = i.value ->> 'seenBy', updated_date = ${services.clock.now().toISOString()}
    from json_each(${JSON.stringify(listed)}) i
    where ${rows.foundInWorkspace(documentSources, sql`${documentSources.id} = i.value ->> 'id'`)}`)
}

/** Adds the sources that reading discovered. */
function foundStatements(task: JobContext, loader: LoaderRow, results: ReadSource[]): Statement[] {
  const found = results.flatMap(({ content }) => content?.found ?? [])
  return found.length === 0 ? [] : [addSources(task, loader, found), countFiles(task)]
}

export function totalStatements(
  { rows, store }: JobContext,
  { id }: LoaderRow,
  { chunks, chars }: ChunkTotals,
): Statement[] {
  if (chunks === 0 && chars === 0) return []
  const added = (table: typeof documentLoaders | typeof documentStores) => ({
    totalChunks: sql`${table.totalChunks} + ${chunks}` as unknown as number,
    totalChars: sql`${table.totalChars} + ${chars}` as unknown as number,
  })
  return [
    rows.update(documentLoaders, eq(documentLoaders.id, id), added(documentLoaders)),
    rows.update(documentStores, eq(documentStores.id, store.id), added(documentStores)),
  ]
}

/** State that later units of this step compare with. */
function addTotals(task: JobContext, loader: LoaderRow, { chunks }: ChunkTotals): void {
  loader.totalChunks += chunks
  task.store.totalChunks += chunks
  task.used.chunks += chunks
}
