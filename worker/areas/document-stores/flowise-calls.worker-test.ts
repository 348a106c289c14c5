/** Document stores as a program written for Flowise calls them, with a key: methods, bodies, answers and states. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call as callApi, createTestClient } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../e2e/support/embeddings-server.ts'

let heddle: TestHeddle
let ann: TestClient
let embeddings: EmbeddingsServer

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  heddle = await startTestHeddle({ allowPrivateHosts: embeddings.host })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await embeddings.close()
})

type Permission = 'view' | 'create' | 'update' | 'delete'

/** Calls with a key that has these permissions. */
async function keyOf(...permissions: Permission[]) {
  const names = permissions.map((each) => `documentStores:${each}`)
  const { body } = await callApi(ann, 'POST', '/apikey', { keyName: 'Program', permissions: names })
  const client = createTestClient(heddle.url)
  const headers = { authorization: `Bearer ${body.apiKey}` }
  return async (method: string, path: string, json?: unknown) => {
    const given = json instanceof FormData ? { body: json } : { json }
    const response = await client.fetch(`/api/v1/document-store${path}`, { method, headers, ...given })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  }
}

type Call = Awaited<ReturnType<typeof keyOf>>

const text = (...lines: string[]) => lines.map((line) => line.padEnd(28, '.')).join('\n\n')
const loaderOf = (storeId: string, content: string) => ({
  ...{ storeId, loaderId: 'plainText', loaderName: 'Plain Text', loaderConfig: { text: content, metadata: '' } },
  ...{ splitterId: 'characterTextSplitter', splitterName: 'Character Text Splitter' },
  splitterConfig: { separator: '\n\n', chunkSize: 30, chunkOverlap: '0' },
})
const embedder = () => ({
  embeddingName: 'openAIEmbeddingsCustom',
  embeddingConfig: { modelName: 'test', basepath: embeddings.baseUrl },
})
const recordManager = { recordManagerName: 'SQLiteRecordManager', recordManagerConfig: { cleanup: 'incremental' } }

async function storeWith(call: Call, ...lines: string[]) {
  const { body: store } = await call('POST', '/store', { name: 'Kitchen', description: 'Tea' })
  const { body: loader } = await call('POST', '/loader/save', loaderOf(store.id, text(...lines)))
  await call('POST', `/loader/process/${loader.id}`, { ...loaderOf(store.id, text(...lines)), id: loader.id })
  return { storeId: store.id as string, docId: loader.id as string }
}

const all = () => keyOf('view', 'create', 'update', 'delete')

