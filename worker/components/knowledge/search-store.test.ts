import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SearchConfig } from '#contract/document-stores/search.ts'
import { type Database, openDatabase } from '#db/client.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { migrateForTests } from '#db/local/testing/migrate.ts'
import * as schema from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { createSearchIndex, dropSearchIndexes, swapSearchIndex } from '#db/search-index/search-index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { practiceVector } from '../../models/embeddings/practice-vector.ts'
import { scriptedProvider } from '../../models/testing/provider.ts'
import type { Egress, RequestPorts } from '../../ports/types.ts'
import type { Services } from '../../services.ts'
import { openKnowledge } from './knowledge.ts'
import { searchStore } from './search-store.ts'

let folder: string
let server: LibsqlServer
let db: Database
let services: Services
let storeId: string
let made = 0

const ann = { workspaceId: 'a' }
const bob = { workspaceId: 'b' }
const DATE = '2026-01-01T00:00:00.000Z'
const dates = { createdDate: DATE, updatedDate: DATE }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-search-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  const everything = openUnscopedDatabase(server.url, server.authToken)
  await migrateForTests(server)
  await everything.insert(schema.organizations).values({ id: 'o', name: 'O', createdDate: DATE })
  for (const id of ['a', 'b'])
    await everything
      .insert(schema.workspaces)
      .values({ id, organizationId: 'o', name: id, wrappedKey: 'k', createdDate: DATE })
  db = openDatabase(server.url, server.authToken)
  const clock = { now: () => new Date(DATE), sleep: () => Promise.resolve() }
  services = { db, clock, cipher: {} } as unknown as Services
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  storeId = `store-${made++}`
})

interface Chunk {
  text: string
  metadata?: Record<string, unknown>
  headings?: string
  source?: string
  isEnabled?: boolean
}

