/** How long a job holds others up: the words of a large document are indexed in small batches, and its chunks appear at once. */
import { eq, type SQL, sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { createShelf } from '#db/shelf.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import type { Services } from '#worker/services.ts'
import { claimJob } from './claim-job.ts'
import { LostJob, openTask, type Statement } from './open-task.ts'
import type { ReadSource } from './reading.ts'
import { newStore, ok, saveText, textOf } from './testing/stores.ts'
import { CHARS_PER_TURN } from './turns.ts'
import { writeSources } from './write-sources.ts'

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
const TEXTS = Array.from({ length: 100 }, (_, at) => `kumquat ${at} `.padEnd(CHUNK, 'lorem ipsum '))

const pieces = TEXTS.map((text, at) => ({ text, headings: '', metadata: '{}', hash: `hash of ${at}`, tokens: 1 }))

const chunks = () => heddle.database.select().from(documentChunks).where(eq(documentChunks.storeId, storeId))

async function find(): Promise<number> {
  const { docs } = await ok(ann, 'POST', '/document-store/vectorstore/query', {
    ...{ storeId, query: 'kumquat', inputs: { mode: 'keyword', topK: 10 } },
  })
  return docs.length
}

/** Writes the document in a job of its own. `onBatch` comes before each batch, with the SQL of its statements. */
async function writeDocument(onBatch: (texts: string[]) => Promise<unknown>): Promise<void> {
  const { database } = heddle
  const [store] = await database.select().from(documentStores).where(eq(documentStores.id, storeId))
  const workspaceId = store?.workspaceId as string
  const shelf = await createShelf(database, { workspaceId }, { storeId, embedder: null, dimensions: null })
  const db = new Proxy(database, {
    get: (target, name) =>
      name === 'batch'
        ? async (statements: Statement[]) => {
            await onBatch(statements.map(textOfStatement))
            return target.batch(statements as never)
          }
        : Reflect.get(target, name),
  })
  const clock = { now: () => new Date(), sleep: async () => undefined }
  const jobId = crypto.randomUUID()
  const dates = { createdDate: '2026-01-01', updatedDate: '2026-01-01' }
  await database.insert(documentJobs).values({
    ...{ id: jobId, workspaceId, storeId, docId, kind: 'process', state: 'queued', request: {}, ...dates },
  })
  const source = { id: crypto.randomUUID(), workspaceId, storeId, docId, key: 'long', name: 'long', ...dates }
  await database.insert(documentSources).values({ ...source, status: 'NEW', seenBy: jobId })
  const job = { kind: 'documents' as const, jobId, workspaceId }
  await claimJob({ db: database, clock }, job)
  const task = await openTask({ db, clock } as unknown as Services, { ...job, attempt: 1 })
  const [row] = await database.select().from(documentLoaders).where(eq(documentLoaders.id, docId))
  const [stored] = await database.select().from(documentSources).where(eq(documentSources.id, source.id))
  const opened = { row }
  const read = { source: stored, content: { hash: 'h', documents: [], pages: 1 }, pieces, state: 'read', error: null }
  try {
    await writeSources({ task, opened, shelf } as never, [read as ReadSource])
  } finally {
    await database
      .update(documentJobs)
      .set({ state: 'cancelled', endedDate: '2026-01-01' })
      .where(eq(documentJobs.id, jobId))
  }
}

function textOfStatement(statement: Statement): string {
  const { sql: text, params } = new SQLiteAsyncDialect().sqlToQuery(
    (statement as unknown as { getSQL(): SQL }).getSQL(),
  )
  return `${text} ${params.join(' ')}`
}

const lettersOf = (texts: string[], part: string) =>
  texts.filter((text) => text.includes(part)).reduce((sum, text) => sum + text.length, 0)

it('a large document is indexed in small batches, and found once its chunks are written in one', async () => {
  const batches: { words: number; chunks: number }[] = []
  const foundBefore: number[] = []
  await writeDocument(async (texts) => {
    batches.push({
      words: lettersOf(texts, '_words" (rowid'),
      chunks: lettersOf(texts, 'insert into "document_chunks"'),
    })
    foundBefore.push(await find())
  })
  expect(batches.length).toBeGreaterThanOrEqual((TEXTS.length * CHUNK) / CHARS_PER_TURN)
  for (const { words } of batches) expect(words).toBeLessThan(1.5 * CHARS_PER_TURN)
  expect(batches.map(({ chunks: written }) => written > 0)).toEqual(batches.map((_, at) => at === batches.length - 1))
  expect(foundBefore).toEqual(batches.map(() => 0))
  expect(await chunks()).toHaveLength(TEXTS.length)
  expect(await find()).toBe(10)
})

it('a large document whose job is lost in between leaves no chunk, and its words go when it is read again', async () => {
  let batches = 0
  const writing = writeDocument(async () => {
    batches += 1
    if (batches === 3)
      await heddle.database.update(documentJobs).set({ attempt: 2 }).where(eq(documentJobs.storeId, storeId))
  })
  await expect(writing).rejects.toThrow(LostJob)
  expect([await chunks(), await find()]).toEqual([[], 0])
  await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
  const [shelf] = await heddle.database.all<{ id: string }>(
    sql`select id from document_shelves where store_id = ${storeId}`,
  )
  const entries = await heddle.database.all(sql`select id from ${sql.identifier(`shelf_${shelf?.id}_entries`)}`)
  expect(entries).toHaveLength((await chunks()).length)
})
