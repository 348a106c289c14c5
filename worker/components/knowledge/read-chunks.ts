/** The rows of chunks that a search found, and of those around them. */
import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { openEndOf, searchFor } from '#contract/data/text.ts'
import type { SearchConfig } from '#contract/document-stores/search.ts'
import type { Database } from '#db/client.ts'
import { documentChunks, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { SearchIndexHit } from '#db/search-index/types.ts'

export type ChunkRow = typeof documentChunks.$inferSelect

/** Returns the metadata of a chunk; `{}` when it cannot be read, as the editor shows it. */
export function parseMetadata({ metadata }: Pick<ChunkRow, 'metadata'>): Record<string, unknown> {
  const value = tryParseJson(metadata)
  return isRecord(value) ? value : {}
}

/** Returns whether the workspace has the store, and its first chunks that are searched, in their order. */
export async function readStoreChunks(
  db: Database,
  tenant: Tenant,
  { storeId, limit }: { storeId: string; limit: number },
): Promise<[exists: boolean, chunks: ChunkRow[]]> {
  const rows = scope(db, tenant)
  const isOfStore = and(eq(documentChunks.storeId, storeId), eq(documentChunks.isEnabled, true))
  const [stores, chunks] = await db.batch([
    rows.count(documentStores, eq(documentStores.id, storeId)),
    db
      .select()
      .from(documentChunks)
      .where(rows.foundInWorkspace(documentChunks, isOfStore))
      .orderBy(asc(documentChunks.docId), asc(documentChunks.sourceId), asc(documentChunks.chunkNo))
      .limit(limit),
  ])
  return [stores[0]?.count === 1, chunks]
}

export interface ChunkReader {
  /** A condition on a chunk's id: the chunk is searched, and the filter holds for it. */
  isWanted(chunkId: SQL): SQL
  /** @param hits a select of `chunkId` and `score` */
  readHits(hits: SQL): Promise<{ row: ChunkRow; score: number }[]>
  /** Those that exist and are wanted, in the order of the ids. */
  readByIds(ids: string[]): Promise<ChunkRow[]>
  /** Returns each text with what stands around it, in the order of the rows. */
  readAround(rows: ChunkRow[], reach: NonNullable<SearchConfig['neighbours']>): Promise<string[]>
}

/** Chunks before and after a hit in its section, at most. */
const MAX_REACH = 10

export function createChunkReader(
  db: Database,
  tenant: Tenant,
  { storeId, filter }: { storeId: string; filter: SQL | undefined },
): ChunkReader {
  const rows = scope(db, tenant)
  const isOfStore = and(eq(documentChunks.storeId, storeId), eq(documentChunks.isEnabled, true))
  const wanted = rows.foundInWorkspace(documentChunks, and(isOfStore, filter)) as SQL

  return {
    isWanted: (chunkId) =>
      sql`exists (select 1 from ${documentChunks} where ${documentChunks.id} = ${chunkId} and ${wanted})`,
    async readHits(hits) {
      const found = await db
        .select({ row: documentChunks, score: sql<SearchIndexHit['score']>`hit.score` })
        .from(sql`(${hits}) hit`)
        .innerJoin(documentChunks, sql`${documentChunks.id} = hit."chunkId" and ${wanted}`)
      return found.sort((a, b) => b.score - a.score)
    },
    async readByIds(ids) {
      if (ids.length === 0) return []
      const listed = sql`${documentChunks.id} in (select value from json_each(${JSON.stringify(ids)}))`
      const found = await db.select().from(documentChunks).where(and(listed, wanted))
      const byId = new Map(found.map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    async readAround(hits, reach) {
      const parts = hits.map(({ sourceId, chunkNo }) => [sourceId, chunkNo])
      const most = reach === 'section' ? MAX_REACH : reach
      const around = sql`exists (select 1 from json_each(${JSON.stringify(parts)}) hit where
        hit.value ->> 0 = ${documentChunks.sourceId} and abs((hit.value ->> 1) - ${documentChunks.chunkNo}) <= ${most})`
      const sources = sql`${documentChunks.sourceId} in (select value ->> 0 from json_each(${JSON.stringify(parts)}))`
      const found = await db
        .select()
        .from(documentChunks)
        .where(rows.foundInWorkspace(documentChunks, and(sources, isOfStore, around)))
        .orderBy(asc(documentChunks.sourceId), asc(documentChunks.chunkNo))
      return hits.map((hit) => joinTexts(findNeighbours(hit, found, { most, isSection: reach === 'section' })))
    },
  }
}

function findNeighbours(
  hit: ChunkRow,
  rows: ChunkRow[],
  { most, isSection }: { most: number; isSection: boolean },
): string[] {
  const near = rows.filter(
    ({ sourceId, chunkNo, headings }) =>
      sourceId === hit.sourceId && Math.abs(chunkNo - hit.chunkNo) <= most && (!isSection || headings === hit.headings),
  )
  return near.map(({ pageContent }) => pageContent)
}

/** Longer than the overlap that people choose. */
const MAX_OVERLAP = 4000

/** Joins texts; what the end of one and the beginning of the next have in common stands there once. */
function joinTexts(texts: readonly string[]): string {
  return texts.reduce((joined, text) => {
    if (joined === '') return text
    const overlap = openEndOf(joined, searchFor(text.slice(0, MAX_OVERLAP)))
    return overlap > 0 ? joined + text.slice(overlap) : `${joined}\n${text}`
  }, '')
}