describe('a store from first to last', () => {
  it('goes through the states and answers that Flowise has', async () => {
    const call = await all()
    const { status, body: store } = await call('POST', '/store', { name: 'Kitchen', description: 'Tea' })
    expect([status, store.status]).toEqual([200, 'EMPTY'])
    const content = text('one', 'two')

    const preview = { ...loaderOf(store.id, content), preview: true, previewChunkCount: -1, rehydrated: false }
    expect(await call('POST', '/loader/preview', preview)).toMatchObject({
      status: 200,
      body: { chunks: [{ pageContent: expect.any(String), metadata: {} }, {}], totalChunks: 2, previewChunkCount: 2 },
    })

    const { body: loader } = await call('POST', '/loader/save', loaderOf(store.id, content))
    expect(loader).toMatchObject({
      loaderId: 'plainText',
      status: 'SYNCING',
      totalChunks: 0,
      source: expect.any(String),
    })
    expect((await call('GET', `/store/${store.id}`)).body.status).toBe('STALE')

    const again = { ...loaderOf(store.id, content), id: loader.id }
    const { body: processed } = await call('POST', `/loader/process/${loader.id}`, again)
    expect(processed).toMatchObject({
      ...{ count: 2, currentPage: 1, storeName: 'Kitchen', description: 'Tea', docId: loader.id },
      ...{ characters: 56, workspaceId: store.workspaceId, file: { id: loader.id, status: 'SYNC' } },
    })
    const [chunk] = processed.chunks
    expect(chunk).toMatchObject({ docId: loader.id, storeId: store.id, chunkNo: 1, metadata: expect.any(String) })

    const config = { storeId: store.id, ...embedder(), ...recordManager }
    expect((await call('POST', '/vectorstore/save', config)).body).toMatchObject({
      status: 'SYNC',
      embeddingConfig: { name: 'openAIEmbeddingsCustom' },
      recordManagerConfig: { name: 'SQLiteRecordManager', config: { cleanup: 'incremental' } },
    })
    const { body: inserted } = await call('POST', '/vectorstore/insert', config)
    expect(inserted).toMatchObject({ numAdded: 2, numDeleted: 0, numUpdated: 0, numSkipped: 0, totalKeys: 2 })
    expect(inserted.addedDocs).toHaveLength(2)
    expect(inserted.addedDocs).toContainEqual({
      pageContent: text('one'),
      metadata: expect.objectContaining({ docId: loader.id }),
    })
    expect((await call('GET', `/store/${store.id}`)).body).toMatchObject({
      ...{ status: 'UPSERTED', totalChunks: 2, totalChars: 56, whereUsed: [] },
    })

    const query = { storeId: store.id, query: text('two') }
    const { body: found } = await call('POST', '/vectorstore/query', query)
    expect(found).toMatchObject({ timeTaken: expect.any(Number), docs: expect.any(Array) })
    expect(found.docs[0]).toMatchObject({ pageContent: text('two'), metadata: {}, chunkNo: 2, id: expect.any(String) })

    const edited = `/chunks/${store.id}/${loader.id}/${chunk.id}`
    const { body: changed } = await call('PUT', edited, { pageContent: 'other', metadata: { a: 1 } })
    expect(changed.chunks[0]).toMatchObject({ pageContent: 'other', metadata: '{"a":1}' })
    expect((await call('DELETE', edited)).body).toMatchObject({ count: 1 })
    expect((await call('GET', `/chunks/${store.id}/all/1`)).body).toMatchObject({ count: 1, docId: 'all' })
    expect((await call('DELETE', `/vectorstore/${store.id}?docId=${loader.id}`)).body.numDeleted).toBe(1)
    expect((await call('DELETE', `/loader/${store.id}/${loader.id}`)).body).toMatchObject({
      loaders: [],
      status: 'EMPTY',
    })
    expect((await call('DELETE', `/store/${store.id}`)).status).toBe(200)
    expect((await call('GET', `/store/${store.id}`)).status).toBe(404)
  })

  it('lists pages and whole lists as Flowise does', async () => {
    const call = await all()
    await call('POST', '/store', { name: 'One more' })
    expect((await call('GET', '/store')).body).toEqual(expect.any(Array))
    expect((await call('GET', '/store?page=1&limit=1')).body).toMatchObject({ data: [{}], total: expect.any(Number) })
  })
})

describe('an insert', () => {
  it('saves the record manager that it names, and answers what it added', async () => {
    const call = await all()
    const { storeId, docId } = await storeWith(call, 'one', 'two')
    const { body } = await call('POST', '/vectorstore/insert', { storeId, docId, ...embedder(), ...recordManager })
    expect(body.addedDocs.map((each: { pageContent: string }) => each.pageContent).sort()).toEqual([
      text('one'),
      text('two'),
    ])
    expect((await call('GET', `/store/${storeId}`)).body.recordManagerConfig).toEqual({
      ...{ name: 'SQLiteRecordManager', config: { cleanup: 'incremental' } },
    })
    expect((await call('POST', '/vectorstore/insert', { storeId, ...embedder() })).body).toMatchObject({
      ...{ numAdded: 0, addedDocs: [] },
    })
    expect((await call('GET', `/store/${storeId}`)).body.recordManagerConfig).not.toBeNull()
  })

  it('a failed insert says why and leaves no store in the state UPSERTING', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    const wrong = { embeddingName: 'openAIEmbeddingsCustom', embeddingConfig: { basepath: 'http://127.0.0.1:9/v1' } }
    const { status } = await call('POST', '/vectorstore/insert', { storeId, ...wrong })
    expect(status).toBe(422)
    const { body } = await call('GET', `/store/${storeId}`)
    expect(body).toMatchObject({ status: 'SYNC', statusReason: expect.any(String) })
  })
})

