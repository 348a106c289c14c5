/** The files of document stores, as the list of all files shows them, and their deletion. */
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { FileList, StoredFile } from '#contract/files/files.ts'
import { documentChunks, documentSources, files } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { fileKey } from '#worker/ports/file-storage.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../e2e/support/embeddings-server.ts'
import { startScriptedServer } from './jobs/testing/scripted-server.ts'
import { act, newStore, ok, paragraph, saveFiles, start, textOf } from './jobs/testing/stores.ts'

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
let embeddings: EmbeddingsServer
let qdrant: Awaited<ReturnType<typeof startScriptedServer>>

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  qdrant = await startScriptedServer(() => ({ body: { result: {} } }))
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: `${embeddings.host},${qdrant.host}` })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterEach(() => embeddings.release())
afterAll(async () => {
  await heddle.close()
  await Promise.all([embeddings.close(), qdrant.close()])
})

const list = (query = '', client = ann): Promise<FileList> => ok(client, 'GET', `/files${query}`)
const process = (docId: string) => ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
const storeOf = (id: string) => ok(ann, 'GET', `/document-store/store/${id}`)
const embedder = () => ({
  embeddingName: 'openAIEmbeddingsCustom',
  embeddingConfig: { modelName: 'test', basepath: embeddings.baseUrl },
})
const foundBy = async (storeId: string, query: string): Promise<string[]> => {
  const asked = { storeId, query: paragraph(query), inputs: { mode: 'keyword' } }
  const { docs } = await ok(ann, 'POST', '/document-store/vectorstore/query', asked)
  return docs.map(({ pageContent }: { pageContent: string }) => pageContent.replace(/\.+$/, ''))
}

/** A store whose loader has read the files. */
async function filled(files: Record<string, string>) {
  const storeId = await newStore(ann, 'Handbook')
  const docId = await saveFiles(ann, { storeId, files })
  await process(docId)
  const { data } = await list('?limit=100')
  const ofStore = data.filter(({ owner }) => owner.id === storeId)
  return { storeId, docId, fileOf: (name: string) => ofStore.find((file) => file.name === name) as StoredFile }
}

const remove = (storeId: string, { id }: { id: string }, client = ann) =>
  call(client, 'DELETE', `/document-store/store/${storeId}/files/${id}`)

async function keyWith(...permissions: string[]) {
  const { apiKey } = await ok(ann, 'POST', '/apikey', { keyName: permissions.join(), permissions })
  return async (method: string, path: string) => {
    const response = await heddle.fetch(`/api/v1${path}`, { method, headers: { authorization: `Bearer ${apiKey}` } })
    const text = await response.text()
    return { status: response.status, text }
  }
}

it('files of stores are listed with those of flows, page by page, and counted in the quota', async () => {
  const before = await list()
  const storeId = await newStore(ann, 'Handbook')
  const docId = await saveFiles(ann, { storeId, files: { 'mixed a.txt': textOf('one'), 'mixed b.txt': textOf('two') } })
  await process(docId)
  const flow = await ok(ann, 'POST', '/chatflows', {
    name: 'F',
    flowData: '{"nodes":[],"edges":[]}',
    type: 'AGENTFLOW',
  })
  const inFlow = { id: crypto.randomUUID(), workspaceId: flow.workspaceId, chatflowid: flow.id, chatId: 'c1' }
  const bytes = { mime: 'text/plain', size: 4, data: Buffer.from('weft') }
  const created = { createdDate: '2020-01-01T00:00:00.000Z' }
  await heddle.database.insert(files).values({ ...inFlow, ...bytes, ...created, name: 'mixed c.txt' })
  const names: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: FileList = await list(`?search=mixed&limit=1&cursor=${encodeURIComponent(cursor)}`)
    expect(page.total).toBe(3)
    names.push(...page.data.map(({ name }) => name))
    cursor = page.cursor
  }
  expect(names.slice(0, 2).sort()).toEqual(['mixed a.txt', 'mixed b.txt'])
  expect(names.slice(2)).toEqual(['mixed c.txt'])
  const all = await list('?search=mixed')
  expect(all.usedBytes - before.usedBytes).toBe(28 + 28 + 4)
  expect(all.data.find(({ name }) => name === 'mixed a.txt')).toMatchObject({
    ...{ mime: 'text/plain', size: 28 },
    owner: { kind: 'documentStore', id: storeId, name: 'Handbook', chunks: 1, loader: { id: docId } },
  })
})

it('files that no loader uses are listed and deleted, too', async () => {
  const storeId = await newStore(ann)
  const headers = { 'content-type': 'application/octet-stream' }
  const path = `/api/v1/document-store/store/${storeId}/files?name=waiting.txt`
  await ann.fetch(path, { method: 'POST', body: 'one', headers })
  const [file] = (await list('?search=waiting')).data
  expect(file?.owner).toMatchObject({ kind: 'documentStore', loader: null, chunks: 0 })
  expect((await remove(storeId, file as StoredFile)).status).toBe(200)
  expect((await list('?search=waiting')).data).toEqual([])
  expect((await storeOf(storeId)).totalBytes).toBe(0)
})

it('files of stores are downloaded, and never run', async () => {
  const { fileOf } = await filled({ 'page.html': '<script>1</script>' })
  const response = await ann.fetch(`/api/v1/files/${fileOf('page.html').id}/content`)
  expect(await response.text()).toBe('<script>1</script>')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''page.html",
    'x-content-type-options': 'nosniff',
  })
})

