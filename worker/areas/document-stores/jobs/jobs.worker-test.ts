/** Jobs that read, embed and refresh document stores. */
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { fileKey } from '#worker/ports/file-storage.ts'
import type { Services } from '#worker/services.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../../e2e/support/embeddings-server.ts'
import { LostJob, openJobContext, writeUnit } from './job-context.ts'
import { claimJob } from './rows/claim-job.ts'
import {
  act,
  chunkTexts,
  newStore,
  ok,
  paragraph,
  readJob,
  saveFiles,
  saveText,
  start,
  textOf,
} from './testing/stores.ts'

let heddle: TestHeddle
let ann: TestClient
let embeddings: EmbeddingsServer

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  heddle = await startTestHeddle({ allowPrivateHosts: embeddings.host })
  ann = await heddle.signUp()
})
afterEach(() => {
  embeddings.release()
  embeddings.requests.length = 0
})
afterAll(async () => {
  await heddle.close()
  await embeddings.close()
})

const embeddingsOf = () => ({
  embeddingName: 'openAIEmbeddingsCustom',
  embeddingConfig: { modelName: 'test', basepath: embeddings.baseUrl, batchSize: 4 },
})
const chunksOf = (storeId: string) =>
  heddle.database
    .select()
    .from(documentChunks)
    .where(eq(documentChunks.storeId, storeId))
    .orderBy(asc(documentChunks.chunkNo))
const storeOf = async (id: string) =>
  (await heddle.database.select().from(documentStores).where(eq(documentStores.id, id)))[0]
const process = (loaderId: string) => ok(ann, 'POST', `/document-store/loader/process/${loaderId}`, {})
const insert = (storeId: string) =>
  ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId, ...embeddingsOf() })
const embedded = () => embeddings.requests.flat()
const stateOf = async (id: string) => (await readJob(ann, id)).state

describe('reading a loader', () => {
  it('cuts its text into chunks with their metadata, found by words at once', async () => {
    const storeId = await newStore(ann)
    const docId = await saveText(ann, storeId, textOf('one', 'two'))
    const firstPage = [{ chunkNo: 1, docId }, { chunkNo: 2 }]
    expect(await process(docId)).toMatchObject({
      numAdded: 2,
      numDeleted: 0,
      docId,
      count: 2,
      currentPage: 1,
      chunks: firstPage,
    })
    const chunks = await chunksOf(storeId)
    expect(chunkTexts(chunks)).toEqual(['one', 'two'])
    expect(chunks.map(({ chunkNo }) => chunkNo)).toEqual([1, 2])
    expect(JSON.parse(chunks[0]?.metadata ?? '')).toMatchObject({ docId, source: 'Plain text' })
    expect(await storeOf(storeId)).toMatchObject({ status: 'UPSERTED', totalChunks: 2, statusReason: null })
    const [loader] = await heddle.database.select().from(documentLoaders).where(eq(documentLoaders.id, docId))
    expect(loader).toMatchObject({ status: 'SYNC', totalChunks: 2 })
  })

  it('says of each file why it was not read, and reads the others', async () => {
    const storeId = await newStore(ann)
    const docId = await saveFiles(ann, {
      storeId,
      files: { 'a.txt': textOf('one'), 'b.json': '{"open":', 'c.txt': textOf('two') },
    })
    await process(docId)
    const sources = await heddle.database.select().from(documentSources).where(eq(documentSources.docId, docId))
    expect(sources.map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'a.txt SYNC',
      'b.json FAILED',
      'c.txt SYNC',
    ])
    expect(sources.find(({ name }) => name === 'b.json')?.error).toBeTruthy()
    expect(chunkTexts(await chunksOf(storeId))).toEqual(['one', 'two'])
    const [loader] = await heddle.database.select().from(documentLoaders).where(eq(documentLoaders.id, docId))
    expect(loader).toMatchObject({ status: 'STALE', statusReason: '1 of its files or pages could not be read' })
    const [job] = await ok(ann, 'GET', `/document-store/store/${storeId}/jobs`)
    expect(job).toMatchObject({ state: 'done', filesTotal: 3, filesDone: 3, filesFailed: 1 })
    expect(await act(ann, job.id, 'retry')).toMatchObject({ state: 'queued', kind: 'process' })
  })
})