interface NewStore {
  tenant?: { workspaceId: string }
  id?: string
  practice?: boolean
  search?: SearchConfig
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Chunks have their texts' first words as ids. */
async function fill(chunks: Chunk[], { tenant = ann, id = storeId, practice = false, search }: NewStore = {}) {
  const rows = scope(db, tenant)
  const embeddingConfig = practice ? JSON.stringify({ name: 'practiceEmbeddings', config: {} }) : null
  await rows.insert(schema.documentStores, {
    ...{ id, name: `Store ${id}`, description: '', status: 'SYNC', ...dates },
    ...{ embeddingConfig, searchConfig: search ? JSON.stringify(search) : null },
  })
  const sources = [...new Set(chunks.map(({ source = 'file' }) => source))]
  for (const key of sources)
    await rows.insert(schema.documentSources, {
      id: `${id} ${key}`,
      storeId: id,
      key,
      name: key,
      status: 'SYNC',
      ...dates,
    })
  const values = chunks.map(({ text, metadata = {}, headings = '', source = 'file', isEnabled = true }, at) => ({
    ...{ id: `${id} ${text.split(' ')[0]}`, storeId: id, docId: 'doc', sourceId: `${id} ${source}`, chunkNo: at + 1 },
    ...{
      pageContent: text,
      metadata: JSON.stringify(metadata),
      headings,
      hash: hashOf(text),
      originHash: '',
      isEnabled,
    },
  }))
  await rows.insertAll(schema.documentChunks, values)
  const made = {
    storeId: id,
    embedder: practice ? 'practice' : null,
    dimensions: practice ? practiceVector('').length : null,
  }
  const searchIndex = await createSearchIndex(db, tenant, made)
  const shown = values.filter(({ isEnabled }) => isEnabled)
  await db.batch([
    ...searchIndex.writeEntries(shown.map((row) => ({ chunkId: row.id, hash: row.hash, text: row.pageContent }))),
    ...(practice
      ? searchIndex.writeVectors(shown.map((row) => ({ hash: row.hash, vector: practiceVector(row.pageContent) })))
      : []),
  ] as never)
}

async function search(
  query: string,
  asked?: SearchConfig,
  { tenant = ann, id = storeId, answers = [] as Response[] } = {},
) {
  const { egress } = scriptedProvider(...answers)
  const ports = { egress } as RequestPorts
  return searchStore(services, tenant, { ...ports, storeId: id, query, asked, signal: new AbortController().signal })
}

const firstWords = (found: { docs: { pageContent: string }[] } | undefined) =>
  found?.docs.map(({ pageContent }) => pageContent.split(' ')[0])

describe('a search', () => {
  it('by keyword takes two round trips', async () => {
    await fill([{ text: 'one about apples' }, { text: 'two about pears' }])
    const before = server.roundTrips()
    const found = await search('apples')
    expect(server.roundTrips() - before).toBe(2)
    expect(found).toMatchObject({
      mode: 'keyword',
      notes: [],
      docs: [{ id: `${storeId} one`, docId: 'doc', chunkNo: 1, metadata: {}, ranks: { keyword: { rank: 1 } } }],
    })
  })

  it('with embeddings is hybrid unless another mode is asked for, and says where a chunk stood', async () => {
    await fill([{ text: 'apple trees bloom' }, { text: 'appletree farm' }, { text: 'nothing else' }], {
      practice: true,
    })
    const hybrid = await search('apple trees')
    expect(hybrid?.mode).toBe('hybrid')
    expect(hybrid?.docs[0]).toMatchObject({
      score: 2 / 61,
      ranks: { keyword: { rank: 1 }, vector: { rank: 1, score: expect.closeTo(0.8, 0) } },
    })
    expect(firstWords(hybrid)).toEqual(['apple', 'appletree', 'nothing'])
    expect(firstWords(await search('apple trees', { mode: 'keyword' }))).toEqual(['apple'])
    const near = await search('apple trees', { mode: 'vector', threshold: 0 })
    expect(firstWords(near)).toEqual(['apple', 'appletree'])
  })

  it('of a store without embeddings says that it cannot compare vectors', async () => {
    await fill([{ text: 'one about apples' }])
    const hybrid = await search('apples', { mode: 'hybrid' })
    expect(hybrid).toMatchObject({ mode: 'keyword', notes: [expect.stringContaining('no embeddings')] })
    await expect(search('apples', { mode: 'vector' })).rejects.toMatchObject({ code: 'bad_request' })
  })

  it('looks once more where another search index took the place of its own meanwhile', async () => {
    await fill([{ text: 'one about apples' }])
    const vectors = [{ hash: hashOf('one about apples'), vector: [1, 0] }]
    const other = await createSearchIndex(db, ann, { storeId, embedder: 'other', dimensions: 2, state: 'building' })
    const entry = { chunkId: `${storeId} one`, hash: hashOf('one about apples'), text: 'one about apples' }
    await db.batch([...other.writeEntries([entry]), ...other.writeVectors(vectors)] as never)
    await createSearchIndex(db, ann, { storeId, embedder: 'first', dimensions: 2 })
    const config = { modelName: 'any', basepath: 'https://embeddings.example.com' }
    const embeddingConfig = JSON.stringify({ name: 'openAIEmbeddingsCustom', config })
    await scope(db, ann).update(schema.documentStores, eq(schema.documentStores.id, storeId), { embeddingConfig })
    let asked = 0
    const egress: Egress = {
      async fetch() {
        if (asked++ === 0) {
          await db.batch(swapSearchIndex(db, ann, storeId))
          await dropSearchIndexes({ db })
        }
        return Response.json({ data: [{ index: 0, embedding: [1, 0] }], usage: { prompt_tokens: 1, total_tokens: 1 } })
      },
    }
    const ports = { egress } as RequestPorts
    const { signal } = new AbortController()
    const search = { ...ports, storeId, query: 'apples', asked: { mode: 'vector' as const }, signal }
    expect(firstWords(await searchStore(services, ann, search))).toEqual(['one'])
    expect(asked).toBe(2)
  })

  it('uses what the store is set to, and what is asked instead', async () => {
    const chunks = ['one apple', 'two apple', 'three apple'].map((text) => ({ text }))
    await fill(chunks, { search: { topK: 2 } })
    expect((await search('apple'))?.docs).toHaveLength(2)
    expect((await search('apple', { topK: 1 }))?.docs).toHaveLength(1)
  })

  it('finds no chunk that is switched off, and nothing in an empty store', async () => {
    await fill([{ text: 'one apple', isEnabled: false }, { text: 'two apple' }])
    expect(firstWords(await search('apple'))).toEqual(['two'])
    await scope(db, ann).insert(schema.documentStores, {
      id: 'empty',
      name: 'e',
      description: '',
      status: 'EMPTY',
      ...dates,
    })
    expect(await search('apple', undefined, { id: 'empty' })).toMatchObject({ docs: [] })
  })

  it('picks unlike chunks when asked to', async () => {
    await fill([{ text: 'red apples are fruit' }, { text: 'apples are red fruits' }, { text: 'grow apples in rows' }], {
      practice: true,
    })
    const query = 'apples are red fruit'
    const relevant = { mode: 'vector', topK: 2 } as const
    expect(firstWords(await search(query, relevant))).toEqual(['red', 'apples'])
    expect(firstWords(await search(query, { ...relevant, mmrLambda: 0.3 }))).toEqual(['red', 'grow'])
    expect(firstWords(await search(query, { mode: 'keyword', topK: 2, mmrLambda: 0.3 }))).toEqual(['red', 'grow'])
  })

  it('adds the chunks around a hit, or its section, with their overlap once', async () => {
    const parts = ['a one two', 'two three', 'b apple', 'apple c four', 'd five', 'e six']
    await fill(parts.map((text, at) => ({ text, headings: at < 4 ? 'First' : 'Second', source: at < 5 ? 'x' : 'y' })))
    const texts = async (neighbours: SearchConfig['neighbours'], query = 'three') =>
      (await search(query, { neighbours, topK: 1 }))?.docs[0]?.pageContent
    expect(await texts(0)).toBe('two three')
    expect(await texts(1)).toBe('a one two three\nb apple')
    expect(await texts('section')).toBe('a one two three\nb apple c four')
    expect(await texts(1, 'five')).toBe('apple c four\nd five')
  })
})

describe('a filter', () => {
  const chunks = [
    { text: 'en apple', metadata: { lang: 'en', year: 2020, tags: ['a', 'b'], 'dotted.name': 1 } },
    { text: 'de apple', metadata: { lang: 'de', year: 2021.5, draft: true } },
    { text: 'fr apple', metadata: { lang: 'fr', year: '2022', tags: [] } },
  ]

  it.each<[object, string[]]>([
    [{ lang: 'en' }, ['en']],
    [{ lang: { $ne: 'en' } }, ['de', 'fr']],
    [{ year: { $gte: 2020 } }, ['en', 'de']],
    [{ year: { $gt: 2020, $lt: 2022 } }, ['de']],
    [{ year: '2022' }, ['fr']],
    [{ year: 2022 }, []],
    [{ year: { $gte: '2020' } }, ['fr']],
    [{ lang: { $in: ['en', 'fr'] } }, ['en', 'fr']],
    [{ lang: { $nin: ['en', 'fr'] } }, ['de']],
    [{ tags: 'b' }, ['en']],
    [{ tags: { $ne: 'b' } }, ['de', 'fr']],
    [{ draft: true }, ['de']],
    [{ draft: 1 }, []],
    [{ draft: { $exists: false } }, ['en', 'fr']],
    [{ tags: { $exists: true } }, ['en', 'fr']],
    [{ $or: [{ lang: 'en' }, { draft: true }] }, ['en', 'de']],
    [{ $not: { lang: 'en' } }, ['de', 'fr']],
    [{ $not: { year: { $gte: 2021 } } }, ['en', 'fr']],
    [{ 'dotted.name': 1 }, ['en']],
    [{ dotted: 1 }, []],
    [{ missing: { $lt: 5 } }, []],
  ])('%j finds %j, by words and by vectors', async (filter, expected) => {
    await fill(chunks, { practice: true })
    for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
      const found = await search('apple', { mode, topK: 10, filter: filter as SearchConfig['filter'] })
      expect(firstWords(found)?.sort(), mode).toEqual([...expected].sort())
    }
  })

  it.each([
    "a') or 1=1 --",
    "' or '1'='1",
    '*',
    '[0]',
    '#-1',
    'lang.x',
    'tags[0]',
    "'; drop table document_chunks; --",
  ])('finds nothing by %j, as a name and as a value', async (text) => {
    await fill(chunks, { practice: true })
    const all = { [text]: { $exists: false } }
    for (const mode of ['keyword', 'vector'] as const) {
      for (const filter of [{ [text]: 'en' }, { [text]: { $gt: '' } }, { lang: text }, { lang: { $in: [text] } }])
        expect((await search('apple', { mode, filter }))?.docs).toEqual([])
      expect((await search('apple', { mode, filter: all }))?.docs).toHaveLength(3)
    }
  })

  it.each([
    [{ a: { $regex: 'x' } }, '$regex'],
    [{ 'a"b': 1 }, 'quotes'],
    [{ "a') or 1=1 --": { $gt: {} } }, 'needs'],
  ])('%j is refused by name', async (filter, message) => {
    await fill(chunks)
    await expect(search('apple', { filter: filter as SearchConfig['filter'] })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining(message),
    })
  })
})

