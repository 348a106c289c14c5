/** Embeds the texts of a store that have no vector yet, in units of a few requests. */
import { and, asc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { TOKEN_QUOTA } from '#contract/document-stores/limits.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { documentChunks } from '#db/schema/index.ts'
import {
  abandonSearchIndex,
  createSearchIndex,
  openSearchIndex,
  swapSearchIndex,
} from '#db/search-index/search-index.ts'
import type { SearchIndex } from '#db/search-index/types.ts'
import type { VectorStore } from '../../../../knowledge/types.ts'
import type { Embeddings } from '../../../../models/embeddings/types.ts'
import { ProviderRefusal } from '../../../../providers/service.ts'
import { type JobContext, writeUnit } from '../job-context.ts'
import { openEmbedder, openStoreElsewhere } from '../open-components.ts'
import { endJob } from '../rows/end-job.ts'
import { VECTORS_BUDGET, yieldToCalls } from '../work-budget.ts'
import { removeOrphanedEntries } from './cleanup/remove-orphaned-entries.ts'

/** Requests that are under way at once. */
const REQUESTS_PER_UNIT = 4
/** Characters of one unit: a request takes at most 300,000 tokens. */
const MAX_UNIT_CHARS = 1_000_000
const TIMEOUT_MS = 120_000
/** Chunks that one unit writes into a search index that replaces another. */
const ENTRIES_PER_UNIT = 500
/** Waits before a request that was refused for its rate is sent again. */
const BACKOFF_MS = [1000, 2000, 4000]

interface Embedding {
  task: JobContext
  embedder: Embeddings
  remote: VectorStore | undefined
  /** Identifies the embedder and the place: equal texts have equal vectors there. */
  identity: string
}

/** Undefined where the store is searched by keyword only. */
export async function openEmbedding(task: JobContext): Promise<Embedding | undefined> {
  const embedder = await openEmbedder(task)
  if (!embedder) return undefined
  const elsewhere = await openStoreElsewhere(task)
  const identity = elsewhere ? `${embedder.identity} in ${elsewhere.identity}` : embedder.identity
  return { task, embedder, remote: elsewhere?.remote, identity }
}

/** One unit of it. Resolves to false when nothing is left and the job has ended. */
export async function embedChunks(task: JobContext, embedding: Embedding | undefined): Promise<boolean> {
  const { db, tenant, store } = task
  if (!embedding) {
    await openOrCreate(task)
    const statements = [abandonSearchIndex(db, tenant, store.id)]
    await endJob(task, { state: 'done', reason: null, isComplete: true }, { statements })
    return false
  }
  if (task.cursor.unused) return removeUnused(embedding, task.cursor.unused)
  const found = await searchIndexFor(embedding)
  if (!found) return true
  const { searchIndex, isBuilding } = found
  if (isBuilding && task.cursor.filled !== searchIndex.id) return fillSearchIndex(task, searchIndex)
  const among = isBuilding ? undefined : ofLoader(task)
  const hashes = await searchIndex.missingHashes(embedding.embedder.maxBatch * REQUESTS_PER_UNIT, among)
  if (hashes.length > 0) {
    const texts = await readTexts(task, hashes)
    if (texts.length > 0) return embedTexts(embedding, searchIndex, texts)
    await writeUnit(task, { statements: searchIndex.keepEntries(enabledChunks(task)) })
    return true
  }
  if (isBuilding && (await removeOrphanedEntries(task, searchIndex))) return true
  const isComplete =
    among === undefined ||
    (searchIndex.embedder === embedding.identity && (await searchIndex.missingHashes(1)).length === 0)
  const statements = [
    ...(isBuilding ? swapSearchIndex(db, tenant, store.id) : [abandonSearchIndex(db, tenant, store.id)]),
    ...searchIndex.removeUnusedVectors(),
  ]
  await endJob(task, { state: 'done', reason: null, isComplete }, { statements })
  return false
}

const openOrCreate = async ({ db, tenant, store }: JobContext): Promise<SearchIndex> =>
  (await openSearchIndex(db, tenant, store.id)) ??
  createSearchIndex(db, tenant, { storeId: store.id, embedder: null, dimensions: null })

/**
 * Returns the search index whose vectors this embedder makes. Without one, the first texts are embedded to learn how
 * long its vectors are, and it is made: in the search index that is searched when that holds words only, or else as
 * another one, which is filled before it takes its place.
 */
async function searchIndexFor(
  embedding: Embedding,
): Promise<{ searchIndex: SearchIndex; isBuilding: boolean } | undefined> {
  const { task, identity, remote } = embedding
  const { db, tenant, store } = task
  const current = await openOrCreate(task)
  if (current.embedder === identity) return { searchIndex: current, isBuilding: false }
  const building = await openSearchIndex(db, tenant, store.id, 'building')
  if (building?.embedder === identity) return { searchIndex: building, isBuilding: true }
  const state = current.embedder === null ? 'current' : 'building'
  const begin = async (dimensions: number | null) =>
    createSearchIndex(db, tenant, { storeId: store.id, embedder: identity, dimensions, state })
  if (remote) return { searchIndex: await begin(null), isBuilding: state === 'building' }
  const texts = await firstTexts(embedding, state === 'current' ? task.job.docId : null)
  if (texts.length === 0) return { searchIndex: current, isBuilding: false }
  const embedded = await requestVectors(embedding, texts)
  const searchIndex = await begin(embedded.vectors[0]?.vector.length ?? 0)
  await writeUnit(task, {
    ...countEmbedded(embedding, embedded),
    statements: searchIndex.writeVectors(embedded.vectors),
  })
  return undefined
}

interface Text {
  hash: string
  text: string
  chunkId: string
  docId: string
  metadata: string
}

const textColumns = {
  hash: documentChunks.hash,
  chunkId: documentChunks.id,
  docId: documentChunks.docId,
  metadata: documentChunks.metadata,
  headings: documentChunks.headings,
  pageContent: documentChunks.pageContent,
}

const asTexts = (
  rows: { headings: string; pageContent: string; hash: string; chunkId: string; docId: string; metadata: string }[],
) => rows.map(({ headings, pageContent, ...chunk }): Text => ({ ...chunk, text: embeddedText(headings, pageContent) }))

async function readChunks({ db, rows, store }: JobContext, hashes: string[]): Promise<Text[]> {
  const isAsked = and(
    eq(documentChunks.storeId, store.id),
    inArray(documentChunks.hash, hashes),
    eq(documentChunks.isEnabled, true),
  )
  return asTexts(
    await db.select(textColumns).from(documentChunks).where(rows.foundInWorkspace(documentChunks, isAsked)),
  )
}

/** A condition on a chunk's id; undefined where the job is about the whole store. */
export function ofLoader({ rows, job }: JobContext) {
  const { docId } = job
  if (docId === null || (job.kind !== 'upsert' && job.kind !== 'clean')) return undefined
  return (chunkId: SQL) =>
    sql`exists (select 1 from ${documentChunks} where ${rows.foundInWorkspace(
      documentChunks,
      and(sql`${documentChunks.id} = ${chunkId}`, eq(documentChunks.docId, docId)),
    )})`
}

/** Selects what a search index has entries of. */
const enabledChunks = ({ rows, store }: JobContext) =>
  sql`select ${documentChunks.id} from ${documentChunks} where ${rows.foundInWorkspace(
    documentChunks,
    and(eq(documentChunks.storeId, store.id), eq(documentChunks.isEnabled, true)),
  )}`

/** Returns each text once; none when the chunks were deleted. */
async function readTexts(task: JobContext, hashes: string[]): Promise<Text[]> {
  return [...new Map((await readChunks(task, hashes)).map((text) => [text.hash, text])).values()]
}

/** @param docId only of this loader */
async function firstTexts(
  { task: { db, rows, store, job }, embedder }: Embedding,
  docId: string | null,
): Promise<Text[]> {
  const isOfLoader = docId !== null && job.kind === 'upsert' ? eq(documentChunks.docId, docId) : undefined
  const found = await db
    .select(textColumns)
    .from(documentChunks)
    .where(
      rows.foundInWorkspace(
        documentChunks,
        and(eq(documentChunks.storeId, store.id), eq(documentChunks.isEnabled, true), isOfLoader),
      ),
    )
    .groupBy(documentChunks.hash)
    .orderBy(asc(documentChunks.hash))
    .limit(embedder.maxBatch)
  return asTexts(found)
}

interface Embedded {
  vectors: { hash: string; vector: number[] }[]
  tokens: number
}

/** Writes the vectors that arrived even if another request of the unit failed. */
async function embedTexts(embedding: Embedding, searchIndex: SearchIndex, texts: Text[]): Promise<true> {
  const batches = splitIntoBatches(texts, embedding.embedder.maxBatch)
  const settled = await Promise.allSettled(batches.map((batch) => requestVectors(embedding, batch)))
  const embedded = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const vectors = embedded.flatMap((part) => part.vectors)
  const refused = settled.find((result) => result.status === 'rejected')
  if (vectors.length > 0) {
    await writeRemote(embedding, vectors)
    await writeVectors(embedding, searchIndex, {
      vectors,
      tokens: embedded.reduce((sum, part) => sum + part.tokens, 0),
    })
  }
  if (refused) throw refused.reason
  return true
}

/** A budget's worth at a time; the first says what all of them cost. */
async function writeVectors(
  embedding: Embedding,
  searchIndex: SearchIndex,
  { vectors, tokens }: Embedded,
): Promise<void> {
  const { task } = embedding
  for (let from = 0; from < vectors.length; from += VECTORS_BUDGET) {
    if (from > 0) await yieldToCalls(task.services.clock)
    const written = vectors.slice(from, from + VECTORS_BUDGET)
    const counts = countEmbedded(embedding, { vectors: written, tokens: from === 0 ? tokens : 0 })
    await writeUnit(task, { ...counts, statements: searchIndex.writeVectors(written) })
  }
}

function splitIntoBatches(texts: Text[], maxBatch: number): Text[][] {
  const batches: Text[][] = []
  let chars = 0
  for (const text of texts) {
    chars += text.text.length
    if (chars > MAX_UNIT_CHARS && batches.length > 0) break
    const last = batches.at(-1)
    if (last && last.length < maxBatch) last.push(text)
    else batches.push([text])
  }
  return batches
}

async function requestVectors({ task, embedder }: Embedding, texts: Text[]): Promise<Embedded> {
  assertTokens(task, texts)
  const sent = texts.map(({ text }) => text)
  const { vectors, tokens } = await withBackoff(task, () =>
    embedder.embed(sent, 'document', AbortSignal.timeout(TIMEOUT_MS)),
  )
  task.used.tokens += tokens
  return { vectors: texts.map(({ hash }, index) => ({ hash, vector: vectors[index] as number[] })), tokens }
}

/** A provider that asks for patience gets some. */
async function withBackoff<Result>({ services }: JobContext, work: () => Promise<Result>): Promise<Result> {
  for (const wait of BACKOFF_MS) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ProviderRefusal) || error.status !== 429) throw error
      await services.clock.sleep(wait)
    }
  }
  return work()
}