describe('reading again', () => {
  it('completes a document of which a lost worker wrote a part', async () => {
    const storeId = await newStore(ann)
    const docId = await saveText(ann, storeId, textOf('one', 'two', 'three'))
    await process(docId)
    const { database } = heddle
    await database.delete(documentChunks).where(sql`store_id = ${storeId} and chunk_no = 3`)
    await database.update(documentSources).set({ hash: null, status: 'NEW' }).where(eq(documentSources.docId, docId))
    await process(docId)
    expect(chunkTexts(await chunksOf(storeId))).toEqual(['one', 'two', 'three'])
  })
})

describe('embedding a store', () => {
  it('embeds each text once, and only what changed when one paragraph does', async () => {
    const storeId = await newStore(ann)
    const docId = await saveText(ann, storeId, textOf('one', 'two', 'three', 'two'))
    await process(docId)
    expect(await insert(storeId)).toMatchObject({ numAdded: 3 })
    expect(embedded().sort()).toEqual(['one', 'three', 'two'].map(paragraph))
    expect(await storeOf(storeId)).toMatchObject({ status: 'UPSERTED' })
    embeddings.requests.length = 0
    await saveText(ann, storeId, textOf('one', 'changed', 'three', 'two'), docId)
    expect(await ok(ann, 'POST', `/document-store/refresh/${storeId}`, {})).toMatchObject([
      { numUpdated: 1, numSkipped: 3 },
    ])
    expect(embedded()).toEqual([paragraph('changed')])
    expect(chunkTexts(await chunksOf(storeId))).toEqual(['one', 'changed', 'three', 'two'])
  })

  it('pauses with the words of a provider that refuses, and goes on where it stopped', async () => {
    const storeId = await newStore(ann)
    const docId = await saveText(ann, storeId, textOf('p1', 'p2', 'p3', 'p4', 'p5', 'p6'))
    await process(docId)
    embeddings.refuse({ status: 401, message: 'Incorrect API key provided' })
    const jobId = await start(ann, '/vectorstore/insert', { storeId, ...embeddingsOf() })
    await expect.poll(() => stateOf(jobId)).toBe('paused')
    expect((await readJob(ann, jobId)).stateReason).toContain('Incorrect API key provided')
    expect(await storeOf(storeId)).toMatchObject({ status: 'SYNC' })
    await act(ann, jobId, 'resume')
    await expect.poll(() => stateOf(jobId)).toBe('done')
    expect(embedded().sort()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5', 'p6'].map(paragraph))
    expect(await storeOf(storeId)).toMatchObject({ status: 'UPSERTED', statusReason: null })
  })

  it('is cancelled within one unit, which writes nothing', async () => {
    const storeId = await newStore(ann)
    await process(await saveText(ann, storeId, textOf('q1', 'q2', 'q3', 'q4', 'q5', 'q6')))
    const came = embeddings.hold()
    const jobId = await start(ann, '/vectorstore/insert', { storeId, ...embeddingsOf() })
    await came
    expect(await act(ann, jobId, 'cancel')).toMatchObject({ state: 'cancelled' })
    expect(await storeOf(storeId)).toMatchObject({ status: 'SYNC' })
    embeddings.release()
    const next = await start(ann, '/vectorstore/insert', { storeId, ...embeddingsOf() })
    await expect.poll(() => stateOf(next)).toBe('done')
    expect(await readJob(ann, jobId)).toMatchObject({ state: 'cancelled', numAdded: 0 })
  })

  it('builds another index for another embedder, and swaps them', async () => {
    const storeId = await newStore(ann)
    await process(await saveText(ann, storeId, textOf('r1', 'r2', 'r3')))
    await insert(storeId)
    embeddings.requests.length = 0
    const changed = { ...embeddingsOf(), embeddingConfig: { ...embeddingsOf().embeddingConfig, modelName: 'other' } }
    await ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId, ...changed })
    expect(embedded().sort()).toEqual(['r1', 'r2', 'r3'].map(paragraph))
    const searchIndexes = await heddle.database.all<{ state: string; embedder: string }>(
      sql`select state, embedder from document_shelves where store_id = ${storeId} and state <> 'dropped'`,
    )
    expect(searchIndexes).toMatchObject([{ state: 'current' }])
    expect(searchIndexes[0]?.embedder).toContain('other')
  })
})