describe('a reranker', () => {
  const reranker = { name: 'customRerank', config: { basepath: 'https://rerank.example/v1', modelName: 'm' } }
  const answer = (scores: number[]) =>
    Response.json({ results: scores.map((relevance_score, index) => ({ index, relevance_score })) })

  it('puts the chunks in its own order, and the threshold is for its scores', async () => {
    await fill([{ text: 'one apple apple' }, { text: 'two apple pear' }, { text: 'three apple plum fig' }])
    const found = await search('apple', { reranker, threshold: 0.3 }, { answers: [answer([0.1, 0.5, 0.9])] })
    expect(found?.notes).toEqual([])
    expect(firstWords(found)).toEqual(['three', 'two'])
    expect(found?.docs[0]).toMatchObject({
      score: 0.9,
      ranks: { keyword: { rank: 3 }, reranker: { rank: 1, score: 0.9 } },
    })
  })

  it('that fails leaves the order as it was, and a note says so', async () => {
    await fill([{ text: 'one apple apple' }, { text: 'two apple pear' }])
    const answers = [new Response('{"message":"overloaded"}', { status: 503 })]
    const found = await search('apple', { reranker }, { answers })
    expect(firstWords(found)).toEqual(['one', 'two'])
    expect(found?.notes).toEqual([
      expect.stringMatching(/^The reranker failed, so the order is that of the search: .*overloaded/),
    ])
    const unknown = await search('apple', { reranker: { name: 'none', config: {} } })
    expect(unknown?.notes[0]).toContain('The reranker "none" does not exist here')
  })
})

