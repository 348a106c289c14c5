/** Whatever its size, work is cut into units of a few hundred rows: others have their turn between them, and each may be the last. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { newStore, ok, readJob, saveFiles } from './testing/stores.ts'
import { addReadingJob, lettersOf, loseJob, type OnBatch, runWatched } from './testing/watched-jobs.ts'
import { CHARS_BUDGET } from './work-budget.ts'

let heddle: TestHeddle
let ann: TestClient
let storeId: string

beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
})
beforeEach(async () => {
  storeId = await newStore(ann)
})
afterAll(() => heddle.close())

const CHUNK = 1000
const wordsOf = (word: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${word} ${at} `.padEnd(CHUNK - 20, 'lorem ipsum ').trim())

/** Each of the texts becomes a chunk. */
async function saveLong(texts: string[], id?: string): Promise<string> {
  const loader = {
    ...{ storeId, loaderId: 'plainText', loaderConfig: { text: texts.join('\n\n') }, ...(id && { id }) },
    ...{
      splitterId: 'characterTextSplitter',
      splitterConfig: { separator: '\n\n', chunkSize: CHUNK, chunkOverlap: 0 },
    },
  }
  return (await ok(ann, 'POST', '/document-store/loader/save', loader)).id
}

async function saveLongAndRead(texts: string[]): Promise<string> {
  const docId = await saveLong(texts)
  await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
  return docId
}

const { id, chunkNo, pageContent, sourceId } = documentChunks
const chunks = () =>
  heddle.database
    .select({ id, chunkNo, pageContent, sourceId })
    .from(documentChunks)
    .where(eq(documentChunks.storeId, storeId))
    .orderBy(asc(chunkNo))

async function found(query: string): Promise<number> {
  const inputs = { mode: 'keyword', topK: 10 }
  return (await ok(ann, 'POST', '/document-store/vectorstore/query', { storeId, query, inputs })).docs.length
}

/** Runs a job and returns the letters of each batch in statements with these words. */
async function lettersOfBatches(params: Parameters<typeof runWatched>[0], part: string): Promise<number[]> {
  const letters: (number | 'pause')[] = []
  await runWatched(params, {
    database: heddle.database,
    onBatch: (texts) => lettersOf(texts, part) > 0 && letters.push(lettersOf(texts, part)),
    onPause: () => letters.at(-1) !== 'pause' && letters.push('pause'),
  })
  expect((await readJob(ann, params.jobId)).state).toBe('done')
  const writing = letters.slice(letters.findIndex((each) => each !== 'pause'))
  // A pause follows each.
  expect(writing.filter((_, at) => at % 2 === 1).every((each) => each === 'pause')).toBe(true)
  return letters.filter((each) => each !== 'pause')
}

describe('a large document that is replaced', () => {
  const OLD = wordsOf('kumquat', 100)
  const NEW = wordsOf('persimmon', 100)

  it('is written in small batches, and its chunks stay the same rows', async () => {
    const docId = await saveLongAndRead(OLD)
    const before = await chunks()
    expect(before).toHaveLength(OLD.length)
    await saveLong(NEW, docId)
    const params = await addReadingJob(heddle.database, { storeId, docId })
    const written = await lettersOfBatches(params, '_words" (rowid')
    expect(written.length).toBeGreaterThanOrEqual((NEW.length * CHUNK) / CHARS_BUDGET - 1)
    for (const letters of written) expect(letters).toBeLessThan(1.5 * CHARS_BUDGET)
    const after = await chunks()
    expect(after.map((chunk) => chunk.pageContent)).toEqual(NEW)
    expect(after.map((chunk) => chunk.id)).toEqual(before.map((chunk) => chunk.id))
    expect([await found('kumquat'), await found('persimmon')]).toEqual([0, 10])
    expect(await readJob(ann, params.jobId)).toMatchObject({ numUpdated: 100, numAdded: 0, numDeleted: 0 })
  })

  it('ends with the same chunks whichever batch was the last of a worker', { timeout: 60_000 }, async () => {
    const docId = await saveLongAndRead(OLD)
    const before = await chunks()
    let texts = OLD
    for (let blow = 1; blow <= 12; blow++) {
      texts = texts === OLD ? NEW : OLD
      await saveLong(texts, docId)
      const params = await addReadingJob(heddle.database, { storeId, docId })
      let batches = 0
      const onBatch: OnBatch = () => (batches++ === blow ? loseJob(heddle.database, params) : undefined)
      await runWatched(params, { database: heddle.database, onBatch })
      expect((await readJob(ann, params.jobId)).state).toBe('queued')
      await runWatched(params, { database: heddle.database })
      expect(await readJob(ann, params.jobId)).toMatchObject({ state: 'done', numUpdated: 100, numAdded: 0 })
      const after = await chunks()
      expect(after.map((chunk) => chunk.pageContent)).toEqual(texts)
      expect(after.map((chunk) => chunk.chunkNo)).toEqual(texts.map((_, at) => at + 1))
      expect(after.map((chunk) => chunk.id)).toEqual(before.map((chunk) => chunk.id))
    }
  })

  it('loses what the new one lacks a few hundred chunks at a time', async () => {
    const docId = await saveLongAndRead(Array.from({ length: 700 }, (_, at) => `text ${at}`.padEnd(600, '.')))
    await saveLong(['text 0'.padEnd(600, '.')], docId)
    const params = await addReadingJob(heddle.database, { storeId, docId })
    expect((await lettersOfBatches(params, 'delete from "document_chunks"')).length).toBe(4)
    expect(await chunks()).toHaveLength(1)
  })
})