describe('an upsert', () => {
  const upsert = (content: string) => ({
    loader: { name: 'plainText', config: { text: content } },
    splitter: { name: 'characterTextSplitter', config: { separator: '\n\n', chunkSize: 30, chunkOverlap: 0 } },
    recordManager: { name: 'SQLiteRecordManager', config: {} },
  })

  it('saves its record manager, and answers what it added with the loader', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    const { body } = await call('POST', `/upsert/${storeId}`, upsert(text('two', 'three')))
    expect(body).toMatchObject({ numAdded: 2, docId: expect.any(String) })
    const added = body.addedDocs as { pageContent: string; metadata: { docId: string } }[]
    expect(added.map(({ pageContent }) => pageContent)).toEqual([text('two'), text('three')])
    expect(added.map(({ metadata }) => metadata.docId)).toEqual([body.docId, body.docId])
    expect((await call('GET', `/store/${storeId}`)).body.recordManagerConfig).toMatchObject({
      name: 'SQLiteRecordManager',
    })
    const {
      body: [item],
    } = await call('POST', `/refresh/${storeId}`, { items: [upsert(text('four'))] })
    expect(item.addedDocs).toMatchObject([{ pageContent: text('four') }])
  })

  it('makes a store of its own for those who may make one', async () => {
    const { storeId } = await storeWith(await all(), 'one')
    const making = { ...upsert(text('two')), createNewDocStore: true, docStore: { name: 'Made' } }
    const without = await (await keyOf('view', 'update'))('POST', `/upsert/${storeId}`, making)
    expect(without).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('“Document Stores: Create”') },
    })
    expect((await (await keyOf('create', 'update'))('POST', `/upsert/${storeId}`, making)).status).toBe(200)
  })

  it('an upsert of everything needs no body', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    expect(await call('POST', `/refresh/${storeId}`)).toMatchObject({ status: 200, body: [{ numAdded: 0 }] })
  })
})

it('a key that may change or delete stores may read the one that it changes', async () => {
  const { storeId } = await storeWith(await all(), 'one')
  for (const permission of ['view', 'update', 'delete'] as const)
    expect((await (await keyOf(permission))('GET', `/store/${storeId}`)).status).toBe(200)
  expect((await (await keyOf('create'))('GET', `/store/${storeId}`)).status).toBe(403)
})

it('a query tells chunks of the same text apart', async () => {
  const call = await all()
  const { storeId } = await storeWith(call, 'same', 'other', 'same')
  const { body } = await call('POST', '/vectorstore/query', { storeId, query: 'same' })
  expect(body.docs.map(({ chunkNo }: { chunkNo: number }) => chunkNo).sort()).toEqual([1, 3])
  expect(new Set(body.docs.map(({ id }: { id: string }) => id)).size).toBe(2)
})

it('a store that is shown as stale while all of it was upserted can still be chosen in a flow', async () => {
  const call = await all()
  const { storeId } = await storeWith(call, 'one')
  await call('POST', '/vectorstore/insert', { storeId, ...embedder() })
  await call('POST', '/loader/save', loaderOf(storeId, text('two')))
  expect((await call('GET', `/store/${storeId}`)).body.status).toBe('STALE')
  const { body } = await callApi(ann, 'POST', '/node-load-method/retrieverAgentflow', { loadMethod: 'listStores' })
  expect(body.some(({ name }: { name: string }) => name.startsWith(storeId))).toBe(true)
})

describe('the parts that stores are made with', () => {
  it.each([
    ['loaders', 'plainText'],
    ['splitters', 'characterTextSplitter'],
    ['embeddings', 'openAIEmbeddingsCustom'],
    ['vectorstore', 'pinecone'],
  ])('%s are listed as definitions of components', async (kind, name) => {
    const call = await keyOf('view')
    const { status, body } = await call('GET', `/components/${kind}`)
    expect(status).toBe(200)
    const found = body.find((each: { name: string }) => each.name === name)
    expect(found).toMatchObject({ name, label: expect.any(String), inputs: expect.any(Array) })
    for (const input of found.inputs)
      expect(input).toMatchObject({ name: expect.any(String), label: expect.any(String), type: expect.any(String) })
  })

  it('have no record managers, which every store has built in, and no other kinds', async () => {
    const call = await keyOf('view')
    expect(await call('GET', '/components/recordmanager')).toEqual({ status: 200, body: [] })
    expect((await call('GET', '/components/none')).status).toBe(404)
  })

  it('are hidden from a key that may only delete', async () => {
    expect((await (await keyOf('delete'))('GET', '/components/loaders')).status).toBe(403)
  })
})

