/** Jobs that die where a store would be left without an index: each store is whole again, or says why not and offers a way on. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UNINDEXED } from '#contract/document-stores/states.ts'
import { documentJobs, documentSearchIndexes, documentSources, documentStores } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Services } from '#worker/services.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../../e2e/support/embeddings-server.ts'
import { openJobContext, writeUnit } from './job-context.ts'
import { claimJob } from './rows/claim-job.ts'
import { act, newStore, ok, paragraph, readJob, saveFiles, saveText, start, textOf } from './testing/stores.ts'

let heddle: TestHeddle
let ann: TestClient
let embeddings: EmbeddingsServer
let storeId: string
let docId: string

const TEXTS = ['apple', 'bread', 'cheese', 'dates', 'eggs', 'figs']

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  heddle = await startTestHeddle({ allowPrivateHosts: embeddings.host })
  ann = await heddle.signUp()
})
beforeEach(async () => {
  storeId = await newStore(ann)
  docId = await saveText(ann, storeId, textOf(...TEXTS))
  await process()
})
afterEach(() => {
  embeddings.release()
  embeddings.requests.length = 0
})
afterAll(async () => {
  await heddle.close()
  await embeddings.close()
})

const process = () => ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
const embedWith = (modelName: string) => ({
  ...{ storeId, embeddingName: 'openAIEmbeddingsCustom' },
  embeddingConfig: { modelName, basepath: embeddings.baseUrl, batchSize: 2 },
})
const embed = (modelName: string) => ok(ann, 'POST', '/document-store/vectorstore/insert', embedWith(modelName))
const stateOf = async (id: string) => (await readJob(ann, id)).state
const storeRow = async () =>
  (await heddle.database.select().from(documentStores).where(eq(documentStores.id, storeId)))[0]
const searchIndexes = () =>
  heddle.database.select().from(documentSearchIndexes).where(eq(documentSearchIndexes.storeId, storeId))

/** The texts that a search finds by these words. */
async function found(mode: 'keyword' | 'vector'): Promise<string[]> {
  const asked = { storeId, query: TEXTS.join(' '), inputs: { mode, topK: 50 } }
  const { docs } = await ok(ann, 'POST', '/document-store/vectorstore/query', asked)
  return docs.map(({ pageContent }: { pageContent: string }) => pageContent).sort()
}

const ALL = TEXTS.map(paragraph)

async function expectWhole(): Promise<void> {
  expect(await found('keyword')).toEqual(ALL)
  expect(await found('vector')).toEqual(ALL)
  expect(await storeRow()).toMatchObject({ status: 'UPSERTED', statusReason: null })
  expect((await searchIndexes()).filter(({ state }) => state === 'building')).toEqual([])
}

/** As the minute job finds it when the worker is gone. */
async function recover(jobId: string): Promise<void> {
  await heddle.database
    .update(documentJobs)
    .set({ leaseUntil: '2020-01-01T00:00:00.000Z' })
    .where(eq(documentJobs.id, jobId))
  await heddle.scheduled()
  await expect.poll(() => stateOf(jobId), { timeout: 30_000 }).toBe('done')
}

/** Stops a change of the embedder while its texts are embedded. */
async function stopEmbedding(): Promise<void> {
  await embed('first')
  const came = embeddings.hold(1)
  const jobId = await start(ann, '/vectorstore/insert', embedWith('second'))
  await came
  await act(ann, jobId, 'cancel')
  embeddings.release()
}

/** As where it died when the index was made, and nothing was in it. */
async function leaveHalfBuilt(): Promise<void> {
  await stopEmbedding()
  const building = (await searchIndexes()).find(({ state }) => state === 'building')
  await heddle.database.run(sql`delete from ${sql.identifier(`shelf_${building?.id}_entries`)}`)
  await heddle.database.run(sql`delete from ${sql.identifier(`shelf_${building?.id}_words`)}`)
}

describe('an index that was half built for another embedder', () => {
  beforeEach(leaveHalfBuilt)

  it('is completed by the next job that needs it', async () => {
    await embed('second')
    await expectWhole()
  })

  it('is given up when the first embedder is chosen again', async () => {
    await embed('first')
    await expectWhole()
    expect((await searchIndexes()).find(({ state }) => state === 'current')?.embedder).toContain('first')
  })

  it('is given up when nothing embeds any more', async () => {
    await heddle.database.update(documentStores).set({ embeddingConfig: null }).where(eq(documentStores.id, storeId))
    await ok(ann, 'POST', '/document-store/vectorstore/insert', { storeId })
    expect(await found('keyword')).toEqual(ALL)
    expect((await searchIndexes()).filter(({ state }) => state === 'building')).toEqual([])
  })

  it('has what was added and edited meanwhile', async () => {
    await saveText(ann, storeId, textOf(...TEXTS.slice(0, 5), 'grape'), docId)
    await process()
    await embed('second')
    const now = [...TEXTS.slice(0, 5), 'grape'].map(paragraph)
    expect(await found('vector')).toEqual(now)
  })
})