describe('refreshing a store', () => {
  it('keeps an edit, and asks where the source changed under it', async () => {
    const storeId = await newStore(ann)
    const docId = await saveText(ann, storeId, textOf('a b c one', 'd e f two'))
    await process(docId)
    const [first] = await chunksOf(storeId)
    await heddle.database
      .update(documentChunks)
      .set({ pageContent: 'a b c mine', hash: 'edited', editedDate: '2026-01-01T00:00:00.000Z' })
      .where(eq(documentChunks.id, first?.id ?? ''))
    await saveText(ann, storeId, textOf('a b c one', 'd e f new'), docId)
    await process(docId)
    expect(chunkTexts(await chunksOf(storeId))).toEqual(['a b c mine', 'd e f new'])
    await saveText(ann, storeId, textOf('a b c other', 'd e f new'), docId)
    await process(docId)
    const [edited, second] = await chunksOf(storeId)
    expect(edited).toMatchObject({ pageContent: 'a b c mine', proposedContent: paragraph('a b c other') })
    expect(second).toMatchObject({ proposedContent: null })
  })

  it('asks before it drops half of the chunks, and drops them when a person agrees', async () => {
    const storeId = await newStore(ann)
    const docId = await saveFiles(ann, { storeId, files: { 'a.txt': textOf('one'), 'b.txt': textOf('two') } })
    await process(docId)
    const loaderConfig = JSON.stringify({ file: 'FILE-STORAGE::["a.txt"]' })
    await heddle.database.update(documentLoaders).set({ loaderConfig }).where(eq(documentLoaders.id, docId))
    const jobId = await start(ann, `/refresh/${storeId}`)
    await expect.poll(() => stateOf(jobId)).toBe('asking')
    expect((await readJob(ann, jobId)).stateReason).toContain('delete 1 of 2 chunks')
    expect(chunkTexts(await chunksOf(storeId))).toEqual(['one', 'two'])
    await act(ann, jobId, 'agree')
    await expect.poll(() => stateOf(jobId)).toBe('done')
    expect(chunkTexts(await chunksOf(storeId))).toEqual(['one'])
    expect(await storeOf(storeId)).toMatchObject({ totalChunks: 1, status: 'UPSERTED' })
  })

  it('begins by schedule, once for each due minute', async () => {
    const storeId = await newStore(ann)
    await process(await saveText(ann, storeId, textOf('one')))
    const scheduleConfig = JSON.stringify({ cron: '0 * * * *', timezone: 'UTC', endDate: null })
    await heddle.database
      .update(documentStores)
      .set({ scheduleConfig, nextRefresh: '2026-03-01T09:00:00.000Z' })
      .where(eq(documentStores.id, storeId))
    const minute = new Date('2026-03-01T09:00:00.000Z')
    await Promise.all([heddle.scheduled(minute), heddle.scheduled(minute)])
    const refreshes = () =>
      heddle.database
        .select({ state: documentJobs.state })
        .from(documentJobs)
        .where(sql`store_id = ${storeId} and kind = 'refresh'`)
    await expect.poll(refreshes).toEqual([{ state: 'done' }])
    expect((await storeOf(storeId))?.nextRefresh).toBe('2026-03-01T10:00:00.000Z')
  })
})