describe('the settings of a store', () => {
  it('settings that a save omits become null, and those that an update omits stay', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    const config = { storeId, ...embedder(), ...recordManager }
    const named = { name: 'openAIEmbeddingsCustom', config: embedder().embeddingConfig }
    const manager = { name: 'SQLiteRecordManager', config: { cleanup: 'incremental' } }
    await call('POST', '/vectorstore/save', config)
    expect(await call('POST', '/vectorstore/update', { storeId })).toMatchObject({
      status: 200,
      body: { id: storeId, embeddingConfig: named, vectorStoreConfig: null, recordManagerConfig: manager },
    })
    const cleared = await call('POST', '/vectorstore/update', { storeId, recordManagerName: null })
    expect(cleared.body).toMatchObject({ embeddingConfig: named, recordManagerConfig: null })
    expect((await call('POST', '/vectorstore/save', { storeId })).body).toMatchObject({
      ...{ embeddingConfig: null, vectorStoreConfig: null, recordManagerConfig: null },
    })
  })

  it.each(['/vectorstore/save', '/vectorstore/update'])(
    'are refused by %s with the name of the field',
    async (path) => {
      const call = await all()
      const { storeId } = await storeWith(call, 'one')
      const refused = (given: object) => call('POST', path, { storeId, ...given })
      expect(await refused({ embeddingName: 'none' })).toMatchObject({ status: 400, body: { field: 'embeddingName' } })
      expect(await refused({ vectorStoreName: 'none' })).toMatchObject({
        status: 400,
        body: { field: 'vectorStoreName' },
      })
      expect(await refused({ embeddingConfig: 'text' })).toMatchObject({
        status: 400,
        body: { field: 'embeddingConfig' },
      })
      expect(await call('POST', path, embedder())).toMatchObject({ status: 400, body: { field: 'storeId' } })
      expect((await refused({ storeId: 'none' })).status).toBe(404)
      expect((await call('GET', `/store/${storeId}`)).body.embeddingConfig).toBeNull()
      expect((await (await keyOf('view'))('POST', path, { storeId })).status).toBe(403)
    },
  )

  it('are listed as what an upsert may override', async () => {
    const call = await all()
    const { storeId, docId } = await storeWith(call, 'one')
    await call('POST', '/vectorstore/save', { storeId, ...embedder() })
    const { status, body } = await (await keyOf('view'))('GET', `/store-configs/${storeId}/${docId}`)
    expect(status).toBe(200)
    for (const each of body) {
      expect(each).toMatchObject({ node: expect.any(String), nodeId: expect.any(String) })
      expect(each).toMatchObject({ label: expect.any(String), name: expect.any(String), type: expect.any(String) })
    }
    expect(body).toContainEqual(expect.objectContaining({ nodeId: 'plainText_0', name: 'text' }))
    expect(body).toContainEqual(expect.objectContaining({ nodeId: 'characterTextSplitter_0', name: 'chunkSize' }))
    expect(body).toContainEqual(expect.objectContaining({ nodeId: 'openAIEmbeddingsCustom_0', name: 'modelName' }))
    expect((await call('GET', `/store-configs/${storeId}/none`)).status).toBe(404)
    expect((await call('GET', `/store-configs/none/${docId}`)).status).toBe(404)
  })
})

describe('a changed store', () => {
  it('is answered whole, and keeps what the body leaves out', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    expect(await call('PUT', `/store/${storeId}`, { name: 'Pantry' })).toMatchObject({
      status: 200,
      body: { id: storeId, name: 'Pantry', description: 'Tea', loaders: [{ loaderId: 'plainText' }], totalChunks: 1 },
    })
    expect((await call('PUT', `/store/${storeId}`, { description: 'Jam' })).body).toMatchObject({
      ...{ name: 'Pantry', description: 'Jam' },
    })
  })

  it('is refused with the name of the field, and nothing changes', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    expect(await call('PUT', `/store/${storeId}`, { name: ' ' })).toMatchObject({
      status: 400,
      body: { field: 'name' },
    })
    expect(await call('PUT', `/store/${storeId}`, { name: 'Pantry', description: 1 })).toMatchObject({
      ...{ status: 400, body: { field: 'description' } },
    })
    expect((await call('GET', `/store/${storeId}`)).body.name).toBe('Kitchen')
    expect((await call('PUT', '/store/none', { name: 'Pantry' })).status).toBe(404)
    expect((await (await keyOf('view'))('PUT', `/store/${storeId}`, { name: 'Pantry' })).status).toBe(403)
  })
})

describe('the description of a store for an agent', () => {
  it('names the field that a call lacks, and the store that is not there', async () => {
    const call = await all()
    const { storeId } = await storeWith(call, 'one')
    const path = `/generate-tool-desc/${storeId}`
    const model = (values: object) => ({ selectedChatModel: { name: 'chatOpenAICustom', inputs: {}, ...values } })
    expect(await call('POST', path, {})).toMatchObject({ status: 400, body: { field: 'selectedChatModel' } })
    const unknown = await call('POST', path, model({ name: 'none' }))
    expect(unknown).toMatchObject({ status: 400, body: { field: expect.stringContaining('selectedChatModel') } })
    const wanted = model({ inputs: { modelName: 'm', basepath: embeddings.baseUrl } })
    expect((await call('POST', '/generate-tool-desc/none', wanted)).status).toBe(404)
  })
})