function assertTokens({ used }: JobContext, texts: Text[]): void {
  const tokens = texts.reduce((sum, { text }) => sum + countTokens(text), 0)
  if (used.tokens + tokens <= TOKEN_QUOTA) return
  const quota = TOKEN_QUOTA.toLocaleString('en')
  throw new ProviderRefusal(
    `This workspace may have ${quota} tokens embedded in a month, and has used them. Go on next month.`,
    403,
  )
}

function countEmbedded({ task, embedder }: Embedding, { vectors, tokens }: Embedded) {
  const isUpsert = task.job.kind === 'upsert'
  const cost = embedder.price === undefined ? 0 : (tokens / 1_000_000) * embedder.price
  return {
    add: {
      ...{ tokens, cost, chunksDone: isUpsert ? vectors.length : 0, chunksTotal: isUpsert ? vectors.length : 0 },
      numAdded: isUpsert ? vectors.length : 0,
    },
  }
}

/** Each chunk of a text has an entry of its own there, under the chunk's id: writing it again replaces it. */
async function writeRemote({ task, remote }: Embedding, vectors: Embedded['vectors']): Promise<void> {
  if (!remote) return
  const byHash = new Map(vectors.map(({ hash, vector }) => [hash, vector]))
  const entries = (await readChunks(task, [...byHash.keys()])).map(({ chunkId, docId, hash, text, metadata }) => {
    const known = tryParseJson(metadata)
    return {
      ...{ id: chunkId, text, vector: byHash.get(hash) as number[] },
      metadata: { ...(isRecord(known) && known), docId },
    }
  })
  for (let from = 0; from < entries.length; from += remote.maxBatch)
    await remote.write(entries.slice(from, from + remote.maxBatch))
}

