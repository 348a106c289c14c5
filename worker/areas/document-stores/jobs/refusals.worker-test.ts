/** What stops a job until a person acts: services that refuse, and quotas that are used up. */
import { and, asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHUNK_QUOTA, TOKEN_QUOTA } from '#contract/document-stores/limits.ts'
import { documentJobs, documentSources, documentStores } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../../e2e/support/embeddings-server.ts'
import { type Answer, startScriptedServer } from './testing/scripted-server.ts'
import { act, newStore, ok, paragraph, readJob, saveText, splitter, start, textOf } from './testing/stores.ts'

let heddle: TestHeddle
let ann: TestClient
let embeddings: EmbeddingsServer
let origin: Awaited<ReturnType<typeof startScriptedServer>>

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  origin = await startScriptedServer(() => ({ body: { title: 'Tea is at four' } }))
  heddle = await startTestHeddle({
    platformType: 'cloud',
    allowPrivateHosts: `${embeddings.host},${origin.host}`,
  })
  ann = await heddle.signUp()
})
afterEach(() => {
  embeddings.requests.length = 0
})
afterAll(async () => {
  await heddle.close()
  await Promise.all([embeddings.close(), origin.close()])
})

const stateOf = async (id: string) => (await readJob(ann, id)).state
const embedder = () => ({
  embeddingName: 'openAIEmbeddingsCustom',
  embeddingConfig: { modelName: 'test', basepath: embeddings.baseUrl, batchSize: 4 },
})
const process = (docId: string) => ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})

async function saveApi(): Promise<string> {
  const loader = { storeId: await newStore(ann), loaderId: 'apiLoader', loaderConfig: { url: `${origin.url}/texts` } }
  return (await ok(ann, 'POST', '/document-store/loader/save', { ...loader, ...splitter })).id
}

const sourcesOf = (docId: string) =>
  heddle.database
    .select()
    .from(documentSources)
    .where(eq(documentSources.docId, docId))
    .orderBy(asc(documentSources.key))
const sourceOf = async (docId: string) => (await sourcesOf(docId))[0]
const refreshesOf = (storeId: string) =>
  heddle.database
    .select({ state: documentJobs.state })
    .from(documentJobs)
    .where(and(eq(documentJobs.storeId, storeId), eq(documentJobs.kind, 'refresh')))

/** A loader of the pages of Confluence. */
async function saveWiki() {
  const storeId = await newStore(ann)
  const plainDataObj = { accessToken: 'atl_secret' }
  const made = { name: 'Wiki', credentialName: 'confluenceCloudApi', plainDataObj }
  const credential = (await ok(ann, 'POST', '/credentials', made)).id
  const loaderConfig = { baseUrl: origin.url, spaceKey: 'DOCS' }
  const loader = { storeId, loaderId: 'confluence', loaderConfig, credential, ...splitter }
  return { storeId, docId: (await ok(ann, 'POST', '/document-store/loader/save', loader)).id as string }
}

/** A space of three pages, one of which only its members may read. */
function wikiWithout(closed: string, what: string): Answer {
  const pageOf = (id: string) => ({ id, type: 'page', status: 'current', title: id, version: { number: 1 } })
  const id = what.split('/content/')[1]
  if (id === undefined) return { body: { results: ['1', '2', '3'].map(pageOf), _links: {} } }
  if (id === closed) return { status: 403, body: { statusCode: 403, message: 'Members only' } }
  return { body: { ...pageOf(id), body: { storage: { value: `<p>${paragraph(`page ${id}`)}</p>` } } } }
}

