/** The operations of a search index. */
import type { SQL } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'

type Statement = BatchItem<'sqlite'>

export interface SearchIndexHit {
  chunkId: string
  /** BM25 for words, cosine similarity for vectors: more is better. */
  score: number
}

export interface HitOptions {
  k: number
  /** Returns a condition on a chunk's id: only chunks that meet it are found. */
  among?(chunkId: SQL): SQL
}

export interface SearchIndex {
  id: string
  /** Null: it holds words only. */
  embedder: string | null
  /**
   * Null: no vectors are kept here. With an embedder they are elsewhere, and the search index knows which were written.
   */
  dimensions: number | null
  /** False of search indexes that were made before sketches stood in pairs: a search compares with every vector. */
  hasSketches: boolean
  /** A condition: it has no entry of a chunk, or one of another text. */
  lacks(chunk: { id: SQL; hash: SQL }): SQL
  /** Replaces what the chunks had before. `hash` is that of the text. */
  writeEntries(entries: { chunkId: string; hash: string; text: string }[]): Statement[]
  /** @param chunkIds the ids, or a select of them with the workspace */
  removeEntries(chunkIds: string[] | SQL): Statement[]
  /** Removes the entries of all other chunks. `chunkIds` is a select of ids, with the workspace. */
  keepEntries(chunkIds: SQL): Statement[]
  /**
   * Looks through the next entries behind an entry's id: returns the id of the last, undefined behind the end, and the
   * chunks of those that are not there.
   * @param range.isThere returns a condition on a chunk's id
   */
  strayEntries(range: {
    from: number
    limit: number
    isThere(chunkId: SQL): SQL
  }): Promise<{ last: number | undefined; strays: string[] }>
  /** Texts that have one keep it. Throws when a vector has another length than the search index's dimensions. */
  writeVectors(vectors: { hash: string; vector: number[] }[]): Statement[]
  /** Returns hashes of texts whose vectors were not written yet. */
  missingHashes(limit: number, among?: HitOptions['among']): Promise<string[]>
  /** A select of the texts whose vectors were written last; undefined when no vectors are kept here. */
  lastHashes(limit: number): SQL | undefined
  /** Returns chunks whose vectors were written. */
  embeddedChunks(limit: number, among?: HitOptions['among']): Promise<string[]>
  /** The chunks are found by their words only, until vectors are written again. */
  removeVectors(chunkIds: string[]): Statement[]
  /** Deletes vectors whose text no chunk has. */
  removeUnusedVectors(): Statement[]
  /** A select of `chunkId` and `score`, best first; undefined when the query has no words. */
  wordHits(query: string, options: HitOptions): SQL | undefined
  searchWords(query: string, options: HitOptions): Promise<SearchIndexHit[]>
  /** @param options.exact compares with every vector, which takes time in proportion to them */
  searchVectors(vector: number[], options: HitOptions & { exact?: boolean }): Promise<SearchIndexHit[]>
  /** Returns the vectors of texts by their hashes, where they are kept here. */
  readVectors(hashes: string[]): Promise<Map<string, Float32Array>>
}
