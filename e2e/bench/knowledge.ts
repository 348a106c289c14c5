/**
 * How well and how fast a search index finds: glosses of WordNet, searched for by the sentences that show their words
 * in use. A sentence has one gloss that it belongs to. `KNOWLEDGE_CHUNKS` and `KNOWLEDGE_QUERIES` make it smaller. With
 * BENCH_EMBEDDINGS_URL (and _MODEL and _KEY), an OpenAI-compatible address embeds too.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LibsqlDatabase from 'libsql'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import { type Database, openDatabase } from '#db/client.ts'
import { startLibsqlServer } from '#db/local/server.ts'
import { createSearchIndex } from '#db/search-index/search-index.ts'
import type { SearchIndex, SearchIndexHit } from '#db/search-index/types.ts'
import { chunkHash } from '#worker/knowledge/chunk-hash.ts'
import { fuseRanks } from '#worker/knowledge/search/fuse-ranks.ts'
import { migrateDatabase } from '#worker/local/migrate.ts'
import { practiceVector } from '#worker/models/embeddings/practice-vector.ts'
import { timed } from './calls.ts'
import { type Gloss, readGlosses } from './glosses.ts'
import { atMost, quantile, type Row } from './table.ts'

const CHUNKS = Number(process.env.KNOWLEDGE_CHUNKS || 100_000)
const QUERIES = Number(process.env.KNOWLEDGE_QUERIES || 500)
const SEARCH_INDEXES = Number(process.env.KNOWLEDGE_SEARCH_INDEXES || 1000)
const K = 10
/** As a search of a store looks at, before it fuses. */
const POOL = 40
const PART = 200
const MIN_RECALL = 0.95
const MAX_MS = 25
const MAX_BYTES = 12 * 1024
const MAX_TEXTS = 64

type Embed = (texts: string[]) => Promise<number[][]>

interface Opened {
  db: Database
  fileBytes(): number
  close(): Promise<void>
}

export async function measureKnowledge(): Promise<Row[]> {
  const glosses = readGlosses(CHUNKS)
  const rows = await measureSearchIndex(glosses, {
    name: 'practice embeddings (spellings, not meanings)',
    embed: (texts) => Promise.resolve(texts.map(practiceVector)),
  })
  const drawn = await measureSearchIndex(glosses, {
    name: 'drawn vectors in topics, as dense as a model’s',
    embed: drawVectors,
  })
  // Nothing can be found by what was drawn, but for what is near.
  rows.push(...drawn.filter(({ measure }) => !measure.includes('nDCG')))
  const address = process.env.BENCH_EMBEDDINGS_URL
  if (address) rows.push(...(await measureSearchIndex(glosses, { name: address, embed: embedOver(address) })))
  return [...rows, ...(await measureManySearchIndexes())]
}

async function measureSearchIndex(glosses: Gloss[], { name, embed }: { name: string; embed: Embed }): Promise<Row[]> {
  const opened = await openEmpty()
  try {
    const [first] = await embed(['How long is a vector?'])
    const made = { storeId: 'store', embedder: name, dimensions: first?.length ?? 0 }
    const searchIndex = await createSearchIndex(opened.db, { workspaceId: 'workspace' }, made)
    const before = opened.fileBytes()
    const seconds = (await timed(() => fill(opened.db, searchIndex, { glosses, embed }))) / 1000
    const bytes = (opened.fileBytes() - before) / glosses.length
    const found = await searchAll(searchIndex, queriesOf(glosses), embed)
    return [
      {
        measure: `writing ${glosses.length} chunks, ${made.dimensions} numbers each: ${name}`,
        value: `${seconds.toFixed(0)} s`,
        against: '',
      },
      atMost('a chunk in the file, with its vector', Math.round(bytes), MAX_BYTES, 'bytes'),
      ...found,
    ]
  } finally {
    await opened.close()
  }
}