describe('a service that refuses a loader', () => {
  it.each([
    ['the credential', { status: 401, body: { message: 'Who are you?' } }, 'Who are you?'],
    [
      'more requests',
      { status: 429, headers: { 'retry-after': '3600' }, body: { message: 'Slow down' } },
      'Slow down. Try again in 60 minutes.',
    ],
  ])('pauses its job with its words when it refuses %s, and the job goes on from there', async (_, answer, words) => {
    const docId = await saveApi()
    origin.answerWith(() => answer)
    const jobId = await start(ann, `/loader/process/${docId}`)
    await expect.poll(() => stateOf(jobId)).toBe('paused')
    expect((await readJob(ann, jobId)).stateReason).toContain(words)
    expect(await sourceOf(docId)).toMatchObject({ status: 'NEW', error: null })
    origin.answerWith(() => ({ body: { title: 'Tea is at four' } }))
    await act(ann, jobId, 'resume')
    await expect.poll(() => stateOf(jobId)).toBe('done')
    expect(await sourceOf(docId)).toMatchObject({ status: 'SYNC', chunks: 1 })
  })

  it('pauses its job when it refuses the list', async () => {
    const { docId } = await saveWiki()
    origin.answerWith(() => ({ status: 403, body: { message: 'Members only' } }))
    const jobId = await start(ann, `/loader/process/${docId}`)
    await expect.poll(() => stateOf(jobId)).toBe('paused')
    expect((await readJob(ann, jobId)).stateReason).toContain('Members only')
  })

  it('ends its job and its scheduled refreshes when it closes one page, and reads the others', async () => {
    const { storeId, docId } = await saveWiki()
    origin.answerWith(({ what }) => wikiWithout('2', what))
    const jobId = await start(ann, `/loader/process/${docId}`)
    await expect.poll(() => stateOf(jobId)).toBe('done')
    const pages = [
      { key: '1', status: 'SYNC', error: null },
      { key: '2', status: 'FAILED', error: expect.stringContaining('does not open this (403): Members only.') },
      { key: '3', status: 'SYNC', error: null },
    ]
    expect(await sourcesOf(docId)).toMatchObject(pages)
    for (const count of [1, 2]) {
      const due = { nextRefresh: '2020-01-01T00:00:00.000Z' }
      await heddle.database.update(documentStores).set(due).where(eq(documentStores.id, storeId))
      await heddle.scheduled()
      await expect.poll(() => refreshesOf(storeId)).toEqual(Array(count).fill({ state: 'done' }))
      expect(await sourcesOf(docId)).toMatchObject(pages)
    }
  })
})

describe('a provider of embeddings that asks for patience', () => {
  it('gets some, and the job does not pause', async () => {
    const storeId = await newStore(ann)
    await process(await saveText(ann, storeId, textOf('one')))
    embeddings.refuse({ status: 429, message: 'Slow down' })
    const answer = await ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId, ...embedder() })
    expect(answer).toMatchObject({ numAdded: 1 })
    expect(embeddings.requests).toEqual([[paragraph('one')]])
  })
})

describe('the embeddings of a store', () => {
  const saved = async (more: object) => {
    const storeId = await newStore(ann)
    await process(await saveText(ann, storeId, textOf('one')))
    const { embeddingName, embeddingConfig } = embedder()
    const config = { ...embeddingConfig, ...more }
    await ok(ann, 'POST', '/document-store/vectorstore/save', { storeId, embeddingName, embeddingConfig: config })
    return storeId
  }
  const search = (storeId: string) =>
    call(ann, 'POST', '/document-store/vectorstore/query', { storeId, query: 'one', inputs: { mode: 'vector' } })

  it('say to searches and jobs alike that their credential was deleted', async () => {
    const storeId = await saved({ FLOWISE_CREDENTIAL_ID: 'deleted' })
    const words = 'the chosen credential does not exist'
    expect((await search(storeId)).body.message).toContain(words)
    const jobId = await start(ann, '/vectorstore/insert', { storeId })
    await expect.poll(() => stateOf(jobId)).toBe('paused')
    expect((await readJob(ann, jobId)).stateReason).toContain(words)
  })

  it('read variables of the workspace in searches and jobs alike', async () => {
    await ok(ann, 'POST', '/variables', { name: 'embeddings', value: embeddings.baseUrl, type: 'static' })
    const storeId = await saved({ basepath: '{{$vars.embeddings}}' })
    await ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId })
    expect((await search(storeId)).body.docs).toMatchObject([{ pageContent: paragraph('one') }])
  })
})

describe('a quota of the workspace', () => {
  it('a token quota pauses the job before anything is embedded', async () => {
    const bob = await heddle.signUp()
    const storeId = await newStore(bob)
    const docId = await saveText(bob, storeId, textOf('one'))
    await ok(bob, 'POST', `/document-store/loader/process/${docId}`, {})
    await heddle.database.update(documentJobs).set({ tokens: TOKEN_QUOTA }).where(eq(documentJobs.storeId, storeId))
    const jobId = await start(bob, '/vectorstore/insert', { storeId, ...embedder() })
    await expect.poll(async () => (await readJob(bob, jobId)).state).toBe('paused')
    expect((await readJob(bob, jobId)).stateReason).toContain('Go on next month')
    expect(embeddings.requests).toEqual([])
  })

  it('a chunk quota ends the job and keeps what was read before', async () => {
    const cid = await heddle.signUp()
    const full = await newStore(cid, 'Full')
    await heddle.database
      .update(documentStores)
      .set({ totalChunks: CHUNK_QUOTA - 1 })
      .where(eq(documentStores.id, full))
    const storeId = await newStore(cid)
    const docId = await saveText(cid, storeId, textOf('one', 'two'))
    const jobId = await start(cid, `/loader/process/${docId}`)
    await expect.poll(async () => (await readJob(cid, jobId)).state).toBe('failed')
    expect((await readJob(cid, jobId)).stateReason).toContain('1,000,000 chunks')
    expect((await ok(cid, 'GET', `/document-store/chunks/${storeId}/all/1`)).count).toBe(0)
  })
})
