import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentChunks, documentLoaders, documentSources } from '#db/schema/index.ts'
import { createSearchIndex } from '#db/search-index/search-index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
let storeId: string
let workspaceId: string

const AREA = '/document-store/vectorstore/estimate'
const estimate = (body: object, client = ann) => call(client, 'POST', AREA, { storeId, ...body })
const openAI = (basepath?: string) => ({
  embeddingName: 'openAIEmbeddings',
  embeddingConfig: { modelName: 'text-embedding-3-small', FLOWISE_CREDENTIAL_ID: credentialId, basepath },
})
let credentialId: string

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
  const { body: store } = await call(ann, 'POST', '/document-store/store', { name: 'Handbook', description: '' })
  const { body: credential } = await call(ann, 'POST', '/credentials', {
    name: 'Key',
    credentialName: 'openAIApi',
    plainDataObj: { openAIApiKey: 'sk-never-asked' },
  })
  storeId = store.id
  workspaceId = store.workspaceId
  credentialId = credential.id
  await writeChunks()
})
afterAll(() => heddle.close())

/** Three texts, one of them twice; one chunk is switched off. */
async function writeChunks(): Promise<void> {
  const now = new Date().toISOString()
  const dates = { createdDate: now, updatedDate: now }
  for (const docId of ['one', 'two']) {
    const loader = { id: docId, workspaceId, storeId, loaderId: 'plainText', loaderName: docId, loaderConfig: '{}' }
    await heddle.database.insert(documentLoaders).values({ ...loader, status: 'SYNC', ...dates })
    const source = { id: `source-${docId}`, workspaceId, storeId, docId, key: docId, name: docId }
    await heddle.database.insert(documentSources).values({ ...source, status: 'SYNC', ...dates })
  }
  const chunk = (chunkNo: number, docId: string, hash: string, isEnabled = true) => ({
    ...{ id: `chunk-${chunkNo}`, workspaceId, storeId, docId, sourceId: `source-${docId}`, chunkNo, isEnabled },
    ...{ pageContent: hash, metadata: '{}', hash, originHash: hash, tokens: 1000 },
  })
  const chunks = [chunk(1, 'one', 'a'), chunk(2, 'one', 'b'), chunk(3, 'two', 'a'), chunk(4, 'two', 'c')]
  await heddle.database.insert(documentChunks).values([...chunks, chunk(5, 'two', 'off', false)])
}

it('an estimate without embeddings costs nothing', async () => {
  expect((await estimate({ embeddingName: null })).body).toEqual({
    chunks: 3,
    tokens: 3000,
    price: null,
    isEmbedded: false,
  })
})

it('counts equal texts once and tells their price', async () => {
  expect((await estimate(openAI())).body).toEqual({ chunks: 3, tokens: 3000, price: 0.00006, isEmbedded: true })
  expect((await estimate({ ...openAI(), docId: 'one' })).body).toMatchObject({ chunks: 2, tokens: 2000 })
})

it('an estimate does not guess the price of a custom endpoint', async () => {
  expect((await estimate(openAI('http://localhost:1/v1'))).body).toMatchObject({ chunks: 3, price: null })
})

it('counts everything while inputs are missing, without a price', async () => {
  const { embeddingName } = openAI()
  expect((await estimate({ embeddingName, embeddingConfig: {} })).body).toMatchObject({ chunks: 3, price: null })
})

it('an estimate leaves out chunks that are already embedded', async () => {
  const identity = 'openAIEmbeddings text-embedding-3-small'
  const tenant = { workspaceId }
  const searchIndex = await createSearchIndex(heddle.database, tenant, { storeId, embedder: identity, dimensions: 2 })
  const entries = ['a', 'b', 'c'].map((hash, at) => ({ chunkId: `chunk-${at + 1}`, hash, text: hash }))
  await heddle.database.batch([
    ...searchIndex.writeEntries(entries),
    ...searchIndex.writeVectors([
      { hash: 'a', vector: [1, 0] },
      { hash: 'b', vector: [0, 1] },
    ]),
  ] as never)
  expect((await estimate(openAI())).body).toMatchObject({ chunks: 1, tokens: 1000 })
})

it('refuses unknown embeddings and stores of another workspace', async () => {
  expect((await estimate({ embeddingName: 'none' })).status).toBe(400)
  expect((await estimate({ embeddingName: null }, bob)).status).toBe(404)
})
