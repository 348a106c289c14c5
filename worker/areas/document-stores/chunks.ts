/** Chunks as people read, edit, switch off and delete them. Words are found anew at once, meanings with the next upsert. */
import { and, asc, eq, exists, type SQL, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type * as z from 'zod'
import type { ChunkPage, DocumentChunk, listChunksSchema, UpdateChunk } from '#contract/document-stores/chunks.ts'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { CHUNKS_PER_PAGE } from '#contract/document-stores/limits.ts'
import { countTokens } from '#contract/document-stores/tokens.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { contains } from '#db/contains.ts'
import { documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { searchIndexQuery } from '#db/search-index/search-index.ts'
import { chunkHash } from '../../knowledge/chunk-hash.ts'
import type { Services } from '../../services.ts'
import { dispatch } from './jobs/control/start-jobs.ts'
import { cleanJob } from './jobs/units/cleanup/clean-vectors.ts'
import { loaderNotFound } from './loaders.ts'
import { answeredStore, storeRead } from './read-stores.ts'
import type { Rows, StoreViewer } from './store-statements.ts'

type Row = typeof documentChunks.$inferSelect

interface ChunksOf {
  storeId: string
  /** A loader, or `all`. */
  loaderId: string
}

interface Listing extends ChunksOf {
  /** From 1. */
  page: number
  filter: z.infer<typeof listChunksSchema>
}

/** Throws `not_found`. */
export async function listChunks(db: Database, viewer: StoreViewer, listing: Listing): Promise<ChunkPage> {
  return toPage(await db.batch(pageReads(db, viewer, listing)), viewer, listing)
}

function pageReads(db: Database, viewer: StoreViewer, { storeId, loaderId, page, filter }: Listing) {
  const rows = scope(db, viewer.tenant)
  const { docId, chunkNo, id, pageContent, proposedContent, sourceId } = documentChunks
  const where = rows.foundInWorkspace(
    documentChunks,
    and(
      eq(documentChunks.storeId, storeId),
      loaderId === 'all' ? undefined : eq(docId, loaderId),
      filter.search ? contains(pageContent, filter.search) : undefined,
      filter.conflicts === 'true' ? sql`${proposedContent} is not null` : undefined,
      filter.sourceId ? eq(sourceId, filter.sourceId) : undefined,
    ),
  )
  const name = sql<string>`(${db
    .select({ name: documentSources.name })
    .from(documentSources)
    .where(eq(documentSources.id, sourceId))})`
  return [
    db
      .select({ chunk: documentChunks, sourceName: name.as('source_name') })
      .from(documentChunks)
      .where(where)
      .orderBy(asc(docId), asc(chunkNo), asc(id))
      .limit(CHUNKS_PER_PAGE)
      .offset((page - 1) * CHUNKS_PER_PAGE),
    db.select({ count: sql<number>`count(*)` }).from(documentChunks).where(where),
    ...storeRead(db, viewer, storeId),
  ] as const
}

function toPage(
  [chunks, [total], ...stores]: Rows<ReturnType<typeof pageReads>>,
  { tenant }: StoreViewer,
  listing: Listing,
): ChunkPage {
  const { storeId, loaderId, page } = listing
  const store = answeredStore(stores, storeId)
  const loader = store.loaders.find(({ id }) => id === loaderId)
  if (!loader && loaderId !== 'all') throw loaderNotFound(loaderId)
  return {
    chunks: chunks.map(({ chunk, sourceName }) => answerChunk(chunk, sourceName)),
    count: total?.count ?? 0,
    characters: loader?.totalChars ?? store.totalChars,
    ...(loader && { file: loader }),
    currentPage: page,
    storeName: store.name,
    description: store.description,
    docId: loaderId,
    workspaceId: tenant.workspaceId,
  }
}

function answerChunk(row: Row, sourceName: string | null): DocumentChunk {
  const { id, docId, storeId, chunkNo, pageContent, metadata, tokens, isEnabled, editedDate, proposedContent } = row
  return {
    ...{ id, docId, storeId, chunkNo, pageContent, metadata, tokens, isEnabled, proposedContent },
    isEdited: editedDate !== null,
    sourceName: sourceName ?? '',
  }
}

type Changing = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>

interface ChunkOf extends ChunksOf {
  chunkId: string
}

/**
 * Returns the first page of its loader. Throws `not_found`, and `conflict` when somebody else, or a refresh, changed the
 * chunk meanwhile.
 */
export async function updateChunk(
  services: Changing,
  viewer: StoreViewer,
  { values, ...of }: ChunkOf & { values: UpdateChunk },
): Promise<ChunkPage> {
  const { db, clock } = services
  const { row, searchIndexes, isElsewhere } = await openChunk(db, viewer.tenant, of)
  if (values.resolve === 'source' && row.proposedContent === '') return deleteChunk(services, viewer, of)
  const next = changed(row, values, clock.now().toISOString())
  const isFound = next.isEnabled && (next.hash !== row.hash || !row.isEnabled)
  const entry = { chunkId: row.id, hash: next.hash, text: embeddedText(next.headings, next.pageContent) }
  const { id: _, workspaceId: _workspace, ...set } = next
  const chars = next.pageContent.length - row.pageContent.length
  return writeChunk(services, viewer, {
    of,
    row,
    totals: { chunks: 0, chars },
    leaves: isElsewhere && row.isEnabled && !next.isEnabled,
    write: (isChunk) => scope(db, viewer.tenant).update(documentChunks, isChunk, set),
    entries: searchIndexes.flatMap((searchIndex) => {
      if (isFound) return searchIndex.writeEntries([entry])
      return next.isEnabled ? [] : searchIndex.removeEntries([row.id])
    }),
    toEmbed: isFound,
  })
}

/** Deletes a chunk. Returns and throws as `updateChunk` does. */
export async function deleteChunk(services: Changing, viewer: StoreViewer, of: ChunkOf): Promise<ChunkPage> {
  const { db } = services
  const { row, searchIndexes, isElsewhere } = await openChunk(db, viewer.tenant, of)
  return writeChunk(services, viewer, {
    of,
    row,
    totals: { chunks: -1, chars: -row.pageContent.length },
    leaves: isElsewhere,
    write: (isChunk) => scope(db, viewer.tenant).delete(documentChunks, isChunk),
    entries: searchIndexes.flatMap((searchIndex) => searchIndex.removeEntries([row.id])),
    toEmbed: false,
  })
}

/** Reads a chunk, and the search indexes that hold it. */
async function openChunk(db: Database, tenant: Tenant, { storeId, loaderId, chunkId }: ChunkOf) {
  const current = searchIndexQuery(db, tenant, { storeId })
  const building = searchIndexQuery(db, tenant, { storeId, state: 'building' })
  const { id, docId } = documentChunks
  const isChunk = and(eq(id, chunkId), eq(documentChunks.storeId, storeId), eq(docId, loaderId))
  const rows = scope(db, tenant)
  const [[row], [store], ...searchIndexes] = await db.batch([
    db.select().from(documentChunks).where(rows.foundInWorkspace(documentChunks, isChunk)),
    db
      .select({ elsewhere: documentStores.vectorStoreConfig })
      .from(documentStores)
      .where(rows.foundInWorkspace(documentStores, eq(documentStores.id, storeId))),
    current.statement,
    building.statement,
  ])
  if (!row) throw new HeddleError('not_found', `Chunk ${chunkId} not found`)
  const open = [current.open(searchIndexes[0]), building.open(searchIndexes[1])]
  return {
    row,
    isElsewhere: Boolean(store?.elsewhere),
    searchIndexes: open.filter((searchIndex) => searchIndex !== undefined),
  }
}

function changed(row: Row, { pageContent, metadata, isEnabled, resolve }: UpdateChunk, now: string): Row {
  const decided = resolve && row.proposedContent !== null ? decide(row, row.proposedContent, resolve) : row
  const text = pageContent ?? decided.pageContent
  const data = metadata ? JSON.stringify(metadata) : decided.metadata
  const isEdit = text !== decided.pageContent || data !== decided.metadata
  return {
    ...decided,
    ...{ pageContent: text, metadata: data, isEnabled: isEnabled ?? row.isEnabled },
    ...(isEdit && { editedDate: now }),
    ...(text !== row.pageContent && {
      hash: chunkHash(row.headings, text),
      tokens: countTokens(embeddedText(row.headings, text)),
    }),
  }
}

/** Settles a conflict between a person's edit and the source. The next refresh asks again only if the source changes. */
function decide(row: Row, proposed: string, resolve: 'edit' | 'source'): Row {
  const originHash = proposed === '' ? row.originHash : chunkHash(row.headings, proposed)
  if (resolve === 'edit') return { ...row, originHash, proposedContent: null }
  return { ...row, originHash, pageContent: proposed, proposedContent: null, editedDate: null }
}

interface ChunkWrite {
  of: ChunkOf
  /** As it was read: nothing is written when it has changed. */
  row: Row
  totals: { chunks: number; chars: number }
  write(isChunk: SQL): BatchItem<'sqlite'>
  /** A vector store elsewhere may hold it, and must not any more. */
  leaves: boolean
  /** On the search indexes. */
  entries: BatchItem<'sqlite'>[]
  /** Its text may have no vector yet. */
  toEmbed: boolean
}

/** The whole batch fails when the chunk is not as it was read: null is written to a column that refuses it. */
async function writeChunk(
  services: Changing,
  viewer: StoreViewer,
  { of, row, totals, leaves, write, entries, toEmbed }: ChunkWrite,
) {
  const { db } = services
  const rows = scope(db, viewer.tenant)
  const isThere = exists(
    db
      .select({ one: sql`1` })
      .from(documentChunks)
      .where(rows.foundInWorkspace(documentChunks, isAsRead(row))),
  )
  const sum = (column: SQLiteColumn, added: number) => sql`${column} + ${added}`
  const { chunks, chars } = totals
  const stale = sql`${toEmbed} and ${documentStores.embeddingConfig} is not null and ${documentStores.status} = 'UPSERTED'`
  const listing = { storeId: of.storeId, loaderId: of.loaderId, page: 1, filter: {} }
  const reads = pageReads(db, viewer, listing)
  const chunkIds = sql`select ${row.id} as id`
  const cleaning = leaves ? cleanJob(services, viewer.tenant, { storeId: row.storeId, chunkIds }) : undefined
  const statements = [
    rows.update(documentStores, eq(documentStores.id, row.storeId), {
      createdDate: sql`case when ${isThere} then ${documentStores.createdDate} end`,
      status: sql`case when ${stale} then 'SYNC' else ${documentStores.status} end`,
      totalChunks: sum(documentStores.totalChunks, chunks),
      totalChars: sum(documentStores.totalChars, chars),
    } as never),
    rows.update(documentLoaders, eq(documentLoaders.id, row.docId), {
      totalChunks: sum(documentLoaders.totalChunks, chunks),
      totalChars: sum(documentLoaders.totalChars, chars),
    } as never),
    rows.update(documentSources, eq(documentSources.id, row.sourceId), {
      chunks: sum(documentSources.chunks, chunks),
      chars: sum(documentSources.chars, chars),
    } as never),
    write(eq(documentChunks.id, row.id)),
    ...entries,
    ...(cleaning ? [cleaning.statement] : []),
  ]
  try {
    const answers = (await db.batch([...statements, ...reads] as never)) as unknown[]
    if (cleaning) await dispatch(services, viewer.tenant, { id: cleaning.id, attempt: 0 })
    return toPage(answers.slice(-reads.length) as never, viewer, listing)
  } catch (error) {
    const [found] = await rows.select(documentChunks, and(eq(documentChunks.id, row.id), isAsRead(row)))
    if (found) throw error
    throw new HeddleError('conflict', 'This chunk was changed in the meantime. Load it again')
  }
}

const isAsRead = (row: Row) =>
  and(
    eq(documentChunks.id, row.id),
    eq(documentChunks.hash, row.hash),
    eq(documentChunks.isEnabled, row.isEnabled),
    sql`${documentChunks.proposedContent} is ${row.proposedContent}`,
  )
