/** Chunks as people read, edit, switch off and delete them. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChunkPage } from '#contract/document-stores/chunks.ts'
import { documentChunks, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { createSearchIndex, openSearchIndex } from '#db/search-index/search-index.ts'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { userOf } from '../../http/testing/people.ts'
import { chunkHash } from '../../knowledge/chunk-hash.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
let workspaceId: string
let storeId: string
let docId: string

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
  workspaceId = (await userOf(ann)).activeWorkspaceId
})
afterAll(() => heddle.close())

const call = async (client: TestClient, method: string, path: string, json?: unknown) => {
  const { status, body } = await callApi(client, method, `/document-store${path}`, json)
  return { status, body: body as ChunkPage & { field?: string } }
}
const chunkId = (number: number) => `${docId}-${number}`
const path = (number: number) => `/chunks/${storeId}/${docId}/${chunkId(number)}`
const put = (number: number, json: object, client = ann) => call(client, 'PUT', path(number), json)
const list = (query = '', loader = docId) => call(ann, 'GET', `/chunks/${storeId}/${loader}/1${query}`)
const chunk = async (number: number) => (await list()).body.chunks.find(({ chunkNo }) => chunkNo === number)

/** The texts that the words find. */
async function found(words: string): Promise<string[]> {
  const searchIndex = await openSearchIndex(heddle.database, { workspaceId }, storeId)
  return ((await searchIndex?.searchWords(words, { k: 10 })) ?? []).map((hit) => hit.chunkId)
}

const TEXTS = ['Tea is at four.', 'Coffee is at nine.', 'Soup is at noon.']

/** A store with a loader of three chunks, as a job leaves them. */
beforeEach(async () => {
  const { body: store } = await callApi(ann, 'POST', '/document-store/store', { name: 'Kitchen' })
  storeId = store.id
  const given = { storeId, loaderId: 'plainText', loaderConfig: { text: 'Tea' } }
  docId = (await callApi(ann, 'POST', '/document-store/loader/save', given)).body.id
  const { database } = heddle
  const stamp = { workspaceId, storeId, createdDate: store.createdDate, updatedDate: store.createdDate }
  const source = { id: `${docId}-s`, docId, key: 'k', name: 'Menu', status: 'SYNC' as const, chunks: 3, chars: 49 }
  await database.insert(documentSources).values({ ...stamp, ...source })
  const rows = TEXTS.map((pageContent, index) => {
    const hash = chunkHash('', pageContent)
    const row = { id: chunkId(index + 1), workspaceId, storeId, docId, sourceId: source.id, chunkNo: index + 1 }
    return { ...row, pageContent, metadata: '{"page":1}', hash, originHash: hash, tokens: 4 }
  })
  await database.insert(documentChunks).values(rows)
  const totals = { totalChunks: 3, totalChars: 49 }
  await database
    .update(documentLoaders)
    .set({ ...totals, status: 'SYNC' })
    .where(eq(documentLoaders.id, docId))
  await database
    .update(documentStores)
    .set({ ...totals, status: 'UPSERTED' })
    .where(eq(documentStores.id, storeId))
  const searchIndex = await createSearchIndex(database, { workspaceId }, { storeId, embedder: null, dimensions: null })
  const entries = rows.map(({ id, hash, pageContent }) => ({ chunkId: id, hash, text: pageContent }))
  await database.batch(searchIndex.writeEntries(entries) as never)
})

describe('the list', () => {
  it('answers in the shape of a page', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toMatchObject({ count: 3, characters: 49, currentPage: 1, storeName: 'Kitchen', docId, workspaceId })
    expect(body.file).toMatchObject({ id: docId, totalChunks: 3 })
    expect(body.chunks.map(({ pageContent }) => pageContent)).toEqual(TEXTS)
    expect(body.chunks[0]).toMatchObject({ chunkNo: 1, isEnabled: true, isEdited: false, sourceName: 'Menu' })
    expect((await list('', 'all')).body).toMatchObject({ count: 3, docId: 'all' })
    expect((await list('', 'nothing')).status).toBe(404)
  })

  it('finds chunks by a text, a source and what is to be decided', async () => {
    await heddle.database
      .update(documentChunks)
      .set({ proposedContent: 'Soup is at one.' })
      .where(eq(documentChunks.id, chunkId(3)))
    const numbers = async (query: string) => (await list(query)).body.chunks.map(({ chunkNo }) => chunkNo)
    expect(await numbers('?search=COFFEE')).toEqual([2])
    expect(await numbers('?search=100%25')).toEqual([])
    expect(await numbers('?conflicts=true')).toEqual([3])
    expect(await numbers(`?sourceId=${docId}-s`)).toEqual([1, 2, 3])
    expect(await numbers('?sourceId=other')).toEqual([])
  })

  it('has pages of fifty', async () => {
    const [row] = await heddle.database
      .select()
      .from(documentChunks)
      .where(eq(documentChunks.id, chunkId(1)))
    const more = Array.from({ length: 60 }, (_, index) => ({ ...row, id: `${docId}+${index}`, chunkNo: index + 10 }))
    await heddle.database.insert(documentChunks).values(more as never)
    const { body } = await call(ann, 'GET', `/chunks/${storeId}/${docId}/2`)
    expect([body.count, body.currentPage, body.chunks.length]).toEqual([63, 2, 13])
    for (const page of ['0', '-1', 'x', '1.5'])
      expect((await call(ann, 'GET', `/chunks/${storeId}/${docId}/${page}`)).status).toBe(400)
  })
})

