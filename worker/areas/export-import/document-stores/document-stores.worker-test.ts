/** Document stores leave in a file and come back, and those of Flowise arrive. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHUNK_QUOTA } from '#contract/document-stores/limits.ts'
import type { ImportReport } from '#contract/export-import/export-import.ts'
import {
  chatflows,
  documentChunks,
  documentLoaders,
  documentSearchIndexes,
  documentSources,
  documentStores,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../../e2e/support/flows.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())
beforeEach(wipe)

async function wipe() {
  await heddle.database.update(documentSearchIndexes).set({ state: 'dropped' })
  await heddle.database.delete(documentStores)
  await heddle.database.delete(chatflows)
}

const ID = (n: number) => `7c9e6679-7425-40de-944b-${String(n).padStart(12, '0')}`
const [STORE, LOADER, FILE, SECRET] = [ID(1), ID(2), ID(3), ID(50)]

const chunk = (n: number, pageContent: string, docId = LOADER) => ({
  ...{ id: ID(10 + n), docId, storeId: STORE, chunkNo: n, pageContent },
  metadata: JSON.stringify({ source: 'menu.pdf', docId }),
})

/** In Flowise's shape: columns with JSON are texts, and files hold what its browser keeps of the rows. */
function flowiseBundle() {
  const splitter = { splitterId: 'recursiveCharacterTextSplitter', splitterName: 'Recursive', splitterConfig: {} }
  const counts = { totalChunks: 2, totalChars: 30, status: 'SYNC' }
  const file = { id: FILE, name: 'menu.pdf', mimePrefix: 'application/pdf', size: 9, status: 'NEW', uploaded: DATE }
  const loaders = [
    {
      ...{ id: LOADER, loaderId: 'pdfFile', loaderName: 'Pdf File', ...splitter, ...counts, files: [file] },
      loaderConfig: { pdfFile: 'FILE-STORAGE::["menu.pdf"]', usage: 'perPage' },
    },
    {
      ...{ id: ID(4), loaderId: 'cheerioWebScraper', loaderName: 'Cheerio', ...splitter, ...counts },
      ...{ loaderConfig: { url: 'https://x.example' }, credential: SECRET },
    },
  ]
  const embedding = { name: 'openAIEmbeddings', config: { credential: SECRET, modelName: 'text-embedding-3-small' } }
  const store = {
    ...{ id: STORE, name: 'Kitchen', description: 'What we cook', status: 'UPSERTED', whereUsed: '["x"]' },
    ...{ loaders: JSON.stringify(loaders), embeddingConfig: JSON.stringify(embedding) },
    ...{ vectorStoreConfig: null, recordManagerConfig: null, createdDate: DATE, updatedDate: DATE },
  }
  const chunks = [chunk(1, 'Tea is at four.'), chunk(2, 'Soup is at noon.'), chunk(3, 'Bread is old.', ID(4))]
  return { DocumentStore: [store], DocumentStoreFileChunk: chunks }
}
const DATE = '2026-01-02T03:04:05.000Z'

async function take(bundle: object, client = ann): Promise<ImportReport> {
  const { status, body, text } = await call(client, 'POST', '/export-import/import', bundle)
  expect([status, text.slice(0, 300)]).toEqual([200, expect.stringContaining('"message":"success"')])
  return body.report
}

async function exported(client = ann, kinds: object = { document_store: true }) {
  const { FileDefaultName: _, ...bundle } = (await call(client, 'POST', '/export-import/export', kinds)).body
  return bundle
}