describe('two workspaces with the same texts', () => {
  it('find only their own, with scores that the other does not change', async () => {
    const texts = [{ text: 'one apple tree' }, { text: 'two pear tree' }]
    await fill(texts, { practice: true })
    const modes = ['keyword', 'vector', 'hybrid'] as const
    const alone = await Promise.all(modes.map((mode) => search('apple tree', { mode })))
    const others = Array.from({ length: 30 }, (_, at) => ({ text: `x${at} apple tree` }))
    await fill([...texts, ...others], { tenant: bob, id: `${storeId} bob`, practice: true })
    const beside = await Promise.all(modes.map((mode) => search('apple tree', { mode })))
    expect(beside).toEqual(alone)
  })

  it('do not open each other’s stores', async () => {
    await fill([{ text: 'one apple' }])
    expect(await search('apple', undefined, { tenant: bob })).toBeUndefined()
    const ports = scriptedProvider() as unknown as RequestPorts
    const knowledge = openKnowledge(services, bob, ports)
    const { signal } = new AbortController()
    await expect(knowledge.search({ store: `${storeId}:My: store`, query: 'apple', signal })).rejects.toThrow(
      'The document store "My: store" does not exist in this workspace',
    )
    const own = await openKnowledge(services, ann, ports).search({ store: `${storeId}:x`, query: 'apple', signal })
    expect(own).toEqual([
      { id: `${storeId} one`, pageContent: 'one apple', metadata: { docId: 'doc', score: expect.any(Number) } },
    ])
  })
})
