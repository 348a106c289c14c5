import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from '../client.ts'
import { type LibsqlServer, startLibsqlServer } from '../local/server.ts'
import { migrateForTests } from '../local/testing/migrate.ts'
import { organizations, workspaces } from '../schema/account.ts'
import { documentSearchIndexes, documentStores } from '../schema/document-stores.ts'
import { scope } from '../scope.ts'
import { openUnscopedDatabase } from '../testing/unscoped-database.ts'
import { createSearchIndex, dropSearchIndexes, openSearchIndex, swapSearchIndex } from './search-index.ts'
import { sketchOf } from './sketch.ts'
import { nameTables } from './tables.ts'
import type { SearchIndex } from './types.ts'

let folder: string
let server: LibsqlServer
let db: Database
let everything: Database
let storeId: string
let stores = 0

const ann = { workspaceId: 'a' }
const bob = { workspaceId: 'b' }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-search-index-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  db = openDatabase(server.url, server.authToken)
  everything = openUnscopedDatabase(server.url, server.authToken)
  await migrateForTests(server)
  const createdDate = '2026-01-01T00:00:00.000Z'
  await everything.insert(organizations).values({ id: 'o', name: 'O', createdDate })
  await everything.insert(workspaces).values({ id: 'a', organizationId: 'o', name: 'A', wrappedKey: 'k', createdDate })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  storeId = `store ${stores++}`
})

type Statements = ReturnType<SearchIndex['writeEntries']>
const run = (...parts: Statements[]) => db.batch(parts.flat() as never)
const entry = (chunkId: string, text: string) => ({ chunkId, hash: `hash of ${text}`, text })
const idsOf = (hits: { chunkId: string }[]) => hits.map(({ chunkId }) => chunkId)
const tablesNow = async () =>
  (await everything.all<{ name: string }>(sql`select name from sqlite_master where name like 'shelf%'`)).map(
    ({ name }) => name,
  )

async function searchIndexWith(texts: Record<string, string>): Promise<SearchIndex> {
  const searchIndex = await createSearchIndex(db, ann, { storeId, embedder: null, dimensions: null })
  await run(searchIndex.writeEntries(Object.entries(texts).map(([id, text]) => entry(id, text))))
  return searchIndex
}

describe('words', () => {
  it.each([
    ['another form of the word', 'the runners were running home', 'run'],
    ['a word without its accents', 'Crème brûlée in a café', 'creme cafe'],
    ['a word with accents that the text lacks', 'a cafe', 'café'],
    ['Chinese inside a longer run', '我在东京大学学习', '大学'],
    ['a single letter of Japanese', '日本語の本', '語'],
    ['the last letter of a run', '日本', '本'],
    ['Katakana in half width', 'データベース', 'ﾃﾞｰﾀ'],
    ['Korean with another ending', '한국어를 배웁니다', '한국어'],
    ['Thai inside a run', 'สวัสดีชาวโลก', 'ชาวโลก'],
    ['letters and numbers', 'Error E1234 in module X', 'e1234'],
  ])('finds %s', async (_what, text, query) => {
    const searchIndex = await searchIndexWith({ wanted: text, other: 'something else entirely' })
    expect(idsOf(await searchIndex.searchWords(query, { k: 10 }))).toEqual(['wanted'])
  })

  it('does not find two letters that are not beside each other', async () => {
    const searchIndex = await searchIndexWith({ one: '大人は学校' })
    expect(await searchIndex.searchWords('大学', { k: 10 })).toEqual([])
  })

  it('ranks the text with more of the words first, with BM25 above zero', async () => {
    const searchIndex = await searchIndexWith({
      one: 'red apples',
      two: 'red apples and green pears',
      three: 'blue sky',
    })
    const hits = await searchIndex.searchWords('green apples', { k: 10 })
    expect(idsOf(hits)).toEqual(['two', 'one'])
    expect(hits.every(({ score }) => score > 0)).toBe(true)
  })

  it.each([
    '"',
    'a" OR text:*',
    'NEAR(a b)',
    '* ^ ( ) :',
    'text : apples',
    "'; drop table x",
    'NOT',
    '-apples',
    '{text}',
    '\u0000',
  ])('takes the query %j as words', async (query) => {
    const searchIndex = await searchIndexWith({ one: 'pears', two: 'plums' })
    expect(await searchIndex.searchWords(query, { k: 10 })).toEqual([])
  })

  it('finds common words when the query has no others', async () => {
    const searchIndex = await searchIndexWith({ one: 'to be or not to be', two: 'nothing' })
    expect(idsOf(await searchIndex.searchWords('to be', { k: 10 }))).toEqual(['one'])
  })

  it('finds only chunks of the given select', async () => {
    const searchIndex = await searchIndexWith({ one: 'apples', two: 'apples' })
    expect(idsOf(await searchIndex.searchWords('apples', { k: 1, among: (id) => sql`${id} = 'two'` }))).toEqual(['two'])
  })

  it('forgets what was replaced or removed', async () => {
    const searchIndex = await searchIndexWith({ one: 'apples', two: 'pears' })
    await run(searchIndex.writeEntries([entry('one', 'plums')]), searchIndex.removeEntries(['two']))
    expect(await searchIndex.searchWords('apples pears', { k: 10 })).toEqual([])
    expect(idsOf(await searchIndex.searchWords('plums', { k: 10 }))).toEqual(['one'])
  })
})