const comparable = (bundle: object) =>
  JSON.parse(JSON.stringify(bundle).replace(/(updatedDate|uploaded)(\\?":\\?")[^"\\]*/g, '$1$2'))

/** The texts that the words find. */
async function found(query: string, { storeId = STORE, client = ann } = {}): Promise<string[]> {
  const asked = { storeId, query, inputs: { mode: 'keyword' } }
  const { status, body } = await call(client, 'POST', '/document-store/vectorstore/query', asked)
  return status === 200 ? body.docs.map(({ pageContent }: { pageContent: string }) => pageContent) : [String(status)]
}

const storesOf = async (client: TestClient) => (await call(client, 'GET', '/document-store/store')).body

describe('a file of Flowise', () => {
  it('brings loaders, sources and chunks that words find, without originals and credentials', async () => {
    const report = await take(flowiseBundle())
    expect(report.imported).toMatchObject({ DocumentStore: 1, DocumentStoreFileChunk: 3 })
    expect(report.items).toMatchObject([
      { key: 'DocumentStore', found: 'none', choice: 'new', needs: 'Choose its credentials, then upsert it' },
    ])
    expect(report.leftOut).toMatchObject([
      { key: 'DocumentStore', names: ['menu.pdf'], why: expect.stringContaining('no originals') },
    ])
    expect(report.notes).toEqual([])
    expect(await found('soup')).toEqual(['Soup is at noon.'])
    const { database } = heddle
    expect(await database.select().from(documentStores)).toMatchObject([
      { id: STORE, status: 'SYNC', totalChunks: 3, totalChars: 44, createdDate: DATE },
    ])
    expect(await database.select().from(documentLoaders).orderBy(documentLoaders.id)).toMatchObject([
      { id: LOADER, loaderId: 'pdfFile', status: 'SYNC', totalChunks: 2 },
      { id: ID(4), loaderId: 'cheerioWebScraper', status: 'SYNC', totalChunks: 1 },
    ])
    const sources = await database.select().from(documentSources)
    expect(sources.find(({ id }) => id === FILE)).toMatchObject({ name: 'menu.pdf', isStored: false, status: 'SYNC' })
    expect(sources.map(({ docId, chunks }) => [docId, chunks]).sort()).toEqual([
      [LOADER, 2],
      [ID(4), 1],
    ])
    const texts = JSON.stringify([await database.select().from(documentLoaders), await storesOf(ann)])
    expect(texts).not.toContain(SECRET)
  })

  it('names the rows that it leaves out', async () => {
    const bundle = flowiseBundle()
    const lost = [
      { ...chunk(7, 'Lost'), storeId: ID(90) },
      { ...chunk(8, 'Lost'), docId: ID(91) },
      { ...chunk(9, 'Lost'), metadata: '[' },
    ]
    const report = await take({ ...bundle, DocumentStoreFileChunk: [...bundle.DocumentStoreFileChunk, ...lost] })
    expect(report.imported).toMatchObject({ DocumentStoreFileChunk: 3 })
    const chunks = report.leftOut.filter(({ key }) => key === 'DocumentStoreFileChunk')
    expect(chunks.map(({ count, why }) => [count, why])).toEqual([
      [1, 'metadata: This is not a JSON object'],
      [2, 'Its document store or loader is not in the file'],
    ])
  })
})

it('brings stores back from a file of its own, as they were', async () => {
  await take(flowiseBundle())
  const off = { isEnabled: false, headings: 'Menu > Noon' }
  await heddle.database.update(documentChunks).set(off).where(eq(documentChunks.chunkNo, 2))
  const before = await exported()
  const chunks: { chunkNo: number }[] = before.DocumentStoreFileChunk
  expect(chunks.find(({ chunkNo }) => chunkNo === 2)).toMatchObject(off)
  expect(JSON.stringify(before)).not.toContain('workspaceId')
  await wipe()
  expect((await exported()).DocumentStore).toEqual([])
  await take(before)
  expect(comparable(await exported())).toEqual(comparable(before))
  expect([await found('tea'), await found('soup')]).toEqual([['Tea is at four.'], []])

  const again = await take(before)
  expect(again.items).toMatchObject([{ found: 'same', choice: 'skip', choices: ['new', 'skip'] }])
  expect(again.imported).toMatchObject({ DocumentStore: 0, DocumentStoreFileChunk: 0 })
  expect(await found('tea')).toEqual(['Tea is at four.'])
})

it('replaces a store with its chunks and keeps the credentials of settings that are as before', async () => {
  await take(flowiseBundle())
  const bundle = await exported()
  const embedding = { name: 'openAIEmbeddings', config: { modelName: 'text-embedding-3-small', credential: SECRET } }
  const changed = { name: 'Changed', embeddingConfig: JSON.stringify(embedding) }
  await heddle.database.update(documentStores).set(changed)
  const [tea, , bread] = bundle.DocumentStoreFileChunk
  const chunks = [{ ...tea, pageContent: 'Tea is at five.' }, bread]
  const choices = { [`DocumentStore/${STORE}`]: 'replace' }
  const report = await take({ ...bundle, DocumentStoreFileChunk: chunks, choices })
  expect(report.items).toMatchObject([{ found: 'different', choice: 'replace' }])
  const rows = await heddle.database.select().from(documentStores)
  expect(rows).toMatchObject([{ ...changed, name: 'Kitchen', status: 'SYNC', totalChunks: 2 }])
  expect(await heddle.database.select().from(documentChunks)).toHaveLength(2)
  expect([await found('tea'), await found('soup')]).toEqual([['Tea is at five.'], []])
})

it('points flows to the new id of a store, or to the one that is there when it is skipped', async () => {
  const tool = { documentStore: `${STORE}:Kitchen`, docStoreDescription: 'Menus' }
  const flow = chain(start(), node('retrieverAgentflow', 0, { retrieverKnowledgeDocumentStores: [tool] }))
  const AgentFlowV2 = [{ id: ID(30), name: 'Cook', flowData: JSON.stringify(flow) }]
  const flowData = async () => (await heddle.database.select().from(chatflows)).map((row) => row.flowData)
  const bundle = { ...flowiseBundle(), AgentFlowV2 }
  await take(bundle)
  expect((await flowData())[0]).toContain(`${STORE}:Kitchen`)
  await heddle.database.delete(chatflows)

  await take({ ...bundle, choices: { [`DocumentStore/${STORE}`]: 'new' } })
  const stores = await heddle.database.select().from(documentStores)
  const copy = stores.find(({ id }) => id !== STORE)?.id as string
  expect((await flowData())[0]).toContain(`${copy}:Kitchen`)
  expect([await found('tea'), await found('tea', { storeId: copy })]).toEqual([
    ['Tea is at four.'],
    ['Tea is at four.'],
  ])
  await heddle.database.delete(chatflows)

  await take({ ...bundle, choices: { [`DocumentStore/${STORE}`]: 'skip' } })
  expect((await flowData())[0]).toContain(`${STORE}:Kitchen`)
  expect(await heddle.database.select().from(documentStores)).toHaveLength(2)
})

it('an import leaves a store of another workspace alone and creates a copy', async () => {
  await take(flowiseBundle())
  const report = await take(flowiseBundle(), bob)
  expect(report.items).toMatchObject([{ found: 'none', choice: 'new' }])
  const stores = await heddle.database.select().from(documentStores)
  const copy = stores.find(({ id }) => id !== STORE)?.id as string
  expect(await found('tea', { storeId: copy, client: bob })).toEqual(['Tea is at four.'])
  expect(await found('tea', { client: bob })).toEqual(['404'])
  expect(await found('tea', { storeId: copy })).toEqual(['404'])
  expect(await found('tea')).toEqual(['Tea is at four.'])
  expect(JSON.stringify(await exported(bob))).not.toContain(STORE)
  const choices = { [`DocumentStore/${STORE}`]: 'replace' }
  expect((await call(bob, 'POST', '/export-import/import', { ...flowiseBundle(), choices })).status).toBe(400)
})

it('refuses a file as a whole that needs more chunks than a workspace may have', async () => {
  const { body } = await call(ann, 'POST', '/document-store/store', { name: 'Large' })
  await heddle.database.update(documentStores).set({ totalChunks: CHUNK_QUOTA - 2 })
  const { status, text } = await call(ann, 'POST', '/export-import/import', flowiseBundle())
  expect([status, text]).toEqual([413, expect.stringContaining('1,000,000 chunks')])
  expect(await heddle.database.select({ id: documentStores.id }).from(documentStores)).toEqual([{ id: body.id }])
  await heddle.database.update(documentStores).set({ totalChunks: CHUNK_QUOTA - 3 })
  await take(flowiseBundle())
})
