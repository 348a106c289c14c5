import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from './client.ts'
import { type LibsqlServer, startLibsqlServer } from './local/server.ts'
import { rateLimits } from './schema/index.ts'
import { mismatchIn } from './schema-check.ts'
import { openFaultyNetwork } from './testing/faulty-network.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'

let folder: string
let server: LibsqlServer
let operator: Database
const network = openFaultyNetwork()
const VERSION = 2000

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-schema-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  operator = openUnscopedDatabase(server.url, server.authToken)
  await operator.run(sql`create table write_receipts (id text primary key, is_void integer, created_date text)`)
  await operator.run(sql`create table rate_limits (key text primary key, window_end integer, count integer)`)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Gives the database migrations of these times, in place of those it had. */
async function migrate(...times: number[]): Promise<void> {
  await operator.run(sql`drop table if exists __drizzle_migrations`)
  if (times.length === 0) return
  await operator.run(sql`create table __drizzle_migrations (hash text, created_at numeric)`)
  for (const time of times) await operator.run(sql`insert into __drizzle_migrations values ('h', ${time})`)
}

let db: Database
beforeEach(() => {
  db = openDatabase(server.url, server.authToken, network, { schemaVersion: VERSION })
})

const read = () => db.select().from(rateLimits)
const write = () => db.insert(rateLimits).values({ key: 'a', windowEnd: 0, count: 1 })
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

const others: [string, number[], string][] = [
  ['without migrations', [], 'lacks migrations of this version'],
  ['with an older schema', [1000], 'lacks migrations of this version'],
  ['with a newer schema', [1000, VERSION, 3000], 'migrated by a newer version'],
]
it.each(others)('refuses a database %s, reads and changes nothing, and says why', async (_, times, reason) => {
  await migrate(...times)
  for (const work of [() => read(), () => write(), () => db.batch([write(), read()])]) {
    const failure = await failureOf(work())
    expect(mismatchIn(failure)).toBeDefined()
    expect(String((failure as Error).cause ?? failure)).toContain(reason)
  }
  expect(await operator.select().from(rateLimits)).toEqual([])
})

it('goes on by itself once the database has been migrated', async () => {
  await migrate(1000)
  expect(mismatchIn(await failureOf(read()))).toBeDefined()
  await migrate(1000, VERSION)
  expect(await read()).toEqual([])
})

it('asks once, in the trip of the first request', async () => {
  await migrate(VERSION)
  const before = network.sent()
  await read()
  expect(network.sent() - before).toBe(1)
  await migrate(3000)
  await db.batch([read(), read()])
  expect(network.sent() - before).toBe(2)
})

it('says of a first batch which of its statements failed', async () => {
  await migrate(VERSION)
  const broken = db.run(sql`insert into rate_limits (absent) values (1)`)
  expect(await failureOf(db.batch([read(), broken]))).toMatchObject({ statementIndex: 1 })
})
