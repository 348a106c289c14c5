import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, type Transaction } from '@libsql/client/web'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Limits } from './limits.ts'
import { type LibsqlServer, startLibsqlServer } from './server.ts'

let folder: string
let server: LibsqlServer
let client: Client

async function start(limits: Partial<Limits>): Promise<void> {
  server = await startLibsqlServer({ file: join(folder, 'test.db'), ...limits })
  client = createClient({ url: server.url, authToken: server.authToken })
  await client.executeMultiple('create table if not exists texts (id integer primary key, text text)')
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-limits-'))
})
afterEach(async () => {
  client.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

const addText = (length: number) => ({ sql: 'insert into texts (text) values (?)', args: ['ä'.repeat(length / 2)] })
const count = async () => Number((await client.execute('select count(*) as n from texts')).rows[0]?.n)
const codeOf = (work: Promise<unknown>) => work.then(() => 'none').catch((error: { code: string }) => error.code)

/** Runs a statement on the stream of a baton, or on a new one, and closes the stream unless it is kept. */
async function post(sql: string, baton?: string, isKept = false): Promise<Response> {
  const headers = { authorization: `Bearer ${server.authToken}` }
  const requests = [{ type: 'execute', stmt: { sql } }, ...(isKept ? [] : [{ type: 'close' }])]
  return fetch(`${server.url}/v2/pipeline`, { method: 'POST', headers, body: JSON.stringify({ baton, requests }) })
}

const openStream = async (): Promise<string> =>
  ((await (await post('select 1', undefined, true)).json()) as { baton: string }).baton

it('serves only so many streams at a time, and others after a while or never', async () => {
  await start({ connections: 2, connectionWaitMs: 100 })
  const [first] = [await openStream(), await openStream()]
  const refused = await post('select 1')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toEqual({ error: 'Timed out while opening database connection' })
  const waits = post('select 1')
  await post('select 1', first)
  expect((await waits).status).toBe(200)
})

it('refuses at once when as many wait', async () => {
  await start({ connections: 1, connectionWaitMs: 60_000 })
  const baton = await openStream()
  const both = [post('select 1'), post('select 1')]
  const refused = await Promise.race(both)
  expect(await refused.json()).toEqual({ error: 'Too many concurrent requests' })
  await post('select 1', baton)
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 429])
})

it('refuses a value or a row that is too long, and takes one that is not', async () => {
  await start({ rowBytes: 1_000 })
  expect(await codeOf(client.execute(addText(1_002)))).toBe('ARGS_INVALID')
  expect(await codeOf(client.execute({ sql: 'select ?', args: [new Uint8Array(1_001)] }))).toBe('ARGS_INVALID')
  expect(await codeOf(client.execute(addText(1_000)))).toBe('SQLITE_TOOBIG')
  expect(await count()).toBe(0)
  await client.execute(addText(980))
  expect(await count()).toBe(1)
})

it('refuses an answer that is too long, of one statement or of a batch', async () => {
  await start({ answerBytes: 5_000 })
  for (let n = 0; n < 6; n++) await client.execute(addText(900))
  expect(await codeOf(client.execute('select text from texts'))).toBe('RESPONSE_TOO_LARGE')
  const half = 'select text from texts limit 3'
  expect(await codeOf(client.execute(half))).toBe('none')
  expect(await codeOf(client.batch([half, half]))).toBe('RESPONSE_TOO_LARGE')
})

it('rolls back a batch whose answer is too long', async () => {
  await start({ answerBytes: 5_000 })
  for (let n = 0; n < 6; n++) await client.execute(addText(900))
  expect(await codeOf(client.batch([addText(10), 'select text from texts'], 'write'))).toBe('RESPONSE_TOO_LARGE')
  expect(await count()).toBe(6)
})

it('counts all answers that are on their way, and those that were sent no more', async () => {
  await start({ answersInFlightBytes: 5_000 })
  for (let n = 0; n < 4; n++) await client.execute(addText(900))
  for (let n = 0; n < 10; n++) expect(await codeOf(client.execute('select text from texts'))).toBe('none')
})

it.each<[string, (slow: Transaction) => Promise<unknown>]>([
  ['a statement', (slow) => slow.execute(addText(30))],
  ['a batch', (slow) => slow.batch([addText(30), addText(40)])],
  ['a sequence', (slow) => slow.executeMultiple("insert into texts (text) values ('a')")],
])('ends a transaction that writes too long while another waits, and fails %s that comes next', async (_, next) => {
  await start({ transactionMs: 50 })
  const slow = await client.transaction('write')
  await slow.execute(addText(10))
  await client.execute(addText(20))
  expect(await codeOf(next(slow))).toBe('TRANSACTION_TIMEOUT')
  expect(await count()).toBe(1)
  expect(await codeOf(slow.commit())).toBe('SQLITE_UNKNOWN')
})

it('closes connections that are idle', async () => {
  await start({ idleConnectionMs: 3_000 })
  expect((await post('select 1')).headers.get('keep-alive')).toBe('timeout=3')
})
