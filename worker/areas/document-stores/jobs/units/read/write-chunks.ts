/** The statements that change chunks, in few statements however many chunks there are. */
import { eq, sql } from 'drizzle-orm'
import type { ChunkChanges, OldChunk } from '#contract/document-stores/chunk-changes.ts'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { documentChunks, documentStores } from '#db/schema/index.ts'
import type { SearchIndex } from '#db/search-index/types.ts'
import { orderedIds } from '../../../ordered-ids.ts'
import { type JobContext, type Statement, writeUnit } from '../../job-context.ts'
import type { JobCounts } from '../../rows/job-rows.ts'
import { CHARS_BUDGET, yieldToCalls } from '../../work-budget.ts'
import type { ReadPiece } from './cut-documents.ts'

/** A chunk of a source that is read again. */
export interface StoredChunk extends OldChunk {
  hash: string
  /** Length of its text, in characters. */
  chars: number
}

interface WrittenChunk extends ReadPiece {
  id: string
  sourceId: string
  chunkNo: number
}

export interface ChunkWrites {
  inserted: WrittenChunk[]
  replaced: (WrittenChunk & { old: StoredChunk })[]
  moved: { id: string; chunkNo: number; metadata: string }[]
  proposed: { id: string; chunkNo: number; proposedContent: string }[]
  removed: StoredChunk[]
}

/** One batch holds so many characters of new text: larger documents take several. */
const MAX_BATCH_CHARS = 4_000_000
/** Chunks that one batch deletes: about a budget's work. */
export const REMOVED_PER_UNIT = 200
/** Chunks that only get another place or a proposal. */
const MOVED_PER_BATCH = 500

export function planWrites(sourceId: string, changes: ChunkChanges<StoredChunk, ReadPiece>, now: Date): ChunkWrites {
  const ids = orderedIds(now, changes.added.length)
  return {
    inserted: changes.added.map(({ piece, chunkNo }, at) => ({ ...piece, id: ids[at] as string, sourceId, chunkNo })),
    replaced: changes.changed.map(({ old, piece, chunkNo }) => ({ ...piece, id: old.id, sourceId, chunkNo, old })),
    moved: changes.renumbered.map(({ old, piece, chunkNo }) => ({
      id: old.id,
      chunkNo,
      metadata: old.isEdited ? old.metadata : piece.metadata,
    })),
    proposed: changes.conflicts.map(({ old, proposedContent, chunkNo }) => ({ id: old.id, chunkNo, proposedContent })),
    removed: changes.removed,
  }
}

export const mergeWrites = (all: ChunkWrites[]): ChunkWrites => ({
  inserted: all.flatMap(({ inserted }) => inserted),
  replaced: all.flatMap(({ replaced }) => replaced),
  moved: all.flatMap(({ moved }) => moved),
  proposed: all.flatMap(({ proposed }) => proposed),
  removed: all.flatMap(({ removed }) => removed),
})

/**
 * Cuts writes into parts for one batch each. A part that was written stays when a worker is lost: the source is read again,
 * and only the others change then.
 */
export function splitWrites({ inserted, replaced, moved, proposed, removed }: ChunkWrites): ChunkWrites[] {
  const slices = {
    inserted: [...sliceBySize(inserted, MAX_BATCH_CHARS, charsOfText)],
    replaced: [...sliceBySize(replaced, atLeast(CHARS_BUDGET, charsOf(replaced)), charsOfText)],
    moved: [...sliceBySize(moved, atLeast(MOVED_PER_BATCH, moved.length), one)],
    proposed: [...sliceBySize(proposed, atLeast(MOVED_PER_BATCH, proposed.length), one)],
    removed: [...sliceBySize(removed, atLeast(REMOVED_PER_UNIT, removed.length), one)],
  }
  const count = Math.max(1, ...Object.values(slices).map(({ length }) => length))
  return Array.from({ length: count }, (_, part) => ({
    inserted: slices.inserted[part] ?? [],
    replaced: slices.replaced[part] ?? [],
    moved: slices.moved[part] ?? [],
    proposed: slices.proposed[part] ?? [],
    removed: slices.removed[part] ?? [],
  }))
}

/** Limit per document, so that a worker stays within its number of subrequests. */
const MAX_BATCHES = 20

const atLeast = (least: number, total: number) => Math.max(least, total / MAX_BATCHES)
const charsOfText = ({ text }: { text: string }) => text.length
const one = () => 1

/** Yields the items in their order, each time until they reach a size. */
function* sliceBySize<Item>(items: Item[], size: number, sizeOf: (item: Item) => number): Generator<Item[]> {
  let from = 0
  let taken = 0
  for (const [index, item] of items.entries()) {
    taken += sizeOf(item)
    if (taken < size && index < items.length - 1) continue
    yield items.slice(from, index + 1)
    from = index + 1
    taken = 0
  }
}

export interface ChunkTotals {
  chunks: number
  chars: number
}