it.each([
  ['already', (isEmbedded: boolean) => !isEmbedded],
  ['not yet', (isEmbedded: boolean) => isEmbedded],
])('takes over nothing that was %s embedded and left while another index was built', async (_, stays) => {
  await stopEmbedding()
  const embedded = embeddings.requests.at(-1) ?? []
  const left = TEXTS.filter((text) => stays(embedded.includes(paragraph(text))))
  await saveText(ann, storeId, textOf(...left), docId)
  await process()
  await embed('second')
  const [current] = (await searchIndexes()).filter(({ state }) => state === 'current')
  const entries = sql.identifier(`shelf_${current?.id}_entries`)
  expect(await heddle.database.all(sql`select count(*) as n from ${entries}`)).toEqual([{ n: left.length }])
  expect(await found('vector')).toEqual(left.map(paragraph))
})

/** The database refuses what matches, until the returned function is called. */
async function refuse(what: 'the end of a job' | 'a new index'): Promise<() => Promise<unknown>> {
  const event =
    what === 'a new index'
      ? sql`insert on document_shelves`
      : sql`update of state on document_jobs when new.state = 'done'`
  await heddle.database.run(sql`create trigger refusal before ${event} begin select raise(abort, 'refused'); end`)
  return () => heddle.database.run(sql`drop trigger refusal`)
}

async function addJob(values: Partial<typeof documentJobs.$inferInsert>): Promise<string> {
  const id = crypto.randomUUID()
  const createdDate = '2020-01-01T00:00:00.000Z'
  const [store] = await heddle.database.select().from(documentStores).where(eq(documentStores.id, storeId))
  const workspaceId = store?.workspaceId as string
  const added = { kind: 'index' as const, state: 'queued' as const, request: {}, createdDate, workspaceId, storeId }
  await heddle.database.insert(documentJobs).values({ ...added, ...values, id })
  return id
}

const isAtItsEnd = async (jobId: string, requests: number) => {
  await expect.poll(() => embeddings.requests.length).toBe(requests)
  await expect.poll(async () => (await readJob(ann, jobId)).tokens, { timeout: 5000 }).toBe(3 * TEXTS.length)
}

describe('a job that dies', () => {
  it.each(['first', 'second'])(
    'between its last unit and its end is ended by the next instance (%s)',
    async (model) => {
      await embed('first')
      embeddings.requests.length = 0
      await saveText(ann, storeId, textOf(...TEXTS.map((text) => `${text} pie`)), docId)
      await process()
      const allow = await refuse('the end of a job')
      const jobId = await start(ann, '/vectorstore/insert', embedWith(model))
      await isAtItsEnd(jobId, 3)
      expect(await storeRow()).toMatchObject({ status: 'UPSERTING' })
      await allow()
      await recover(jobId)
      expect(embeddings.requests.flat().length).toBe(TEXTS.length)
      expect(await found('vector')).toEqual(TEXTS.map((text) => paragraph(`${text} pie`)))
      expect(await storeRow()).toMatchObject({ status: 'UPSERTED', statusReason: null })
    },
  )

  it('because the database refuses its index goes on when it does not', async () => {
    await embed('first')
    const allow = await refuse('a new index')
    const jobId = await start(ann, '/vectorstore/insert', embedWith('second'))
    await expect.poll(() => embeddings.requests.length).toBeGreaterThan(3)
    expect(await found('vector')).toEqual(ALL)
    await allow()
    await recover(jobId)
    await expectWhole()
  })

  it('gives a job that dies before it begins to another instance', async () => {
    await embed('first')
    const jobId = await addJob({ kind: 'upsert' })
    await recover(jobId)
    await expectWhole()
  })

  it('counts its lost instances until a unit is done', async () => {
    const { workspaceId } = (await storeRow()) as { workspaceId: string }
    const jobId = await addJob({ kind: 'upsert' })
    const at = (minute: number) =>
      ({ db: heddle.database, clock: { now: () => new Date(Date.UTC(2020, 0, 1, 0, minute)) } }) as unknown as Services
    const job = { kind: 'documents' as const, jobId, workspaceId }
    const losses = async () => {
      const [row] = await heddle.database.select().from(documentJobs).where(eq(documentJobs.id, jobId))
      return JSON.parse(row?.cursor ?? '{}').losses ?? 0
    }
    const counted: number[] = []
    for (const minute of [0, 4, 8]) {
      await claimJob(at(minute), job)
      counted.push(await losses())
    }
    const task = await openJobContext(at(8), { ...job, attempt: 3 })
    if (!task) throw new Error('The job is not held')
    await writeUnit(task, { prepares: true })
    counted.push(await losses())
    await writeUnit(task, {})
    expect([...counted, await losses()]).toEqual([0, 1, 2, 2, 0])
    await act(ann, jobId, 'cancel')
  })

  it('skips a file at which a job dies again and again, and reads the others', async () => {
    const files = { 'a.txt': textOf('one'), 'b.txt': textOf('two'), 'c.txt': textOf('three') }
    const loader = await saveFiles(ann, { storeId, files })
    const jobId = await addJob({ docId: loader, kind: 'process', request: { all: true } })
    const ofLoader = eq(documentSources.docId, loader)
    await heddle.database.update(documentSources).set({ seenBy: jobId }).where(ofLoader)
    const [first] = await heddle.database.select().from(documentSources).where(ofLoader).orderBy(documentSources.id)
    const [searchIndex] = await searchIndexes()
    const cursor = {
      phase: 'read',
      docId: loader,
      before: 'UPSERTED',
      filled: searchIndex?.id,
      losses: 2,
      trying: first?.id,
    }
    const lost = { state: 'running', cursor: JSON.stringify(cursor), leaseUntil: '2020-01-01T00:00:00.000Z' } as const
    await heddle.database.update(documentJobs).set(lost).where(eq(documentJobs.id, jobId))
    await heddle.scheduled()
    await expect.poll(() => stateOf(jobId), { timeout: 30_000 }).toBe('done')
    const sources = await heddle.database.select().from(documentSources).where(ofLoader).orderBy(documentSources.id)
    expect(sources.map(({ status }) => status)).toEqual(['FAILED', 'SYNC', 'SYNC'])
    expect(sources[0]?.error).toBe('Reading it stopped the worker again and again. Divide the file, or leave it out.')
  })

  it('again and again says so, and is tried again by a person', async () => {
    await embed('first')
    const cursor = JSON.stringify({ phase: 'embed', docId: null, before: 'UPSERTED', losses: 6 })
    const jobId = await addJob({ kind: 'upsert', state: 'running', leaseUntil: '2020-01-01T00:00:00.000Z', cursor })
    await heddle.scheduled()
    await expect.poll(() => stateOf(jobId)).toBe('failed')
    const reason = 'The worker stopped again and again at the same place. Try again later.'
    expect([(await readJob(ann, jobId)).stateReason, (await storeRow())?.statusReason]).toEqual([reason, reason])
    const { id } = await act(ann, jobId, 'retry')
    await expect.poll(() => stateOf(id)).toBe('done')
    await expectWhole()
  })
})