/** Deleting what is not there changes nothing. */
export async function removeElsewhere(store: VectorStore | undefined, ids: string[]): Promise<void> {
  if (!store) return
  for (let from = 0; from < ids.length; from += store.maxBatch)
    await store.delete(ids.slice(from, from + store.maxBatch))
}

/** Deletes chunks that have left from the vector store elsewhere. */
export async function removeUnused({ task, remote }: Embedding, ids: string[]): Promise<true> {
  const { unused: _, ...rest } = task.cursor
  await removeElsewhere(remote, ids)
  await writeUnit(task, { cursor: rest })
  return true
}

/**
 * One unit of writing the chunks that the current search index lacks, as when a worker was lost before they were
 * written.
 */
export async function fillWords(task: JobContext): Promise<void> {
  const searchIndex = await openOrCreate(task)
  await fillSearchIndex(task, searchIndex)
}

/** Writes the next chunks that the search index lacks; `filled` says when none is left. */
async function fillSearchIndex(task: JobContext, searchIndex: SearchIndex): Promise<true> {
  const { part = '', ...rest } = task.cursor
  const chunks = await lackingTexts(task, { searchIndex, from: part })
  const last = chunks.length === ENTRIES_PER_UNIT ? chunks.at(-1)?.hash : undefined
  await writeUnit(task, {
    cursor: last === undefined ? { ...rest, filled: searchIndex.id } : { ...rest, part: last },
    add: task.job.kind === 'index' ? { chunksTotal: chunks.length, chunksDone: chunks.length } : {},
    statements: searchIndex.writeEntries(chunks.map(({ chunkId, hash, text }) => ({ chunkId, hash, text }))),
  })
  return true
}

/** @param from the hash of a text: others of it may be lacking still */
async function lackingTexts(
  { db, rows, store }: JobContext,
  { searchIndex, from }: { searchIndex: SearchIndex; from: string },
) {
  const { id, hash, storeId, isEnabled } = documentChunks
  const isLacking = and(
    eq(storeId, store.id),
    gte(hash, from),
    eq(isEnabled, true),
    searchIndex.lacks({ id: sql`${id}`, hash: sql`${hash}` }),
  )
  return asTexts(
    await db
      .select(textColumns)
      .from(documentChunks)
      .where(rows.foundInWorkspace(documentChunks, isLacking))
      .orderBy(asc(hash))
      .limit(ENTRIES_PER_UNIT),
  )
}