it('deleted files take their chunks and bytes along, and no refresh reads them again', async () => {
  const { storeId, docId, fileOf } = await filled({ 'gone.txt': textOf('warp', 'shed'), 'kept.txt': textOf('weft') })
  const { workspaceId } = await storeOf(storeId)
  const gone = fileOf('gone.txt')
  expect(await foundBy(storeId, 'warp')).toEqual(['warp'])
  expect(await remove(storeId, gone)).toMatchObject({ status: 200, body: { raw: [], affected: 1 } })
  expect(await foundBy(storeId, 'warp')).toEqual([])
  expect(await foundBy(storeId, 'weft')).toEqual(['weft'])
  const isLeft = {
    ...{ totalChunks: 1, totalBytes: 28, status: 'UPSERTED' },
    loaders: [{ loaderConfig: { file: 'FILE-STORAGE::["kept.txt"]' }, totalChunks: 1, filesTotal: 1, status: 'SYNC' }],
  }
  expect(await storeOf(storeId)).toMatchObject(isLeft)
  await heddle.scheduled()
  const bucket = await heddle.openBucket()
  expect(await bucket.get(fileKey({ workspaceId, id: gone.id }))).toBeNull()
  expect(await bucket.get(fileKey({ workspaceId, id: fileOf('kept.txt').id }))).not.toBeNull()
  await process(docId)
  expect(await storeOf(storeId)).toMatchObject(isLeft)
  expect((await remove(storeId, gone)).status).toBe(404)
})

it('deleting an unreadable file leaves its loader in sync', async () => {
  const { storeId, fileOf } = await filled({ 'bad.json': '{"a":', 'good.txt': textOf('one') })
  expect((await storeOf(storeId)).loaders).toMatchObject([{ status: 'STALE', filesFailed: 1 }])
  await remove(storeId, fileOf('bad.json'))
  expect((await storeOf(storeId)).loaders).toMatchObject([{ status: 'SYNC', statusReason: null, filesFailed: 0 }])
})

it('deleted files take their vectors in external stores along', async () => {
  const { storeId, fileOf } = await filled({ 'a.txt': textOf('far'), 'b.txt': textOf('near') })
  const elsewhere = {
    vectorStoreName: 'qdrant',
    vectorStoreConfig: { qdrantServerUrl: qdrant.url, qdrantCollection: 'texts' },
  }
  await ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId, ...embedder(), ...elsewhere })
  const removed = () =>
    qdrant.asked.filter(({ what }) => what.endsWith('/points/delete')).flatMap(({ body }) => body.points as string[])
  // The second does not wait for the job that takes the vectors of the first away.
  expect((await remove(storeId, fileOf('a.txt'))).status).toBe(200)
  expect((await remove(storeId, fileOf('b.txt'))).status).toBe(200)
  await expect.poll(() => removed().length).toBe(2)
})

it('files cannot be deleted while a job works on their store', async () => {
  const { storeId, fileOf } = await filled({ 'busy.txt': textOf('one') })
  const came = embeddings.hold()
  const jobId = await start(ann, '/vectorstore/insert', { storeId, ...embedder() })
  await came
  const refused = await remove(storeId, fileOf('busy.txt'))
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Wait until it is done')])
  expect(await foundBy(storeId, 'one')).toEqual(['one'])
  await act(ann, jobId, 'cancel')
  embeddings.release()
  expect((await remove(storeId, fileOf('busy.txt'))).status).toBe(200)
  expect(await heddle.database.$count(documentChunks, eq(documentChunks.storeId, storeId))).toBe(0)
})

it('files are private to their workspace, and to the store that the call names', async () => {
  const { storeId, fileOf } = await filled({ 'private.txt': textOf('one') })
  const file = fileOf('private.txt')
  expect((await list('?search=private', bob)).data).toEqual([])
  expect((await bob.fetch(`/api/v1/files/${file.id}/content`)).status).toBe(404)
  expect((await remove(storeId, file, bob)).status).toBe(404)
  expect((await remove(await newStore(bob), file, bob)).status).toBe(404)
  expect((await remove(await newStore(ann), file)).status).toBe(404)
  expect(await heddle.database.$count(documentSources, eq(documentSources.id, file.id))).toBe(1)
})

it('files of stores need the permissions of document stores to be seen and deleted', async () => {
  const { storeId, fileOf } = await filled({ 'guarded.txt': textOf('one') })
  const { id } = fileOf('guarded.txt')
  const content = `/files/${id}/content`
  const path = `/document-store/store/${storeId}/files/${id}`
  const flows = await keyWith('agentflows:view', 'agentflows:update')
  expect(JSON.parse((await flows('GET', '/files?search=guarded')).text).data).toEqual([])
  expect((await flows('GET', content)).status).toBe(404)
  expect((await flows('DELETE', path)).status).toBe(403)
  expect((await flows('DELETE', `/files/${id}`)).status).toBe(404)
  const viewer = await keyWith('documentStores:view')
  expect(JSON.parse((await viewer('GET', '/files?search=guarded')).text).data).toMatchObject([{ id }])
  expect((await viewer('GET', content)).status).toBe(200)
  expect((await viewer('DELETE', path)).status).toBe(403)
  const editor = await keyWith('documentStores:update')
  expect((await editor('DELETE', path)).status).toBe(200)
  expect((await viewer('GET', content)).status).toBe(404)
})
