/** Previews, vector settings and queries of document stores. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const call = (client: TestClient, method: string, path: string, json?: unknown) =>
  callApi(client, method, `/document-store${path}`, json)
const createStore = async () => (await call(ann, 'POST', '/store', { name: 'Kitchen' })).body.id as string
const uri = (name: string, text: string) =>
  `data:text/plain;base64,${Buffer.from(text).toString('base64')},filename:${name}`

describe('a preview', () => {
  const markdown = '# Tea\n\nTea is at four.\n\n# Coffee\n\nCoffee is at nine.'
  const given = (storeId: string, more: object = {}) => ({
    storeId,
    loaderId: 'fileLoader',
    loaderConfig: { file: JSON.stringify([uri('a.md', markdown), uri('b.pdf', 'no PDF')]) },
    splitterId: 'markdownTextSplitter',
    splitterConfig: { chunkSize: 40, chunkOverlap: 0 },
    ...more,
  })

  it('shows chunks, where they stand, and what could not be read, and keeps nothing', async () => {
    const storeId = await createStore()
    const { status, body } = await call(ann, 'POST', '/loader/preview', given(storeId))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      totalChunks: 2,
      price: null,
      isPartial: false,
      documents: [{ name: 'a.md', isCut: false }],
    })
    for (const { pageContent, document, start, end, tokens } of body.chunks) {
      expect(body.documents[document].text.slice(start, end)).toBe(pageContent)
      expect(tokens).toBeGreaterThan(0)
    }
    expect(body.failed).toMatchObject([{ name: 'b.pdf' }])
    expect((await call(ann, 'GET', `/store/${storeId}`)).body).toMatchObject({ loaders: [], totalBytes: 0 })
    const { body: one } = await call(ann, 'POST', '/loader/preview', given(storeId, { previewChunkCount: 1 }))
    expect(one).toMatchObject({ totalChunks: 2, previewChunkCount: 1 })
  })

  it('says that a credential is missing or gone, as a job would', async () => {
    const notion = { loaderId: 'notionPage', loaderConfig: { notionPageId: '0123456789abcdef0123456789abcdef' } }
    const storeId = await createStore()
    const without = await call(ann, 'POST', '/loader/preview', given(storeId, notion))
    expect(without).toMatchObject({ status: 400, body: { field: 'credential' } })
    expect(without.body.message).toContain('Notion Page: choose a credential')
    const gone = await call(ann, 'POST', '/loader/preview', given(storeId, { ...notion, credential: 'gone' }))
    expect(gone).toMatchObject({ status: 400, body: { field: 'credential' } })
    expect(gone.body.message).toContain('the chosen credential does not exist')
  })

  it('reads files that were sent before', async () => {
    const storeId = await createStore()
    const init = { method: 'POST', body: 'Sent before', headers: { 'content-type': 'application/octet-stream' } }
    await ann.fetch(`/api/v1/document-store/store/${storeId}/files?name=a.txt`, init)
    const loaderConfig = { file: 'FILE-STORAGE::["a.txt"]' }
    const { body } = await call(ann, 'POST', '/loader/preview', given(storeId, { loaderConfig, splitterId: '' }))
    expect(body.chunks).toMatchObject([{ pageContent: 'Sent before', start: 0, end: 11 }])
    const missing = { loaderConfig: { file: 'FILE-STORAGE::["other.txt"]' } }
    expect((await call(ann, 'POST', '/loader/preview', given(storeId, missing))).status).toBe(400)
  })

  it.each([
    [{ loaderId: 'nothing' }, 'loaderId'],
    [{ splitterId: 'nothing' }, 'splitterId'],
    [{ credential: 'nothing' }, 'credential'],
    [{ splitterConfig: { chunkSize: -1 } }, 'splitterConfig'],
  ])('is refused with a field that is wrong', async (more, field) => {
    const { status, body } = await call(ann, 'POST', '/loader/preview', given(await createStore(), more))
    expect([status, body.field]).toEqual([400, field])
  })
})

describe('the vector settings', () => {
  const scheduleConfig = { cron: '0 9 * * *', timezone: 'Europe/Berlin', endDate: null }

  it('are replaced by a save, and changed in part by an update', async () => {
    const storeId = await createStore()
    const all = {
      storeId,
      embeddingName: 'openAIEmbeddings',
      embeddingConfig: { modelName: 'text-embedding-3-small' },
      searchConfig: { topK: 7 },
      scheduleConfig,
    }
    const { status, body } = await call(ann, 'POST', '/vectorstore/save', all)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      embeddingConfig: { name: 'openAIEmbeddings', config: { modelName: 'text-embedding-3-small' } },
      vectorStoreConfig: null,
      searchConfig: { topK: 7 },
      scheduleConfig,
    })
    expect(new Date(body.nextRefresh) > new Date()).toBe(true)
    const { body: changed } = await call(ann, 'POST', '/vectorstore/update', { storeId, searchConfig: { topK: 8 } })
    expect(changed).toMatchObject({ ...body, searchConfig: { topK: 8 }, updatedDate: changed.updatedDate })
    const { body: emptied } = await call(ann, 'POST', '/vectorstore/save', { storeId })
    expect(emptied).toMatchObject({
      embeddingConfig: null,
      searchConfig: null,
      scheduleConfig: null,
      nextRefresh: null,
    })
  })

  it('make the store a user of their credential, which a saved loader leaves', async () => {
    const secret = { name: 'Key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk' } }
    const { body: credential } = await callApi(ann, 'POST', '/credentials', secret)
    const storeId = await createStore()
    const embeddingConfig = { credential: credential.id }
    await call(ann, 'POST', '/vectorstore/save', { storeId, embeddingName: 'openAIEmbeddings', embeddingConfig })
    await call(ann, 'POST', '/loader/save', { storeId, loaderId: 'plainText', loaderConfig: { text: 'Tea' } })
    const usages = async () => (await callApi(ann, 'GET', `/usages?kind=credential&asset=${credential.id}`)).body.total
    expect(await usages()).toBe(1)
    await call(ann, 'POST', '/vectorstore/save', { storeId })
    expect(await usages()).toBe(0)
  })

  it.each([
    [{ embeddingName: 'nothing' }, 'embeddingName'],
    [{ vectorStoreName: 'nothing' }, 'vectorStoreName'],
    [{ searchConfig: { topK: 0 } }, 'searchConfig.topK'],
    [{ scheduleConfig: { ...scheduleConfig, cron: 'never' } }, 'scheduleConfig.cron'],
    [{ scheduleConfig: { ...scheduleConfig, timezone: 'Nowhere' } }, 'scheduleConfig.timezone'],
  ])('are refused with a field that is wrong', async (more, field) => {
    const { status, body } = await call(ann, 'POST', '/vectorstore/save', { storeId: await createStore(), ...more })
    expect([status, body.field]).toEqual([400, field])
  })
})

it('answers a query of a store that holds nothing yet', async () => {
  const storeId = await createStore()
  const { status, body } = await call(ann, 'POST', '/vectorstore/query', { storeId, query: 'tea' })
  expect([status, body.docs, body.mode]).toEqual([200, [], 'keyword'])
})

it('keeps a store from another workspace', async () => {
  const storeId = await createStore()
  for (const [path, json] of [
    ['/vectorstore/query', { storeId, query: 'tea' }],
    ['/vectorstore/save', { storeId }],
    ['/vectorstore/update', { storeId }],
    ['/loader/preview', { storeId, loaderId: 'plainText', loaderConfig: { text: 'Tea' } }],
  ] as const)
    expect([path, (await call(bob, 'POST', path, json)).status]).toEqual([path, 404])
})