describe('the instances of a job', () => {
  const jobRow = async (id: string) =>
    (
      await heddle.database.select().from(documentJobs).where(eq(documentJobs.id, id))
    )[0] as typeof documentJobs.$inferSelect

  /** A job that no instance has begun yet. */
  async function waitingJob() {
    const storeId = await newStore(ann)
    const docId = await saveText(ann, storeId, textOf('one'))
    const { workspaceId } = (await storeOf(storeId)) as { workspaceId: string }
    const id = crypto.randomUUID()
    const createdDate = '2026-01-01T00:00:00.000Z'
    const row = { id, workspaceId, storeId, docId, kind: 'process', state: 'queued', request: {}, createdDate } as const
    await heddle.database.insert(documentJobs).values(row)
    return { jobId: id, workspaceId, storeId, kind: 'documents' as const }
  }
  const at = (time: string) => ({ db: heddle.database, clock: { now: () => new Date(time) } }) as unknown as Services

  it('race for it, and one of them gets it', async () => {
    const job = await waitingJob()
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimJob(at('2026-01-01T00:00:01.000Z'), job)))
    expect(claims.filter((attempt) => attempt !== undefined)).toEqual([1])
    expect(await jobRow(job.jobId)).toMatchObject({ state: 'running', attempt: 1 })
  })

  it('take it over when the lease of the last one is over, and not before', async () => {
    const job = await waitingJob()
    expect(await claimJob(at('2026-01-01T00:00:01.000Z'), job)).toBe(1)
    expect(await claimJob(at('2026-01-01T00:02:00.000Z'), job)).toBeUndefined()
    expect(await claimJob(at('2026-01-01T00:04:00.000Z'), job)).toBe(2)
    expect(await openJobContext(at('2026-01-01T00:04:01.000Z'), { ...job, attempt: 1 })).toBeUndefined()
    expect(await openJobContext(at('2026-01-01T00:04:01.000Z'), { ...job, attempt: 2 })).toBeDefined()
  })

  it.each([
    ['was cancelled', async ({ jobId }: { jobId: string }) => void (await act(ann, jobId, 'cancel'))],
    [
      'went to another instance',
      async (job: Awaited<ReturnType<typeof waitingJob>>) => void (await claimJob(at('2026-01-01T00:09:00.000Z'), job)),
    ],
    [
      'was deleted with its store',
      async ({ storeId }: { storeId: string }) => void (await ok(ann, 'DELETE', `/document-store/store/${storeId}`)),
    ],
  ])('write nothing in a unit that was under way when their job %s', async (_, loseJob) => {
    const job = await waitingJob()
    const begun = at('2026-01-01T00:00:01.000Z')
    await claimJob(begun, job)
    const task = await openJobContext(begun, { ...job, attempt: 1 })
    if (!task) throw new Error('The job was not begun')
    const write = (name: string) => {
      const dates = { createdDate: '', updatedDate: '' }
      const source = {
        id: crypto.randomUUID(),
        storeId: job.storeId,
        key: name,
        name,
        status: 'NEW',
        ...dates,
      } as const
      return writeUnit(task, { add: { filesDone: 1 }, statements: [task.rows.insert(documentSources, source)] })
    }
    await write('before.txt')
    await loseJob(job)
    await expect(write('after.txt')).rejects.toThrow(LostJob)
    const sources = heddle.database.select().from(documentSources).where(eq(documentSources.storeId, job.storeId))
    expect((await sources).map(({ name }) => name)).not.toContain('after.txt')
    expect((await jobRow(job.jobId))?.filesDone ?? 1).toBe(1)
  })

  it('get no job under the name of another workspace', async () => {
    const job = await waitingJob()
    expect(await claimJob(at('2026-01-01T00:00:01.000Z'), { ...job, workspaceId: crypto.randomUUID() })).toBeUndefined()
    expect(await jobRow(job.jobId)).toMatchObject({ state: 'queued', attempt: 0 })
  })

  it('hand it over after their steps, and the next one goes on where it was', async () => {
    const storeId = await newStore(ann)
    // Of one text a request, four requests a unit and ten units a step: more than the twelve steps of an instance.
    const many = 500
    const docId = await saveText(ann, storeId, textOf(...Array.from({ length: many }, (_, n) => `text ${n}`)))
    await process(docId)
    const jobId = await start(ann, '/vectorstore/insert', {
      storeId,
      embeddingName: 'openAIEmbeddingsCustom',
      embeddingConfig: { modelName: 'test', basepath: embeddings.baseUrl, batchSize: 1 },
    })
    await expect.poll(() => stateOf(jobId), { timeout: 100_000 }).toBe('done')
    expect((await jobRow(jobId)).attempt).toBe(2)
    expect(new Set(embedded()).size).toBe(many)
    expect(embedded()).toHaveLength(many)
  }, 120_000)
})

describe('the originals of a store', () => {
  const storedKeys = async (workspaceId: string) => {
    const { objects } = await (await heddle.openBucket()).list({ prefix: `${workspaceId}/` })
    return objects.map(({ key }) => key)
  }

  it.each([
    ['loader', (storeId: string, docId: string) => `/document-store/loader/${storeId}/${docId}`],
    ['store', (storeId: string) => `/document-store/store/${storeId}`],
  ])('are kept while their source is, and go with their %s', async (_, pathOf) => {
    const storeId = await newStore(ann)
    const docId = await saveFiles(ann, { storeId, files: { 'a.txt': textOf('one'), 'b.txt': textOf('two') } })
    await process(docId)
    const { workspaceId } = (await storeOf(storeId)) as { workspaceId: string }
    const sources = await heddle.database.select().from(documentSources).where(eq(documentSources.docId, docId))
    expect(sources.map(({ isStored }) => isStored)).toEqual([true, true])
    const keys = sources.map(({ id }) => fileKey({ workspaceId, id }))
    await heddle.scheduled(new Date(Date.now() + 24 * 3_600_000))
    for (const key of keys) expect(await storedKeys(workspaceId)).toContain(key)
    await ok(ann, 'DELETE', pathOf(storeId, docId))
    await heddle.scheduled(new Date(Date.now() + 24 * 3_600_000))
    for (const key of keys) expect(await storedKeys(workspaceId)).not.toContain(key)
  })
})