describe('a store without its index', () => {
  const loseIndex = async () => {
    await heddle.database
      .update(documentSearchIndexes)
      .set({ state: 'dropped' })
      .where(eq(documentSearchIndexes.storeId, storeId))
    await heddle.database
      .update(documentStores)
      .set({ status: 'STALE', statusReason: UNINDEXED })
      .where(eq(documentStores.id, storeId))
    expect(await found('keyword')).toEqual([])
  }

  it.each(['process', 'refresh'] as const)('is found again once a %s job has begun', async (kind) => {
    await loseIndex()
    if (kind === 'process') await process()
    else await ok(ann, 'POST', `/document-store/refresh/${storeId}`, {})
    expect(await found('keyword')).toEqual(ALL)
    expect(await storeRow()).toMatchObject({ status: 'UPSERTED', statusReason: null })
  })

  it.each(['failed', 'cancelled'] as const)('says so and is indexed again when its job is %s', async (state) => {
    await loseIndex()
    const cursor = JSON.stringify({ phase: 'embed', docId: null, before: 'STALE', losses: 6 })
    const jobId = await addJob({
      ...{ state: 'running', startedDate: '2020-01-01T00:00:00.000Z', leaseUntil: '2020-01-01T00:00:00.000Z', cursor },
    })
    if (state === 'cancelled') await act(ann, jobId, 'cancel')
    else await heddle.scheduled()
    await expect.poll(() => stateOf(jobId)).toBe(state)
    const reason = state === 'failed' ? expect.stringContaining('Try again later') : UNINDEXED
    expect(await storeRow()).toMatchObject({ status: 'STALE', statusReason: reason })
    const { id } = await act(ann, jobId, 'retry')
    await expect.poll(() => stateOf(id)).toBe('done')
    expect(await found('keyword')).toEqual(ALL)
    expect(await storeRow()).toMatchObject({ status: 'UPSERTED', statusReason: null })
  })

  it('stays so when another job is cancelled before it has written it', async () => {
    await loseIndex()
    const cursor = JSON.stringify({ phase: 'list', docId: null, before: 'STALE' })
    const lease = { startedDate: '2020-01-01T00:00:00.000Z', leaseUntil: '2999-01-01T00:00:00.000Z' }
    const jobId = await addJob({ kind: 'refresh', state: 'running', ...lease, cursor })
    await act(ann, jobId, 'cancel')
    expect(await storeRow()).toMatchObject({ status: 'STALE', statusReason: UNINDEXED })
  })
})
