/** Searches one document store: by words, by vectors or by both, then picks, reranks and widens what it found. */

import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { FilterError, parseFilter } from '#contract/document-stores/filter.ts'
import type { FoundChunk, QueryAnswer, SearchConfig, SearchMode } from '#contract/document-stores/search.ts'
import { errorMessage, HeddleError } from '#contract/errors.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import type { Tenant } from '#db/scope.ts'
import { fuseRanks } from '../../knowledge/search/fuse-ranks.ts'
import { pickDiverse } from '../../knowledge/search/pick-diverse.ts'
import { practiceVector } from '../../models/embeddings/practice-vector.ts'
import type { Services } from '../../services.ts'
import { filterCondition } from './filter-sql.ts'
import { type OpenStore, openStore, type StoreOptions } from './open-store.ts'
import { type ChunkReader, type ChunkRow, createChunkReader, parseMetadata } from './read-chunks.ts'

interface StoreSearch extends StoreOptions {
  storeId: string
  query: string
  /** Asked for now, instead of what the store is set to. */
  asked?: SearchConfig
}

type SearchOutcome = Omit<QueryAnswer, 'timeTaken'>

const DEFAULT_K = 4
/** What reranks, fuses or picks sees so many, for each chunk that is asked for. */
const POOL_TIMES = 4
const MIN_POOL = 20
const MAX_POOL = 100

/** Undefined when the workspace has no such store. Throws `bad_request` for a filter or mode that cannot be. */
export async function searchStore(
  services: Services,
  tenant: Tenant,
  { storeId, query, asked, ...options }: StoreSearch,
): Promise<QueryAnswer | undefined> {
  const start = services.clock.now().getTime()
  const store = await openStore(services, tenant, { storeId, ...options })
  if (!store) return undefined
  const search = (opened: OpenStore) =>
    searchOpenStore(services, tenant, {
      ...{ store: opened, query, config: { ...opened.search, ...asked } },
      signal: options.signal,
    })
  const found = await search(store).catch(async (error) => {
    if (!isDatabaseFailure(error)) throw error
    // Another search index may have taken the place of this one, whose tables are gone then.
    const again = await openStore(services, tenant, { storeId, ...options })
    if (!again || again.searchIndex?.id === store.searchIndex?.id) throw error
    return search(again)
  })
  return { timeTaken: services.clock.now().getTime() - start, ...found }
}

interface OpenSearch {
  store: OpenStore
  query: string
  config: SearchConfig
  signal: AbortSignal
}

interface Search extends OpenSearch {
  reader: ChunkReader
  /** How many are looked at. */
  pool: number
  isFiltered: boolean
  notes: string[]
}

/** A chunk with where it stood. */
interface Candidate {
  row: ChunkRow
  score: number
  ranks: FoundChunk['ranks']
}

async function searchOpenStore({ db }: Services, tenant: Tenant, open: OpenSearch): Promise<SearchOutcome> {
  const { store, config } = open
  const { topK = DEFAULT_K, mmrLambda = 1, reranker, neighbours } = config
  const mode = config.mode ?? (store.row.embeddingConfig === null ? 'keyword' : 'hybrid')
  const filter = asBadRequest(() => parseFilter(config.filter))
  const condition = filter && asBadRequest(() => filterCondition(filter))
  const reader = createChunkReader(db, tenant, { storeId: store.row.id, filter: condition })
  const looksFurther = mode === 'hybrid' || mmrLambda < 1 || Boolean(reranker)
  const pool = looksFurther ? Math.min(Math.max(topK * POOL_TIMES, MIN_POOL), MAX_POOL) : topK
  const search: Search = { ...open, reader, pool, isFiltered: condition !== undefined, notes: [] }

  const { candidates, mode: done } = await findCandidates(search, mode)
  const reranked = reranker ? await rerank(search, candidates) : candidates
  const picked = mmrLambda < 1 ? await pick(search, reranked, { topK, lambda: mmrLambda }) : reranked.slice(0, topK)
  const texts =
    neighbours === undefined || neighbours === 0 || picked.length === 0
      ? undefined
      : await reader.readAround(
          picked.map(({ row }) => row),
          neighbours,
        )
  const docs = picked.map((candidate, at) => foundChunk(candidate, texts?.[at]))
  return { mode: done, docs, notes: search.notes }
}

async function findCandidates(
  search: Search,
  mode: SearchMode,
): Promise<{ candidates: Candidate[]; mode: SearchMode }> {
  if (mode === 'keyword') return { candidates: await findWords(search), mode }
  if (mode === 'vector') return { candidates: await findVectors(search), mode }
  if (search.store.row.embeddingConfig === null) {
    search.notes.push('The store has no embeddings, so only words were searched.')
    return { candidates: await findWords(search), mode: 'keyword' }
  }
  const [words, vectors] = await Promise.all([
    findWords(search),
    findVectors(search).catch((error) => {
      if (search.signal.aborted || error instanceof HeddleError || isDatabaseFailure(error)) throw error
      search.notes.push(`Vectors could not be searched, so only words were: ${errorMessage(error)}`)
      return undefined
    }),
  ])
  return vectors ? { candidates: fuse(words, vectors), mode } : { candidates: words, mode: 'keyword' }
}