it('a new document of several batches has each chunk once when a worker is lost after the first', {
  timeout: 60_000,
}, async () => {
  const docId = await saveFiles(ann, { storeId, files: { 'long.txt': 'text' } })
  await heddle.database
    .update(documentLoaders)
    .set({ splitterConfig: JSON.stringify({ separator: '\n\n', chunkSize: 20_000, chunkOverlap: 0 }) })
    .where(eq(documentLoaders.id, docId))
  const texts = Array.from({ length: 250 }, (_, at) => `text ${at} `.padEnd(19_000, 'a'))
  const read = async () => new TextEncoder().encode(texts.join('\n\n'))
  const params = await addReadingJob(heddle.database, { storeId, docId })
  let isBegun = false
  const onBatch: OnBatch = (statements) => {
    if (isBegun) return loseJob(heddle.database, params)
    isBegun = lettersOf(statements, 'insert into "document_chunks"') > 0
  }
  await runWatched(params, { database: heddle.database, onBatch, read })
  const first = await chunks()
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(texts.length)
  await runWatched(params, { database: heddle.database, read })
  expect((await readJob(ann, params.jobId)).state).toBe('done')
  expect((await chunks()).map((chunk) => chunk.pageContent)).toEqual(texts)
})

describe('the end of a loader', () => {
  /** The statements that are sent while a job is worked on. */
  async function sentBy(params: Parameters<typeof runWatched>[0]): Promise<string[]> {
    const spy = vi.spyOn(globalThis, 'fetch')
    await runWatched(params, { database: heddle.database })
    const bodies = spy.mock.calls.map(([, init]) => String(init?.body))
    spy.mockRestore()
    return bodies
  }

  it('counts once what is gone, however much leaves', async () => {
    const docId = await saveLongAndRead(Array.from({ length: 900 }, (_, at) => `text ${at}`.padEnd(600, '.')))
    // As it stands now, the source was never listed by anybody.
    await heddle.database.update(documentSources).set({ key: 'gone' }).where(eq(documentSources.docId, docId))
    await heddle.database.update(documentStores).set({ totalChunks: 100_000 }).where(eq(documentStores.id, storeId))
    const params = await addReadingJob(heddle.database, { storeId, docId, kind: 'refresh' })
    const counting = (await sentBy(params)).filter((body) =>
      /"sql":"select count\(\*\) from .{2}document_chunks/.test(body),
    )
    expect(await readJob(ann, params.jobId)).toMatchObject({ state: 'done', numDeleted: 900 })
    expect(counting).toHaveLength(1)
  })

  it('deletes many sources that are gone a few at a time', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.txt`, `text ${at}`]))
    const docId = await saveFiles(ann, { storeId, files })
    await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
    const [one] = await heddle.database.select().from(documentSources).where(eq(documentSources.docId, docId))
    const { id: _, ...source } = one as NonNullable<typeof one>
    const gone = Array.from({ length: 500 }, (_, at) => ({ ...source, id: `gone-${at}-${storeId}`, key: `gone ${at}` }))
    for (let at = 0; at < gone.length; at += 50)
      await heddle.database
        .insert(documentSources)
        .values(gone.slice(at, at + 50).map((row) => ({ ...row, isStored: false })))
    const params = await addReadingJob(heddle.database, { storeId, docId })
    await heddle.database.update(documentSources).set({ status: 'SYNC' })
    const batches = await lettersOfBatches(params, 'delete from "document_sources"')
    expect(batches).toHaveLength(3)
    expect(await heddle.database.$count(documentSources, eq(documentSources.docId, docId))).toBe(30)
    expect((await chunks()).map((chunk) => chunk.chunkNo)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1))
  })
})

describe('the numbers of chunks', () => {
  const orderOf = (docId: string) =>
    heddle.database
      .select({ pageContent, chunkNo })
      .from(documentChunks)
      .innerJoin(documentSources, eq(documentSources.id, sourceId))
      .where(eq(documentChunks.docId, docId))
      .orderBy(sql`${documentSources}.rowid`, asc(chunkNo), sql`${documentChunks}.rowid`)

  it('follow the order of the sources, in units of a few hundred, and no unit changes the order', {
    timeout: 60_000,
  }, async () => {
    const docId = await saveFiles(ann, {
      storeId,
      files: Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [
          `${name}.txt`,
          Array.from({ length: name === 'd' ? 20 : 600 }, (_, at) => `${name} ${at}`.padEnd(28, '.')).join('\n\n'),
        ]),
      ),
    })
    await ok(ann, 'POST', `/document-store/loader/process/${docId}`, {})
    const before = (await orderOf(docId)).map((chunk) => chunk.pageContent)
    expect(before).toHaveLength(1820)
    const [a, b, c] = await heddle.database.select().from(documentSources).where(eq(documentSources.docId, docId))
    const move = (source: typeof a, number: ReturnType<typeof sql>) =>
      heddle.database
        .update(documentChunks)
        .set({ chunkNo: number as never })
        .where(eq(sourceId, source?.id as string))
    // One is too far behind, one too far before with gaps and equal numbers, one falls and rises.
    await move(a, sql`${chunkNo} + 5000`)
    await move(b, sql`(${chunkNo} - 600) / 2`)
    await move(c, sql`case when ${chunkNo} < 1500 then ${chunkNo} - 1100 else ${chunkNo} * 2 end`)
    const params = await addReadingJob(heddle.database, { storeId, docId })
    let renumbering = 0
    await runWatched(params, {
      database: heddle.database,
      async onBatch(texts) {
        if (lettersOf(texts, 'set chunk_no = i.value ->> 1') === 0) return
        renumbering += 1
        const list = texts.find((text) => text.includes('set chunk_no = i.value ->> 1')) as string
        expect(list.split('],[').length).toBeLessThanOrEqual(500)
        expect((await orderOf(docId)).map((chunk) => chunk.pageContent)).toEqual(before)
      },
      read: async () => new TextEncoder().encode('not read again'),
    })
    expect(renumbering).toBeGreaterThan(4)
    expect((await readJob(ann, params.jobId)).state).toBe('done')
    const after = await orderOf(docId)
    expect(after.map((chunk) => chunk.pageContent)).toEqual(before)
    expect(after.map((chunk) => chunk.chunkNo)).toEqual(before.map((_, at) => at + 1))
  })
})

describe('a long list of sources', () => {
  /** Saves a loader of files that were sent before. */
  async function saveManyFiles(count: number): Promise<string> {
    const docId = await saveFiles(ann, { storeId, files: { '0.txt': 'text' } })
    const [first] = await heddle.database.select().from(documentSources).where(eq(documentSources.docId, docId))
    const names = Array.from({ length: count }, (_, at) => `${at}.txt`)
    const source = first as NonNullable<typeof first>
    for (let at = 1; at < count; at += 50) {
      const more = names.slice(at, at + 50).map((name) => ({ ...source, id: crypto.randomUUID(), key: name, name }))
      await heddle.database.insert(documentSources).values(more)
    }
    await heddle.database
      .update(documentLoaders)
      .set({ loaderConfig: JSON.stringify({ file: `FILE-STORAGE::${JSON.stringify(names)}` }) })
      .where(eq(documentLoaders.id, docId))
    return docId
  }

  it('is added a few hundred at a time, and is whole when a worker is lost in between', {
    timeout: 120_000,
  }, async () => {
    const docId = await saveManyFiles(450)
    const params = await addReadingJob(heddle.database, { storeId, docId })
    let batches = 0
    const onBatch: OnBatch = (texts) => {
      if (lettersOf(texts, 'insert into "document_sources"') === 0) return
      batches += 1
      if (batches === 2) return loseJob(heddle.database, params)
    }
    await runWatched(params, { database: heddle.database, onBatch })
    expect(batches).toBe(2)
    const isSeen = and(eq(documentSources.docId, docId), eq(documentSources.seenBy, params.jobId))
    expect(await heddle.database.$count(documentSources, isSeen)).toBe(200)
    const read: Parameters<typeof runWatched>[1]['read'] = async () => new TextEncoder().encode('text')
    await runWatched(params, { database: heddle.database, read })
    expect(await heddle.database.$count(documentSources, isSeen)).toBe(450)
    const [job] = await heddle.database.select().from(documentJobs).where(eq(documentJobs.id, params.jobId))
    expect(job).toMatchObject({ state: 'done', filesTotal: 450 })
  })
})
