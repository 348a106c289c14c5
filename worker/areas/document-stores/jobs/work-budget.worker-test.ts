/** How long a job holds others up: the words of a large document are indexed in small batches, and its chunks appear at once. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { createSearchIndex } from '#db/search-index/search-index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Services } from '#worker/services.ts'
import type { Steps } from '../../../jobs/instances.ts'
import { LostJob, openJobContext } from './job-context.ts'
import { claimJob } from './rows/claim-job.ts'
import { runDocumentJob } from './run-job.ts'
import { newStore, ok, readJob, saveFiles, saveText, textOf } from './testing/stores.ts'
import { addReadingJob, lettersOf, type OnBatch, watchedDatabase } from './testing/watched-jobs.ts'
import type { ReadSource } from './units/read/read-progress.ts'
import { writeSources } from './units/read/write-sources.ts'
import { CHARS_BUDGET } from './work-budget.ts'

let heddle: TestHeddle
let ann: TestClient
let storeId: string
let docId: string

beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
})
beforeEach(async () => {
  storeId = await newStore(ann)
  docId = await saveText(ann, storeId, textOf('one'))
})
afterAll(() => heddle.close())

const CHUNK = 1000
const textsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => `kumquat ${at} `.padEnd(CHUNK, 'lorem ipsum '))
const TEXTS = textsOf(100)

const chunks = () => heddle.database.select().from(documentChunks).where(eq(documentChunks.storeId, storeId))

async function find(): Promise<number> {
  const { docs } = await ok(ann, 'POST', '/document-store/vectorstore/query', {
    ...{ storeId, query: 'kumquat', inputs: { mode: 'keyword', topK: 10 } },
  })
  return docs.length
}

interface Watch {
  onBatch: OnBatch
  onPause?: () => void
}

/** Writes a document of these texts in a job of its own. */
async function writeDocument(texts: string[], { onBatch, onPause }: Watch): Promise<void> {
  const pieces = texts.map((text, at) => ({ text, headings: '', metadata: '{}', hash: `hash of ${at}`, tokens: 1 }))
  const { database } = heddle
  const [store] = await database.select().from(documentStores).where(eq(documentStores.id, storeId))
  const workspaceId = store?.workspaceId as string
  const searchIndex = await createSearchIndex(database, { workspaceId }, { storeId, embedder: null, dimensions: null })
  const db = watchedDatabase(database, onBatch)
  const clock = { now: () => new Date(), sleep: async () => onPause?.() }
  const jobId = crypto.randomUUID()
  const dates = { createdDate: '2026-01-01', updatedDate: '2026-01-01' }
  await database.insert(documentJobs).values({
    ...{ id: jobId, workspaceId, storeId, docId, kind: 'process', state: 'queued', request: {}, ...dates },
  })
  const source = { id: crypto.randomUUID(), workspaceId, storeId, docId, key: 'long', name: 'long', ...dates }
  await database.insert(documentSources).values({ ...source, status: 'NEW', seenBy: jobId })
  const job = { kind: 'documents' as const, jobId, workspaceId }
  await claimJob({ db: database, clock }, job)
  const task = await openJobContext({ db, clock } as unknown as Services, { ...job, attempt: 1 })
  const [row] = await database.select().from(documentLoaders).where(eq(documentLoaders.id, docId))
  const [stored] = await database.select().from(documentSources).where(eq(documentSources.id, source.id))
  const opened = { row }
  const read = { source: stored, content: { hash: 'h', documents: [], pages: 1 }, pieces, state: 'read', error: null }
  try {
    await writeSources({ task, opened, searchIndex } as never, [read as ReadSource])
  } finally {
    await database
      .update(documentJobs)
      .set({ state: 'cancelled', endedDate: '2026-01-01' })
      .where(eq(documentJobs.id, jobId))
  }
}

const addJob = () => addReadingJob(heddle.database, { storeId, docId })

const wordsIn = (texts: string[]) => lettersOf(texts, '_words" (rowid')

it('a large document is indexed in small batches, and found once its chunks are written in one', async () => {
  const batches: { words: number; chunks: number }[] = []
  const foundBefore: number[] = []
  await writeDocument(TEXTS, {
    async onBatch(texts) {
      batches.push({ words: wordsIn(texts), chunks: lettersOf(texts, 'insert into "document_chunks"') })
      foundBefore.push(await find())
    },
  })
  expect(batches.length).toBeGreaterThanOrEqual((TEXTS.length * CHUNK) / CHARS_BUDGET)
  for (const { words } of batches) expect(words).toBeLessThan(1.5 * CHARS_BUDGET)
  expect(batches.map(({ chunks: written }) => written > 0)).toEqual(batches.map((_, at) => at === batches.length - 1))
  expect(foundBefore).toEqual(batches.map(() => 0))
  expect(await chunks()).toHaveLength(TEXTS.length)
  expect(await find()).toBe(10)
})