describe('vectors', () => {
  const embedded = () => createSearchIndex(db, ann, { storeId, embedder: 'e', dimensions: 3 })
  const vectorsOf = (list: Record<string, number[]>) =>
    Object.entries(list).map(([text, vector]) => ({ hash: `hash of ${text}`, vector }))

  it('are found by their direction, one for all chunks of a text', async () => {
    const searchIndex = await embedded()
    await run(
      searchIndex.writeEntries([entry('one', 'x'), entry('two', 'y'), entry('three', 'x')]),
      searchIndex.writeVectors(vectorsOf({ x: [2, 0, 0], y: [0, 1, 0] })),
    )
    const hits = await searchIndex.searchVectors([1, 0.1, 0], { k: 3 })
    expect(idsOf(hits)).toEqual(['one', 'three', 'two'])
    expect(hits[0]?.score).toBeCloseTo(1 / Math.hypot(1, 0.1))
    expect(idsOf(await searchIndex.searchVectors([1, 0.1, 0], { k: 1, among: (id) => sql`${id} = 'two'` }))).toEqual([
      'two',
    ])
  })

  it('are missing until they are written, once for each text, and again when a text is new', async () => {
    const searchIndex = await embedded()
    await run(searchIndex.writeEntries([entry('one', 'x'), entry('two', 'y'), entry('three', 'x')]))
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of x', 'hash of y'])
    await run(searchIndex.writeVectors(vectorsOf({ x: [1, 0, 0] })))
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of y'])
    await run(searchIndex.writeEntries([entry('two', 'x'), entry('four', 'x'), entry('one', 'z')]))
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of z'])
  })

  it('go when no chunk has their text any more, and the others stay', async () => {
    const searchIndex = await embedded()
    await run(
      searchIndex.writeEntries([entry('one', 'x'), entry('two', 'y'), entry('three', 'x')]),
      searchIndex.writeVectors(vectorsOf({ x: [1, 0, 0], y: [0, 1, 0] })),
      searchIndex.removeEntries(['one', 'two']),
      searchIndex.removeUnusedVectors(),
    )
    expect(idsOf(await searchIndex.searchVectors([1, 1, 0], { k: 10 }))).toEqual(['three'])
    await run(searchIndex.writeEntries([entry('two', 'y')]))
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of y'])
  })

  it('are found among many as by comparing with each', async () => {
    const searchIndex = await createSearchIndex(db, ann, { storeId, embedder: 'e', dimensions: 16 })
    const vectors = Array.from({ length: 3000 }, (_, at) =>
      Array.from({ length: 16 }, (_, place) => Math.sin((at + 1) * (place + 1) * 1.7 + place)),
    )
    const written = vectors.map((vector, at) => ({ hash: `hash of ${at}`, vector }))
    await run(
      searchIndex.writeEntries(vectors.map((_, at) => entry(`${at}`, `${at}`))),
      searchIndex.writeVectors(written),
    )
    for (let at = 0; at < 20; at++) {
      const query = Array.from({ length: 16 }, (_, place) => Math.cos((at + 3) * (place + 2)))
      const exact = idsOf(await searchIndex.searchVectors(query, { k: 10, exact: true }))
      const found = idsOf(await searchIndex.searchVectors(query, { k: 10 }))
      expect(exact.filter((id) => found.includes(id)).length).toBeGreaterThanOrEqual(9)
      // Chunks that the filter leaves out do not take the place of the others.
      const among = (id: SQL) => sql`${id} >= '29'`
      const few = idsOf(await searchIndex.searchVectors(query, { k: 10, among, exact: true }))
      const foundAmong = idsOf(await searchIndex.searchVectors(query, { k: 10, among }))
      expect(few.filter((id) => foundAmong.includes(id)).length).toBeGreaterThanOrEqual(9)
    }
  })

  it('have sketches that libSQL reads as it writes its own, in pairs that go with the last of them', async () => {
    const searchIndex = await embedded()
    const { vectors, sketches } = nameTables(searchIndex.id)
    const list = { x: [1, 2, 3], y: [3, -1, 2], z: [-1, 0, 1], w: [2, -2, 0.5] }
    for (const text of Object.keys(list)) await run(searchIndex.writeEntries([entry(text, text)]))
    await run(searchIndex.writeVectors(vectorsOf(list)))
    const stored = await everything.all<{ hash: string; own: ArrayBuffer }>(sql`select hash,
      substr(bits, 1 + 132 * (${vectors}.id & 1), 131) as own from ${vectors} join ${sketches} on ${sketches}.id = ${vectors}.id >> 1`)
    expect(stored).toHaveLength(4)
    for (const { hash, own } of stored) {
      const sketch = sketchOf(list[hash.slice(-1) as keyof typeof list])
      expect(new Uint8Array(own)).toEqual(sketch)
      const signs = Array.from({ length: 1024 }, (_, at) => ((sketch[at >> 3] as number) & (1 << (at & 7)) ? 1 : -1))
      const [row] = await everything.all<{ bits: ArrayBuffer }>(
        sql`select vector1bit(${JSON.stringify(signs)}) as bits`,
      )
      expect(new Uint8Array(own)).toEqual(new Uint8Array(row?.bits ?? []))
    }
    const pairsLeft = async (...removed: string[]) => {
      await run(searchIndex.removeEntries(removed), searchIndex.removeUnusedVectors())
      return (await everything.all(sql`select id from ${sketches}`)).length
    }
    // Ids count from one, so that the first and the last stand alone.
    expect([await pairsLeft(), await pairsLeft('y'), await pairsLeft('z'), await pairsLeft('x', 'w')]).toEqual([
      3, 3, 2, 0,
    ])
  })

  it('are found after others took the places of those that left', async () => {
    const searchIndex = await embedded()
    const list: Record<string, number[]> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1], w: [-1, 0, 0.1] }
    await run(
      searchIndex.writeEntries(Object.keys(list).map((text) => entry(text, text))),
      searchIndex.writeVectors(vectorsOf(list)),
    )
    await run(searchIndex.removeEntries(['z', 'w']), searchIndex.removeUnusedVectors())
    const later = { u: [0, 0, -1], v: [0, -1, 0] }
    await run(
      searchIndex.writeEntries(Object.keys(later).map((text) => entry(text, text))),
      searchIndex.writeVectors(vectorsOf(later)),
    )
    for (const [text, vector] of Object.entries({ x: list.x, y: list.y, ...later }))
      expect(idsOf(await searchIndex.searchVectors(vector as number[], { k: 1 }))).toEqual([text])
  })

  it('compares all vectors of a search index without sketches', async () => {
    const { id } = await embedded()
    await everything.update(documentSearchIndexes).set({ hasSketches: false }).where(eq(documentSearchIndexes.id, id))
    const { vectors, sketches } = nameTables(id)
    await everything.run(sql`drop table ${sketches}`)
    await everything.run(sql`drop trigger ${sql.identifier(`shelf_${id}_unsketch`)}`)
    const searchIndex = await embedded()
    await run(
      searchIndex.writeEntries([entry('one', 'x'), entry('two', 'y')]),
      searchIndex.writeVectors(vectorsOf({ x: [1, 0, 0], y: [0, 1, 0] })),
    )
    expect(idsOf(await searchIndex.searchVectors([0, 1, 0.1], { k: 1 }))).toEqual(['two'])
    expect(await everything.all(sql`select id from ${vectors}`)).toHaveLength(2)
  })

  it('rejects vectors of another length, or without numbers', async () => {
    const searchIndex = await embedded()
    expect(() => searchIndex.writeVectors([{ hash: 'h', vector: [1, 2] }])).toThrow(
      'returned 2 numbers, but this index was made for 3',
    )
    await expect(searchIndex.searchVectors([1], { k: 1 })).rejects.toThrow('returned 1 numbers')
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, null as unknown as number])
      expect(() => searchIndex.writeVectors([{ hash: 'h', vector: [1, odd, 2] }])).toThrow('not a number')
  })

  it('records vectors that are stored elsewhere as written', async () => {
    const searchIndex = await createSearchIndex(db, ann, { storeId, embedder: 'e', dimensions: null })
    await run(
      searchIndex.writeEntries([entry('one', 'x'), entry('two', 'y')]),
      searchIndex.writeVectors(vectorsOf({ x: [] })),
    )
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of y'])
    // Each chunk has a vector of its own there.
    await run(searchIndex.writeEntries([entry('three', 'x')]), searchIndex.removeUnusedVectors())
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of x', 'hash of y'])
    expect(await searchIndex.searchVectors([1], { k: 1 })).toEqual([])
  })
})

