/** The whole product dies in the middle of a large import, and is started again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#db/client.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import type { Heddle } from '#worker/local/server.ts'
import { call, createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { bundleOf, STORE, send, until } from './testing/files.ts'

const RUNS = 1500
const person = { name: 'Ann', email: 'ann@example.com', password: 'Correct-horse-9-staple' }
let dataDir: string
let child: ChildProcess | undefined
let client: TestClient
let database: Database
let cookies = new Map<string, string>()

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
  await boot()
})
afterAll(async () => {
  await kill()
  rmSync(dataDir, { recursive: true })
})

async function boot(): Promise<void> {
  const script = `import(${JSON.stringify(new URL('../../../local/server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify({ dataDir, port: 0, cron: false })}))
    .then((heddle) => {
      process.on('message', () => heddle.scheduled().then(() => process.send('done')))
      process.send({ ...heddle })
    })`
  child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [heddle] = (await once(child, 'message')) as [Heddle]
  database = openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken)
  client = createTestClient(heddle.url)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  if (cookies.size === 0) await client.fetch('/api/v1/account/register', { method: 'POST', json: person })
  cookies = client.cookies
}

async function kill(): Promise<void> {
  const killed = child
  child = undefined
  if (!killed) return
  killed.kill('SIGKILL')
  await once(killed, 'exit')
}

const countOf = async (table: string): Promise<number> => {
  const [row] = await database.all<{ n: number }>(sql`select count(*) as n from ${sql.identifier(table)}`)
  return row?.n ?? 0
}

const CHUNKS = 3000
const TABLES = ['chatflows', 'executions', 'execution_steps', 'chat_messages', 'document_chunks']
const counts = () => Promise.all(TABLES.map(countOf))
const ALL = [1, RUNS, RUNS, 2 * RUNS, CHUNKS]
const NOTHING = [0, 0, 0, 0, 0]

async function dieAndComeBack(): Promise<void> {
  await kill()
  await boot()
}

async function goOn(): Promise<void> {
  await database.run(sql`update workspace_imports set lease_until = '2020-01-01T00:00:00.000Z'`)
  await database.run(sql`update document_jobs set lease_until = '2020-01-01T00:00:00.000Z' where state = 'running'`)
  child?.send('minute')
  await once(child as ChildProcess, 'message')
}

const stateOf = async () => {
  const [row] = await database.all<{ state: string; isRead: number }>(
    sql`select state, rows_done = rows_total as isRead from workspace_imports`,
  )
  return row
}

/** Waits until the database answers nobody, because it is busy with one long batch. */
async function untilBusy(): Promise<void> {
  for (;;) {
    const answered = database.all(sql`select 1`).then(() => true)
    const late = once(AbortSignal.timeout(500), 'abort').then(() => false)
    if (!(await Promise.race([answered.catch(() => false), late]))) return
  }
}

it('has written nothing or all when it dies, and goes on to write all', { timeout: 240_000 }, async () => {
  const { id } = await send(client, JSON.stringify(bundleOf({ runs: RUNS, chunks: CHUNKS, chars: 1000 })))
  await call(client, 'POST', `/export-import/imports/${id}/check`)
  await until(client, 'checked')
  await call(client, 'POST', `/export-import/imports/${id}/run`, {})
  // Between its pages.
  await expect.poll(() => countOf('import_rows'), { timeout: 60_000 }).toBeGreaterThan(0)
  await dieAndComeBack()
  expect(await counts()).toEqual(NOTHING)
  // In its last batch.
  await database.run(sql`create trigger slow after insert on chat_messages begin
    select count(*) from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000) select i from n); end`)
  await goOn()
  await expect.poll(async () => (await stateOf())?.isRead, { timeout: 60_000, interval: 5 }).toBe(1)
  await untilBusy()
  await dieAndComeBack()
  await database.run(sql`drop trigger slow`)
  expect([(await stateOf())?.state, await counts()]).toEqual(['importing', NOTHING])
  // After it, before its chunks are found.
  await goOn()
  await expect.poll(async () => (await stateOf())?.state, { timeout: 60_000, interval: 5 }).toBe('done')
  await dieAndComeBack()
  expect(await counts()).toEqual(ALL)
  const index = async () =>
    (await database.all<{ state: string }>(sql`select state from document_jobs where kind = 'index'`))[0]?.state
  expect(await index()).not.toBe('done')
  await goOn()
  await expect.poll(index, { timeout: 60_000 }).toBe('done')
  expect(await counts()).toEqual(ALL)
  const asked = { storeId: STORE, query: `word${CHUNKS - 2}`, inputs: { mode: 'keyword' } }
  expect((await call(client, 'POST', '/document-store/vectorstore/query', asked)).body.docs.length).toBe(1)
})
