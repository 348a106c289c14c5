// @defends half-file-imported
/** The whole product dies in the middle of a large import, and is started again on the same data. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { type HeddleProcess, startHeddleProcess } from '#worker/local/testing/heddle-process.ts'
import { bundleOf, STORE, send, until } from './testing/files.ts'

const RUNS = 1500
let heddle: HeddleProcess

beforeAll(async () => {
  heddle = await startHeddleProcess()
})
afterAll(() => heddle.remove())

const countOf = async (table: string): Promise<number> => {
  const [row] = await heddle.database.all<{ n: number }>(sql`select count(*) as n from ${sql.identifier(table)}`)
  return row?.n ?? 0
}

const CHUNKS = 3000
const TABLES = ['chatflows', 'executions', 'execution_steps', 'chat_messages', 'document_chunks']
const counts = () => Promise.all(TABLES.map(countOf))
const ALL = [1, RUNS, RUNS, 2 * RUNS, CHUNKS]
const NOTHING = [0, 0, 0, 0, 0]

async function restart(): Promise<void> {
  heddle = await heddle.restart()
}

async function resume(): Promise<void> {
  await heddle.database.run(sql`update workspace_imports set lease_until = '2020-01-01T00:00:00.000Z'`)
  await heddle.database.run(
    sql`update document_jobs set lease_until = '2020-01-01T00:00:00.000Z' where state = 'running'`,
  )
  await heddle.scheduled()
}

const stateOf = async () =>
  (await heddle.database.all<{ state: string }>(sql`select state from workspace_imports`))[0]?.state

it('a killed import has written nothing until it is decided, and resumes to write everything once', {
  timeout: 240_000,
}, async () => {
  const { id } = await send(heddle.client, JSON.stringify(bundleOf({ runs: RUNS, chunks: CHUNKS, chars: 1000 })))
  await call(heddle.client, 'POST', `/export-import/imports/${id}/check`)
  await until(heddle.client, 'checked')
  await call(heddle.client, 'POST', `/export-import/imports/${id}/run`, {})
  // Between its pages.
  await expect.poll(() => countOf('import_rows'), { timeout: 60_000 }).toBeGreaterThan(0)
  await restart()
  expect(await counts()).toEqual(NOTHING)
  // While it writes its rows.
  await heddle.database.run(sql`create trigger slow after insert on chat_messages begin
    select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select i from n); end`)
  await resume()
  await expect.poll(() => countOf('chat_messages'), { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
  await restart()
  await heddle.database.run(sql`drop trigger slow`)
  expect(await stateOf()).toBe('writing')
  const [flows, runs, steps, messages, chunks] = await counts()
  expect([flows, runs, steps, chunks]).toEqual([1, RUNS, RUNS, 0])
  expect(messages).toBeLessThan(2 * RUNS)
  // After it, before its chunks are found.
  await resume()
  await expect.poll(stateOf, { timeout: 60_000, interval: 5 }).toBe('done')
  await restart()
  expect(await counts()).toEqual(ALL)
  const index = async () =>
    (await heddle.database.all<{ state: string }>(sql`select state from document_jobs where kind = 'index'`))[0]?.state
  expect(await index()).not.toBe('done')
  await resume()
  await expect.poll(index, { timeout: 60_000 }).toBe('done')
  expect(await counts()).toEqual(ALL)
  const asked = { storeId: STORE, query: `word${CHUNKS - 2}`, inputs: { mode: 'keyword' } }
  expect((await call(heddle.client, 'POST', '/document-store/vectorstore/query', asked)).body.docs.length).toBe(1)
})