/** Changes to the totals of a loader and its store. */
export function totalsOf({ inserted, replaced, removed }: ChunkWrites): ChunkTotals {
  const added = inserted.reduce((sum, { text }) => sum + text.length, 0)
  const changed = replaced.reduce((sum, { text, old }) => sum + text.length - old.chars, 0)
  const gone = removed.reduce((sum, { chars }) => sum + chars, 0)
  return { chunks: inserted.length - removed.length, chars: added + changed - gone }
}

export function countsOf({ inserted, replaced, proposed, removed }: ChunkWrites): JobCounts {
  const numUpdated = replaced.length + proposed.length
  const done = inserted.length + numUpdated
  return {
    ...{ numAdded: inserted.length, numUpdated, numDeleted: removed.length },
    ...{ chunksTotal: done, chunksDone: done },
  }
}

const charsOf = (chunks: ReadPiece[]) => chunks.reduce((sum, { text }) => sum + text.length, 0)

const entriesOf = (chunks: WrittenChunk[]) =>
  chunks.map(({ id, hash, headings, text }) => ({ chunkId: id, hash, text: embeddedText(headings, text) }))

/** A budget's work with what its last source has beyond it. */
const MOST_AT_ONCE = 1.5 * CHARS_BUDGET

/**
 * Indexing the words of new chunks is most of the work. Where it is more than a budget it is done before, a turn at a
 * time, and the batch of the chunks is left with the rest. Nobody finds the words of a chunk that is not there, and
 * those that a lost worker leaves go when the loader is settled. Returns whether it was done.
 */
export async function indexFirst(
  task: JobContext,
  searchIndex: SearchIndex,
  { inserted }: ChunkWrites,
): Promise<boolean> {
  const chars = charsOf(inserted)
  if (chars <= MOST_AT_ONCE) return false
  for (const part of sliceBySize(inserted, atLeast(CHARS_BUDGET, chars), charsOfText)) {
    await writeUnit(task, { prepares: true, statements: searchIndex.writeEntries(entriesOf(part)) })
    await yieldToCalls(task.services.clock)
  }
  return true
}

interface WrittenPart {
  writes: ChunkWrites
  searchIndex: SearchIndex
  docId: string
  /** The words of new chunks are in the search index. */
  isIndexed?: boolean
}

export function chunkStatements(
  { db, rows, store }: JobContext,
  { writes, searchIndex, docId, isIndexed = false }: WrittenPart,
): Statement[] {
  const { inserted, replaced, moved, proposed, removed } = writes
  const removedIds = removed.map(({ id }) => id)
  const entries = entriesOf(isIndexed ? replaced : [...inserted, ...replaced])
  const isListed = sql`${documentChunks.id} = i.value ->> 'id'`
  const update = (set: ReturnType<typeof sql>, list: unknown[]) =>
    list.length === 0
      ? []
      : [
          db.run(sql`update ${documentChunks} set ${set} from json_each(${JSON.stringify(list)}) i
            where ${rows.foundInWorkspace(documentChunks, isListed)}`),
        ]
  return [
    ...searchIndex.removeEntries(removedIds),
    ...(removedIds.length === 0
      ? []
      : [
          rows.delete(
            documentChunks,
            sql`${documentChunks.id} in (select value from json_each(${JSON.stringify(removedIds)}))`,
          ),
        ]),
    ...(inserted.length === 0
      ? []
      : [
          db.run(sql`
            insert into ${documentChunks} (id, workspace_id, store_id, doc_id, source_id, chunk_no, page_content,
              metadata, headings, hash, origin_hash, tokens, is_enabled)
            select i.value ->> 'id', ${documentStores.workspaceId}, ${documentStores.id}, ${docId},
              i.value ->> 'sourceId', i.value ->> 'chunkNo', i.value ->> 'text', i.value ->> 'metadata',
              i.value ->> 'headings', i.value ->> 'hash', i.value ->> 'hash', i.value ->> 'tokens', 1
            from json_each(${JSON.stringify(inserted)}) i cross join ${documentStores}
            where ${rows.foundInWorkspace(documentStores, eq(documentStores.id, store.id))}`),
        ]),
    ...update(
      sql`chunk_no = i.value ->> 'chunkNo', page_content = i.value ->> 'text', metadata = i.value ->> 'metadata',
        headings = i.value ->> 'headings', hash = i.value ->> 'hash', origin_hash = i.value ->> 'hash',
        tokens = i.value ->> 'tokens'`,
      replaced.map(({ old: _, ...chunk }) => chunk),
    ),
    ...update(sql`chunk_no = i.value ->> 'chunkNo', metadata = i.value ->> 'metadata', proposed_content = null`, moved),
    ...update(sql`chunk_no = i.value ->> 'chunkNo', proposed_content = i.value ->> 'proposedContent'`, proposed),
    ...searchIndex.writeEntries(entries),
  ]
}
