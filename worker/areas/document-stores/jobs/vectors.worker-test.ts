/** Vectors that are written for one loader, taken away, or kept in a store elsewhere. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../../e2e/support/embeddings-server.ts'
import { startScriptedServer } from './testing/scripted-server.ts'
import { newStore, ok, paragraph, readJob, saveText, textOf } from './testing/stores.ts'

let heddle: TestHeddle
let ann: TestClient
let embeddings: EmbeddingsServer
let qdrant: Awaited<ReturnType<typeof startScriptedServer>>

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  qdrant = await startScriptedServer(() => ({ body: { result: {} } }))
  heddle = await startTestHeddle({ allowPrivateHosts: `${embeddings.host},${qdrant.host}` })
  ann = await heddle.signUp()
})
afterEach(() => {
  embeddings.requests.length = 0
  qdrant.asked.length = 0
})
afterAll(async () => {
  await heddle.close()
  await Promise.all([embeddings.close(), qdrant.close()])
})

const embedder = () => ({
  embeddingName: 'openAIEmbeddingsCustom',
  embeddingConfig: { modelName: 'test', basepath: embeddings.baseUrl, batchSize: 4 },
})
const elsewhere = () => ({
  vectorStoreName: 'qdrant',
  vectorStoreConfig: { qdrantServerUrl: qdrant.url, qdrantCollection: 'texts' },
})
const insert = (storeId: string, more: object = {}) =>
  ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId, ...embedder(), ...more })
const statusOf = async (storeId: string) => (await ok(ann, 'GET', `/document-store/store/${storeId}`)).status
const embedded = () => embeddings.requests.flat().sort()

/** Returns the store and its loaders, one for each text. */
async function filled(...texts: string[]) {
  const storeId = await newStore(ann)
  const docIds: string[] = []
  for (const text of texts) {
    const docId = await saveText(ann, storeId, text)
    await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
    docIds.push(docId)
  }
  return { storeId, docIds }
}

async function foundBy(storeId: string, query: string): Promise<string[]> {
  const asked = { storeId, query: paragraph(query), inputs: { mode: 'vector', topK: 10 } }
  const { docs } = await ok(ann, 'POST', '/document-store/vectorstore/query', asked)
  return docs.map(({ pageContent }: { pageContent: string }) => pageContent.replace(/\.+$/, '')).sort()
}

describe('an upsert of one loader', () => {
  it('embeds its texts only, also the first time', async () => {
    const { storeId, docIds } = await filled(textOf('a1', 'a2'), textOf('b1'))
    expect(await insert(storeId, { docId: docIds[1] })).toMatchObject({ numAdded: 1, docId: docIds[1] })
    expect(embedded()).toEqual([paragraph('b1')])
    expect(await statusOf(storeId)).toBe('SYNC')
    expect(await foundBy(storeId, 'a1')).toEqual(['b1'])
    expect(await insert(storeId, { docId: docIds[0] })).toMatchObject({ numAdded: 2 })
    expect(await statusOf(storeId)).toBe('UPSERTED')
    expect(await foundBy(storeId, 'a1')).toEqual(['a1', 'a2', 'b1'])
  })
})

describe('taking vectors away', () => {
  it('removing a loader’s vectors keeps those of others, even of equal texts, and the next upsert writes them again', async () => {
    const { storeId, docIds } = await filled(textOf('c1', 'same'), textOf('same'))
    await insert(storeId)
    const path = `/document-store/vectorstore/${storeId}?docId=${docIds[0]}`
    expect(await ok(ann, 'DELETE', path)).toMatchObject({ numDeleted: 2, docId: docIds[0] })
    expect(await foundBy(storeId, 'same')).toEqual(['same'])
    expect(await statusOf(storeId)).toBe('SYNC')
    const words = { storeId, query: 'c1', inputs: { mode: 'keyword' } }
    expect((await ok(ann, 'POST', '/document-store/vectorstore/query', words)).docs).toHaveLength(1)
    await insert(storeId)
    expect(await foundBy(storeId, 'same')).toEqual(['c1', 'same', 'same'])
    expect(await statusOf(storeId)).toBe('UPSERTED')
  })

  it('removing a store’s vectors keeps its chunks searchable by keyword', async () => {
    const { storeId } = await filled(textOf('d1', 'd2'))
    await insert(storeId)
    expect(await ok(ann, 'DELETE', `/document-store/vectorstore/${storeId}`)).toMatchObject({ numDeleted: 2 })
    expect(await foundBy(storeId, 'd1')).toEqual([])
    expect(await ok(ann, 'DELETE', `/document-store/vectorstore/${storeId}`)).toMatchObject({ numDeleted: 0 })
  })
})

describe('vectors that are kept elsewhere', () => {
  const removed = () =>
    qdrant.asked.filter(({ what }) => what.endsWith('/points/delete')).flatMap(({ body }) => body.points as string[])
  const written = () =>
    qdrant.asked
      .filter(({ what }) => what.startsWith('PUT'))
      .flatMap(({ body }) => body.points as { id: string; payload: { chunkId: string } }[])

  it('leave with a chunk that is deleted or switched off, and with their loader', async () => {
    const { storeId, docIds } = await filled(textOf('e1', 'e2', 'e3'))
    await insert(storeId, elsewhere())
    const points = new Map(written().map(({ id, payload }) => [payload.chunkId, id]))
    expect(points.size).toBe(3)
    const { chunks } = await ok(ann, 'GET', `/document-store/chunks/${storeId}/all/1`)
    const [first, second, third] = chunks.map(({ id }: { id: string }) => id)
    const pathOf = (id: string) => `/document-store/chunks/${storeId}/${docIds[0]}/${id}`
    await ok(ann, 'DELETE', pathOf(first))
    await expect.poll(removed).toEqual([points.get(first)])
    await ok(ann, 'PUT', pathOf(second), { isEnabled: false })
    await expect.poll(removed).toEqual([points.get(first), points.get(second)])
    await ok(ann, 'DELETE', `/document-store/loader/${storeId}/${docIds[0]}`)
    await expect.poll(() => removed().slice(2).sort()).toEqual([points.get(second), points.get(third)].sort())
  })

  it('wait for a person while their store refuses to delete them', async () => {
    const { storeId, docIds } = await filled(textOf('f1'))
    await insert(storeId, elsewhere())
    qdrant.answerWith(() => ({ status: 401, body: { status: { error: 'Wrong key' } } }))
    await ok(ann, 'DELETE', `/document-store/loader/${storeId}/${docIds[0]}`)
    const newest = async () => (await ok(ann, 'GET', `/document-store/store/${storeId}/jobs`))[0]
    await expect.poll(async () => (await newest()).state).toBe('paused')
    const job = await newest()
    expect(job).toMatchObject({ kind: 'clean', stateReason: expect.stringContaining('Wrong key') })
    qdrant.answerWith(() => ({ body: { result: {} } }))
    await ok(ann, 'POST', `/document-store/jobs/${job.id}/resume`)
    await expect.poll(async () => (await readJob(ann, job.id)).state).toBe('done')
    expect(removed()).toHaveLength(2)
  })
})