async function findWords({ store: { searchIndex }, query, reader, pool, isFiltered }: Search): Promise<Candidate[]> {
  const among = isFiltered ? reader.isWanted : undefined
  const hits = searchIndex?.wordHits(query, { k: pool, among })
  const found = hits ? await reader.readHits(hits) : []
  return found.map(({ row, score }, at) => ({ row, score, ranks: { keyword: { score, rank: at + 1 } } }))
}

async function findVectors(search: Search): Promise<Candidate[]> {
  const { config, reader } = search
  const hits = await findVectorHits(search)
  const { threshold, reranker } = config
  // A reranker's scores are what the threshold is for, where there is one.
  const near = threshold === undefined || reranker ? hits : hits.filter(({ score }) => score >= threshold)
  const scores = new Map(near.map(({ chunkId, score }) => [chunkId, score]))
  const rows = await reader.readByIds([...scores.keys()])
  return rows.map((row, at) => {
    const score = scores.get(row.id) as number
    return { row, score, ranks: { vector: { score, rank: at + 1 } } }
  })
}

async function findVectorHits({ store, query, config, reader, pool, isFiltered, signal }: Search) {
  const embeddings = await store.openEmbeddings()
  if (!embeddings) throw new HeddleError('bad_request', 'Choose embeddings for this store, or search it by keyword.')
  const { vectors } = await embeddings.embed([query], 'query', signal)
  const vector = vectors[0] as number[]
  const remote = await store.openVectorStore()
  if (remote) {
    const found = await remote.search({ vector, topK: pool, filter: config.filter }).catch(asBadFilter)
    return found.map(({ id, score }) => ({ chunkId: id, score })).sort((a, b) => b.score - a.score)
  }
  return store.searchIndex?.searchVectors(vector, { k: pool, among: isFiltered ? reader.isWanted : undefined }) ?? []
}

/** Scores of words and of vectors mean different things, so only the ranks are put together. */
function fuse(words: Candidate[], vectors: Candidate[]): Candidate[] {
  const byId = new Map<string, Candidate>()
  for (const candidate of [...words, ...vectors]) {
    const known = byId.get(candidate.row.id)
    byId.set(candidate.row.id, { ...candidate, ranks: { ...known?.ranks, ...candidate.ranks } })
  }
  const idsOf = (list: Candidate[]) => list.map(({ row }) => row.id)
  return fuseRanks([idsOf(words), idsOf(vectors)]).map(({ id, score }) => ({ ...(byId.get(id) as Candidate), score }))
}

/** Returns the candidates in the reranker's order; when it fails, in the order that they had. */
async function rerank({ store, query, config, notes, signal }: Search, candidates: Candidate[]): Promise<Candidate[]> {
  const { reranker, threshold = 0 } = config
  if (!reranker || candidates.length === 0) return candidates
  const texts = candidates.map(({ row }) => embeddedText(row.headings, row.pageContent))
  try {
    const scores = await store.rerank(reranker, query, texts)
    const scored = candidates.map((candidate, at) => ({ ...candidate, score: scores[at] as number }))
    return scored
      .filter(({ score }) => score >= threshold)
      .sort((a, b) => b.score - a.score)
      .map((candidate, at) => ({
        ...candidate,
        ranks: { ...candidate.ranks, reranker: { score: candidate.score, rank: at + 1 } },
      }))
  } catch (error) {
    if (signal.aborted) throw error
    notes.push(`The reranker failed, so the order is that of the search: ${errorMessage(error)}`)
    return candidates
  }
}

/** How alike texts are, their vectors say; where these are not in the search index, their spelling does. */
async function pick(
  { store }: Search,
  candidates: Candidate[],
  { topK, lambda }: { topK: number; lambda: number },
): Promise<Candidate[]> {
  const hashes = candidates.map(({ row }) => row.hash)
  const stored = (await store.searchIndex?.readVectors(hashes)) ?? new Map<string, Float32Array>()
  const hasAll = hashes.every((hash) => stored.has(hash))
  const best = Math.max(...candidates.map(({ score }) => score))
  const chosen = pickDiverse(
    candidates.map(({ row, score }) => ({
      relevance: best > 0 ? Math.max(0, score / best) : 0,
      vector: hasAll ? (stored.get(row.hash) as Float32Array) : practiceVector(row.pageContent),
    })),
    { k: topK, lambda },
  )
  return chosen.map((at) => candidates[at] as Candidate)
}

function foundChunk({ row, score, ranks }: Candidate, text: string | undefined): FoundChunk {
  const { id, chunkNo, docId, pageContent } = row
  return { id, chunkNo, docId, pageContent: text ?? pageContent, metadata: parseMetadata(row), score, ranks }
}

function asBadRequest<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    return asBadFilter(error)
  }
}

function asBadFilter(error: unknown): never {
  if (error instanceof FilterError) throw new HeddleError('bad_request', error.message)
  throw error
}