it('a large document whose job is lost in between leaves no chunk, and its words go when it is read again', async () => {
  let batches = 0
  const writing = writeDocument(TEXTS, {
    async onBatch() {
      batches += 1
      if (batches === 3)
        await heddle.database.update(documentJobs).set({ attempt: 2 }).where(eq(documentJobs.storeId, storeId))
    },
  })
  await expect(writing).rejects.toThrow(LostJob)
  expect([await chunks(), await find()]).toEqual([[], 0])
  await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
  const [searchIndex] = await heddle.database.all<{ id: string }>(
    sql`select id from document_shelves where store_id = ${storeId}`,
  )
  const entries = await heddle.database.all(sql`select id from ${sql.identifier(`shelf_${searchIndex?.id}_entries`)}`)
  expect(entries).toHaveLength((await chunks()).length)
})

it('others have their turn after each batch of words, and a very large document takes larger ones instead of more', async () => {
  const log: string[] = []
  await writeDocument(textsOf(500), {
    onBatch: async (texts) => log.push(wordsIn(texts) > 0 ? 'words' : 'rest'),
    onPause: () => log.push('pause'),
  })
  const batches = log.filter((each) => each === 'words').length
  expect(batches).toBeGreaterThan(10)
  expect(batches).toBeLessThanOrEqual(20)
  // The first opens the job, the last writes the chunks.
  expect(log).toEqual(['rest', ...Array.from({ length: batches }, () => ['words', 'pause']).flat(), 'rest'])
})

it('a step takes no further unit after forty batches', async () => {
  const names = Array.from({ length: 5 }, (_, at) => `${at}.txt`)
  const text = textsOf(200).join('\n\n')
  await saveFiles(ann, { storeId, files: Object.fromEntries(names.map((name) => [name, name])), id: docId })
  const params = await addJob()
  const steps: { batches: number }[] = []
  const services = {
    db: watchedDatabase(heddle.database, async (texts) => {
      if (texts[0]?.startsWith('update "document_jobs"')) (steps.at(-1) as { batches: number }).batches += 1
    }),
    clock: { now: () => new Date(), sleep: async () => undefined },
    fileStorage: { read: async () => new TextEncoder().encode(text) },
    openOutside: () => ({}),
    cipher: {},
  } as unknown as Services
  const step = {
    do: async (_name: string, _options: unknown, work: () => Promise<unknown>) => {
      steps.push({ batches: 0 })
      return work()
    },
  }
  await runDocumentJob(services, params, step as unknown as Steps)
  expect(await readJob(ann, params.jobId)).toMatchObject({ state: 'done', filesDone: names.length })
  const working = steps.slice(1)
  expect(working.length).toBeGreaterThan(1)
  // The unit that reaches forty is done to its end.
  const ofOneUnit = Math.ceil(text.length / CHARS_BUDGET) + 3
  for (const { batches } of working) expect(batches).toBeLessThan(40 + ofOneUnit)
})

it('what is gone at its origin leaves a few hundred chunks at a time, and others have their turn in between', async () => {
  await writeDocument(textsOf(500), { onBatch: async () => undefined })
  expect(await chunks()).toHaveLength(500)
  const log: ('deletes' | 'pause')[] = []
  const params = await addJob()
  const services = {
    db: watchedDatabase(heddle.database, async (texts) => {
      if (lettersOf(texts, 'delete from "document_chunks"') > 0) log.push('deletes')
    }),
    clock: { now: () => new Date(), sleep: async () => log.push('pause') },
    openOutside: () => ({}),
    cipher: {},
  } as unknown as Services
  const step = { do: (_name: string, _options: unknown, work: () => Promise<unknown>) => work() }
  await runDocumentJob(services, params, step as unknown as Steps)
  expect(await readJob(ann, params.jobId)).toMatchObject({ state: 'done', numDeleted: 500 })
  expect(log.filter((each) => each === 'deletes').length).toBeGreaterThanOrEqual(3)
  expect(log.join(' ')).not.toContain('deletes deletes')
})