async function openEmpty(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-knowledge-'))
  const file = join(folder, 'bench.db')
  const server = await startLibsqlServer({ file })
  await migrateDatabase(server)
  return {
    db: openDatabase(server.url, server.authToken),
    fileBytes() {
      const database = new LibsqlDatabase(file)
      database.exec('pragma wal_checkpoint(truncate)')
      database.close()
      return statSync(file).size
    },
    async close() {
      await server.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function fill(
  db: Database,
  searchIndex: SearchIndex,
  { glosses, embed }: { glosses: Gloss[]; embed: Embed },
): Promise<void> {
  for (let from = 0; from < glosses.length; from += PART) {
    const entries = glosses.slice(from, from + PART).map(({ words, definition }, at) => ({
      chunkId: `chunk ${from + at}`,
      hash: chunkHash(words, definition),
      text: embeddedText(words, definition),
    }))
    const vectors = await embedAll(
      embed,
      entries.map(({ text }) => text),
    )
    const written = entries.map(({ hash }, at) => ({ hash, vector: vectors[at] as number[] }))
    await db.batch([...searchIndex.writeEntries(entries), ...searchIndex.writeVectors(written)] as never)
    if (from % 10_000 === 0) console.error(`${from} chunks`)
  }
}

async function embedAll(embed: Embed, texts: string[]): Promise<number[][]> {
  const vectors: number[][] = []
  for (let from = 0; from < texts.length; from += MAX_TEXTS)
    vectors.push(...(await embed(texts.slice(from, from + MAX_TEXTS))))
  return vectors
}

interface Query {
  text: string
  wanted: string
}

/** Spread over all glosses that have a sentence of some words. */
function queriesOf(glosses: Gloss[]): Query[] {
  const all = glosses.flatMap(({ sentences }, at) =>
    sentences.slice(0, 1).map((text) => ({ text, wanted: `chunk ${at}` })),
  )
  const step = Math.max(1, all.length / QUERIES)
  return Array.from({ length: Math.min(QUERIES, all.length) }, (_, at) => all[Math.floor(at * step)] as Query)
}

interface Searched {
  /** For each query. */
  hits: SearchIndexHit[][]
  times: number[]
}

async function searchAll(searchIndex: SearchIndex, queries: Query[], embed: Embed): Promise<Row[]> {
  const vectors = await embedAll(
    embed,
    queries.map(({ text }) => text),
  )
  const vectorAt = (at: number) => vectors[at] as number[]
  const words = await searchEach(queries, ({ text }) => searchIndex.searchWords(text, { k: POOL }))
  const near = await searchEach(queries, (_, at) => searchIndex.searchVectors(vectorAt(at), { k: POOL }))
  const exact = await searchEach(queries, (_, at) => searchIndex.searchVectors(vectorAt(at), { k: K, exact: true }))
  const few = await searchEach(queries, (_, at) => searchIndex.searchVectors(vectorAt(at), { k: K }))
  const fused = queries.map((_, at) =>
    fuseRanks([words.hits[at], near.hits[at]].map((hits = []) => hits.map(({ chunkId }) => chunkId))),
  )
  return [
    quality('keyword', queries, words.hits.map(idsOf)),
    quality('exact', queries, exact.hits.map(idsOf)),
    quality('sketches', queries, near.hits.map(idsOf)),
    quality(
      'hybrid',
      queries,
      fused.map((list) => list.map(({ id }) => id)),
    ),
    nearRecall(sharedWith(exact.hits, few.hits)),
    atMost(`sketches, p50 of ${queries.length}`, quantile(few.times, 0.5), MAX_MS, 'ms'),
    timeOf('keyword', words),
    timeOf('sketches for a hybrid search', near),
    timeOf('exact', exact),
  ]
}

function timeOf(name: string, { times }: Searched): Row {
  return {
    measure: `${name}, p50 and p95`,
    value: [0.5, 0.95].map((part) => `${quantile(times, part).toFixed(1)} ms`).join(', '),
    against: '',
  }
}

function nearRecall(value: number): Row {
  const measure = `sketches find of the exact nearest ${K}`
  return { measure, value: value.toFixed(3), against: `at least ${MIN_RECALL}`, holds: value >= MIN_RECALL }
}

const idsOf = (hits: SearchIndexHit[]) => hits.map(({ chunkId }) => chunkId)

async function searchEach(
  queries: Query[],
  search: (query: Query, at: number) => Promise<SearchIndexHit[]>,
): Promise<Searched> {
  const searched: Searched = { hits: [], times: [] }
  for (const [at, query] of queries.entries()) {
    searched.times.push(
      await timed(async () => {
        searched.hits.push(await search(query, at))
      }),
    )
  }
  return searched
}

function quality(name: string, queries: Query[], found: string[][]): Row {
  const ranks = queries.map(({ wanted }, at) => found[at]?.slice(0, K).indexOf(wanted) ?? -1)
  const mean = (values: number[]) => (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(3)
  const recall = mean(ranks.map((rank) => (rank >= 0 ? 1 : 0)))
  const gain = mean(ranks.map((rank) => (rank >= 0 ? 1 / Math.log2(rank + 2) : 0)))
  return { measure: `${name}: recall@${K}, nDCG@${K}`, value: `${recall}, ${gain}`, against: '' }
}

/** Counts the hits that both hold. Of equally near ones, any will do. */
function sharedWith(exact: SearchIndexHit[][], found: SearchIndexHit[][]): number {
  const shares = exact.map((hits, at) => {
    const last = (hits.at(-1)?.score ?? 0) - 1e-6
    return (found[at] ?? []).filter(({ score }) => score >= last).length / hits.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Vectors that stand close together in topics, as those of models do. The first word of a text is its topic. */
async function drawVectors(texts: string[]): Promise<number[][]> {
  return texts.map((text) => {
    const [first = '', ...rest] = text.split(/[\s,]+/)
    const topic = normals(hashOf(first) % RANDOM_VECTORS.topics)
    const own = normals(hashOf(rest.join(' ')) + RANDOM_VECTORS.topics)
    return topic.map((value, at) => (value + (own[at] as number)) / Math.sqrt(at + 1))
  })
}

const RANDOM_VECTORS = { numbers: 384, topics: 300 }

const hashOf = (text: string) => createHash('sha256').update(text).digest().readUInt32LE()

/** So many numbers with a normal distribution, the same for a seed each time. */
function normals(seed: number): number[] {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    return (((mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed) >>> 0) / 2 ** 32
  }
  return Array.from(
    { length: RANDOM_VECTORS.numbers },
    () => Math.sqrt(-2 * Math.log(next() + 1e-9)) * Math.cos(2 * Math.PI * next()),
  )
}

/** What it costs a database to hold many stores: SQLite reads the names of all tables when it opens a connection. */
async function measureManySearchIndexes(): Promise<Row[]> {
  const opened = await openEmpty()
  try {
    const tenant = { workspaceId: 'workspace' }
    const before = opened.fileBytes()
    const searchIndexes: SearchIndex[] = []
    const seconds = await timed(async () => {
      for (let at = 0; at < SEARCH_INDEXES; at++) {
        const searchIndex = await createSearchIndex(opened.db, tenant, {
          storeId: `store ${at}`,
          embedder: 'e',
          dimensions: 256,
        })
        const [entry, vector] = [
          { chunkId: `chunk ${at}`, hash: `${at}`, text: `text ${at}` },
          practiceVector(`text ${at}`),
        ]
        await opened.db.batch([
          ...searchIndex.writeEntries([entry]),
          ...searchIndex.writeVectors([{ hash: `${at}`, vector }]),
        ] as never)
        searchIndexes.push(searchIndex)
      }
    })
    const times: number[] = []
    for (const [at, searchIndex] of searchIndexes.slice(0, 100).entries())
      times.push(await timed(() => searchIndex.searchWords(`text ${at}`, { k: 1 })))
    const bytes = Math.round((opened.fileBytes() - before) / SEARCH_INDEXES)
    return [
      {
        measure: `${SEARCH_INDEXES} search indexes of one chunk: each`,
        value: `${(seconds / SEARCH_INDEXES).toFixed(1)} ms, ${bytes} bytes`,
        against: '',
      },
      {
        measure: `keyword search beside ${SEARCH_INDEXES} search indexes, p50`,
        value: `${quantile(times, 0.5).toFixed(1)} ms`,
        against: '',
      },
    ]
  } finally {
    await opened.close()
  }
}

function embedOver(address: string): Embed {
  const { BENCH_EMBEDDINGS_MODEL: model = 'text-embedding-3-small', BENCH_EMBEDDINGS_KEY: key } = process.env
  return async (texts) => {
    const response = await fetch(`${address.replace(/\/$/, '')}/embeddings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ model, input: texts }),
    })
    if (!response.ok)
      throw new Error(`${address} answered ${response.status}: ${(await response.text()).slice(0, 200)}`)
    const { data } = (await response.json()) as { data: { index: number; embedding: number[] }[] }
    return data.sort((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  }
}
