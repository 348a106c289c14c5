/** The whole product dies while a store is read or embedded, and is started again on the same data. */
import { asc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { documentChunks } from '#db/schema/index.ts'
import { type HeddleProcess, startHeddleProcess } from '#worker/local/testing/heddle-process.ts'
import { type EmbeddingsServer, startEmbeddingsServer } from '../../../../e2e/support/embeddings-server.ts'
import { chunkTexts, newStore, ok, paragraph, readJob, saveFiles, saveText, start, textOf } from './testing/stores.ts'

let heddle: HeddleProcess
let embeddings: EmbeddingsServer

beforeAll(async () => {
  embeddings = await startEmbeddingsServer()
  heddle = await startHeddleProcess({ allowPrivateHosts: embeddings.host })
})
afterAll(async () => {
  await heddle.remove()
  await embeddings.close()
})

/** Its worker's lease is over by then; the minute job finds the job. */
async function restart(): Promise<void> {
  heddle = await heddle.restart()
  await heddle.database.run(
    sql`update document_jobs set lease_until = '2020-01-01T00:00:00.000Z' where state = 'running'`,
  )
  await heddle.scheduled()
}

async function storedTexts(storeId: string): Promise<string[]> {
  const [searchIndex] = await heddle.database.all<{ id: string }>(
    sql`select id from document_shelves where store_id = ${storeId} and state = 'current'`,
  )
  const entries = sql.identifier(`shelf_${searchIndex?.id}_entries`)
  const rows = await heddle.database.all<{ text: string }>(sql`select page_content as text from document_chunks
    join ${entries} entry on entry.chunk_id = document_chunks.id where entry.has_vector = 1`)
  return rows.map(({ text }) => text)
}

async function storedChunks(storeId: string) {
  return heddle.database
    .select()
    .from(documentChunks)
    .where(eq(documentChunks.storeId, storeId))
    .orderBy(asc(documentChunks.chunkNo))
}

it('ends with one chunk for each text when it dies while files are read', { timeout: 120_000 }, async () => {
  const named = (at: number) => String(at).padStart(2, '0')
  const files = Array.from({ length: 100 }, (_, file) =>
    Array.from({ length: 20 }, (_, part) => `text ${named(file)} ${named(part)}`),
  )
  const texts = files.flat()
  const storeId = await newStore(heddle.client, 'Files')
  const docId = await saveFiles(heddle.client, {
    storeId,
    files: Object.fromEntries(files.map((parts, at) => [`${at}.txt`, textOf(...parts)])),
  })
  const jobId = await start(heddle.client, `/loader/process/${docId}`)
  let before = 0
  for (let blow = 0; blow < 3; blow++) {
    const atLeast = before + 1
    await expect.poll(async () => (await storedChunks(storeId)).length, { interval: 5 }).toBeGreaterThanOrEqual(atLeast)
    await restart()
    before = (await storedChunks(storeId)).length
    if (blow === 0) expect(before).toBeLessThan(texts.length)
    if (before === texts.length) break
  }
  await expect.poll(async () => (await readJob(heddle.client, jobId)).state, { timeout: 60_000 }).toBe('done')
  expect(chunkTexts(await storedChunks(storeId)).sort()).toEqual(texts)
})

it('ends with the same chunks, and embeds no text again whose vector was stored', {
  timeout: 120_000,
}, async () => {
  const texts = Array.from({ length: 12 }, (_, index) => `text ${String(index).padStart(2, '0')}`)
  const storeId = await newStore(heddle.client)
  const docId = await saveText(heddle.client, storeId, textOf(...texts))
  await ok(heddle.client, 'POST', `/document-store/loader/process/${docId}`, {})
  const embeddingConfig = { modelName: 'test', basepath: embeddings.baseUrl, batchSize: 1 }
  /** At each blow: the texts whose vectors were stored, and how many had been asked for. */
  const blows: { stored: string[]; asked: number }[] = []
  let came = embeddings.hold()
  const jobId = await start(heddle.client, '/vectorstore/insert', {
    storeId,
    embeddingName: 'openAIEmbeddingsCustom',
    embeddingConfig,
  })
  for (let unit = 0; unit < 3; unit++) {
    await came
    const stored = await storedTexts(storeId)
    await heddle.kill()
    blows.push({ stored, asked: embeddings.requests.flat().length })
    embeddings.release()
    if (unit < 2) came = embeddings.hold(unit * 4 + 1)
    await restart()
  }
  await expect.poll(async () => (await readJob(heddle.client, jobId)).state, { timeout: 60_000 }).toBe('done')
  expect(chunkTexts(await storedChunks(storeId))).toEqual(texts)
  expect([...new Set(embeddings.requests.flat())].sort()).toEqual(texts.map(paragraph))
  expect((await readJob(heddle.client, jobId)).chunksDone).toBe(texts.length)
  expect(blows.at(-1)?.stored.length).toBeGreaterThan(1)
  const askedAgain = blows.map(({ stored, asked }) =>
    embeddings.requests
      .flat()
      .slice(asked)
      .filter((text) => stored.includes(text)),
  )
  expect(askedAgain).toEqual([[], [], []])
})