describe('a search index', () => {
  it('is opened only in the workspace of its store', async () => {
    const searchIndex = await searchIndexWith({ one: 'apples' })
    expect((await openSearchIndex(db, ann, storeId))?.id).toBe(searchIndex.id)
    expect(await openSearchIndex(db, bob, storeId)).toBeUndefined()
    const other = await createSearchIndex(db, bob, { storeId: 'of bob', embedder: null, dimensions: null })
    expect(await other.searchWords('apples', { k: 10 })).toEqual([])
  })

  it.each(['', 'x', `${'a'.repeat(32)}"`, 'A'.repeat(32), '../../'.repeat(11)])('refuses the id %j', (id) => {
    expect(() => nameTables(id)).toThrow('32 hex digits')
  })

  it('is made once by any number of callers', async () => {
    const made = await Promise.all(
      Array.from({ length: 5 }, () => createSearchIndex(db, ann, { storeId, embedder: 'e', dimensions: 3 })),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
  })

  it('reports missing texts after a keyword index gets room for vectors', async () => {
    const { id } = await searchIndexWith({ one: 'apples' })
    const searchIndex = await createSearchIndex(db, ann, { storeId, embedder: 'e', dimensions: 3 })
    expect(searchIndex).toMatchObject({ id, embedder: 'e', dimensions: 3 })
    expect(await searchIndex.missingHashes(10)).toEqual(['hash of apples'])
    expect(await openSearchIndex(db, ann, storeId)).toMatchObject({ id, embedder: 'e', dimensions: 3 })
  })

  it('swaps in the index of another embedder and drops the old tables', async () => {
    const old = await createSearchIndex(db, ann, { storeId, embedder: 'e', dimensions: 3 })
    await run(old.writeEntries([entry('old', 'apples')]))
    await expect(createSearchIndex(db, ann, { storeId, embedder: 'f', dimensions: 2 })).rejects.toThrow(
      'other embeddings',
    )
    const first = await createSearchIndex(db, ann, { storeId, embedder: 'f', dimensions: 2, state: 'building' })
    const built = await createSearchIndex(db, ann, { storeId, embedder: 'g', dimensions: 4, state: 'building' })
    expect(built.id).not.toBe(first.id)
    await run(built.writeEntries([entry('new', 'apples')]))
    expect(idsOf((await (await openSearchIndex(db, ann, storeId))?.searchWords('apples', { k: 9 })) ?? [])).toEqual([
      'old',
    ])
    await db.batch(swapSearchIndex(db, bob, storeId))
    expect((await openSearchIndex(db, ann, storeId))?.id).toBe(old.id)
    await db.batch(swapSearchIndex(db, ann, storeId))
    expect(idsOf((await (await openSearchIndex(db, ann, storeId))?.searchWords('apples', { k: 9 })) ?? [])).toEqual([
      'new',
    ])
    await db.batch(swapSearchIndex(db, ann, storeId))
    expect((await openSearchIndex(db, ann, storeId))?.id).toBe(built.id)

    expect(await tablesNow()).toContain(`shelf_${old.id}_vectors`)
    await dropSearchIndexes({ db })
    const left = await tablesNow()
    expect(left.filter((name) => name.includes(old.id) || name.includes(first.id))).toEqual([])
    expect(left).toContain(`shelf_${built.id}_vectors`)
    expect(await everything.select().from(documentSearchIndexes).where(eq(documentSearchIndexes.id, old.id))).toEqual(
      [],
    )
  })

  it('goes with its store', async () => {
    const { id } = await searchIndexWith({ one: 'apples' })
    const dates = { createdDate: '', updatedDate: '' }
    await scope(db, ann).insert(documentStores, { id: storeId, name: 's', description: '', status: 'SYNC', ...dates })
    await scope(db, ann).delete(documentStores, eq(documentStores.id, storeId))
    expect(await openSearchIndex(db, ann, storeId)).toBeUndefined()
    await dropSearchIndexes({ db })
    expect((await tablesNow()).filter((name) => name.includes(id))).toEqual([])
  })
})