describe('a chunk', () => {
  it('finds an edited chunk by its new words only, and counts it', async () => {
    const { status, body } = await put(1, { pageContent: 'الشاي في الخامسة 🍵 at five', metadata: { page: 2 } })
    expect(status).toBe(200)
    expect(body.chunks[0]).toMatchObject({
      pageContent: 'الشاي في الخامسة 🍵 at five',
      metadata: '{"page":2}',
      isEdited: true,
    })
    expect([await found('tea'), await found('five')]).toEqual([[], [chunkId(1)]])
    const { body: store } = await callApi(ann, 'GET', `/document-store/store/${storeId}`)
    const total = 49 - 15 + 'الشاي في الخامسة 🍵 at five'.length
    expect(store).toMatchObject({ status: 'UPSERTED', totalChars: total, loaders: [{ totalChars: total }] })
  })

  it('keeps an edited chunk of a store with embeddings for the next upsert', async () => {
    await heddle.database
      .update(documentStores)
      .set({ embeddingConfig: '{"name":"openAIEmbeddings","config":{}}' })
      .where(eq(documentStores.id, storeId))
    await put(1, { isEnabled: false })
    expect((await callApi(ann, 'GET', `/document-store/store/${storeId}`)).body.status).toBe('UPSERTED')
    await put(1, { pageContent: 'At five', isEnabled: true })
    expect((await callApi(ann, 'GET', `/document-store/store/${storeId}`)).body.status).toBe('SYNC')
  })

  it('is found only while it is switched on', async () => {
    await put(2, { isEnabled: false })
    expect([(await chunk(2))?.isEnabled, (await chunk(2))?.isEdited, await found('coffee')]).toEqual([false, false, []])
    await put(2, { pageContent: 'Cocoa is at ten.' })
    expect(await found('cocoa')).toEqual([])
    await put(2, { isEnabled: true })
    expect(await found('cocoa')).toEqual([chunkId(2)])
  })

  it('is deleted with its words, and no longer counted', async () => {
    const { body } = await call(ann, 'DELETE', path(3))
    expect(body).toMatchObject({ count: 2, characters: 49 - 16 })
    expect(await found('soup')).toEqual([])
    expect((await call(ann, 'DELETE', path(3))).status).toBe(404)
  })

  it.each([
    ['edit', 'Soup is at noon.', true],
    ['source', 'Soup is at one.', false],
  ] as const)(
    'whose source changed below an edit becomes what a person decides: the %s',
    async (resolve, text, isEdited) => {
      const proposed = { proposedContent: 'Soup is at one.', editedDate: '2026-01-01T00:00:00.000Z' }
      await heddle.database
        .update(documentChunks)
        .set(proposed)
        .where(eq(documentChunks.id, chunkId(3)))
      await put(3, { resolve })
      expect(await chunk(3)).toMatchObject({ pageContent: text, isEdited, proposedContent: null })
      const [row] = await heddle.database
        .select()
        .from(documentChunks)
        .where(eq(documentChunks.id, chunkId(3)))
      expect(row).toMatchObject({ hash: chunkHash('', text), originHash: chunkHash('', 'Soup is at one.') })
    },
  )

  it('whose source is gone is deleted when a person takes the source', async () => {
    await heddle.database
      .update(documentChunks)
      .set({ proposedContent: '' })
      .where(eq(documentChunks.id, chunkId(3)))
    await put(3, { resolve: 'source' })
    expect([await chunk(3), await found('soup')]).toEqual([undefined, []])
  })

  it.each([
    [{ pageContent: '' }, 'pageContent'],
    [{ pageContent: 'x'.repeat(20_001) }, 'pageContent'],
    [{ pageContent: 'a\u0000b' }, 'pageContent'],
    [{ metadata: 'text' }, 'metadata'],
    [{ resolve: 'neither' }, 'resolve'],
  ])('refuses a field that is wrong', async (values, field) => {
    const { status, body } = await put(1, values)
    expect([status, body.field]).toEqual([400, field])
  })

  it('is changed by one of two who save at once, and by both in turn', async () => {
    const saved = await Promise.all(['A', 'B', 'C', 'D'].map((pageContent) => put(1, { pageContent })))
    for (const { status } of saved) expect([200, 409]).toContain(status)
    const { body: store } = await callApi(ann, 'GET', `/document-store/store/${storeId}`)
    expect(store.totalChars).toBe(49 - 15 + 1)
    expect(await found((await chunk(1))?.pageContent ?? '')).toEqual([chunkId(1)])
  })

  it('stays private to its workspace', async () => {
    for (const [method, address, json] of [
      ['GET', `/chunks/${storeId}/${docId}/1`],
      ['GET', `/chunks/${storeId}/all/1`],
      ['PUT', path(1), { pageContent: 'Taken' }],
      ['DELETE', path(1)],
    ] as const)
      expect([method, (await call(bob, method, address, json)).status]).toEqual([method, 404])
    expect((await chunk(1))?.pageContent).toBe(TEXTS[0])
  })
})

it('a deleted loader takes its words along', async () => {
  expect(await found('soup')).toEqual([chunkId(3)])
  const { body } = await callApi(ann, 'DELETE', `/document-store/loader/${storeId}/${docId}`)
  expect(body).toMatchObject({ status: 'EMPTY', totalChunks: 0, totalChars: 0 })
  expect(await found('soup')).toEqual([])
  expect(await heddle.database.$count(documentChunks, eq(documentChunks.storeId, storeId))).toBe(0)
})
