import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from './client.ts'
import { DatabaseFault, faultOf } from './database-failure.ts'
import { type LibsqlServer, startLibsqlServer } from './local/server.ts'
import { migrateForTests } from './local/testing/migrate.ts'
import { deleteOldReceipts } from './receipts.ts'
import { rateLimits, writeReceipts } from './schema/index.ts'
import { type Fault, openFaultyNetwork } from './testing/faulty-network.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'
import { isUniqueViolation } from './unique-violation.ts'

let folder: string
let server: LibsqlServer
let db: Database
const network = openFaultyNetwork()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-faults-'))
  server = await startLibsqlServer({ file: join(folder, 'test.db') })
  db = openUnscopedDatabase(server.url, server.authToken, network)
  await migrateForTests(server)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

let key: string
let made = 0
beforeEach(() => {
  key = `key ${made++}`
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const row = () => ({ key, windowEnd: 0, count: 1 })
const insert = () => db.insert(rateLimits).values(row())
const countUp = () =>
  db
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} + 1` })
    .where(eq(rateLimits.key, key))
const read = async () => (await db.select().from(rateLimits).where(eq(rateLimits.key, key))).map(({ count }) => count)

const FULL = '{"error":"Timed out while opening database connection"}'
const passing: [string, Fault][] = [
  ['too many requests', { status: 429, body: FULL, type: 'application/json' }],
  ['a server that starts', { status: 503, body: 'starting' }],
  ['a token that is not known yet', { status: 401, body: '' }],
  ['an address that is not known yet', { status: 404, body: '<h1>Not found</h1>' }],
  ['a proxy without its server', { status: 502, body: '<h1>Bad gateway</h1>' }],
  ['a page in place of an answer', { status: 200, body: '<h1>Hello</h1>' }],
  ['a connection that is lost', 'connection lost before it arrived'],
]

describe.each(passing)('%s', (_, fault) => {
  it('does not fail a read', async () => {
    await insert()
    network.fail(fault, fault)
    expect(await read()).toEqual([1])
  })

  it('does not fail a write, which is done once', async () => {
    await insert()
    network.fail(fault)
    await countUp()
    expect(await read()).toEqual([2])
  })

  it('does not fail a batch, which is done once', async () => {
    network.fail(fault)
    await db.batch([insert(), countUp(), countUp()])
    expect(await read()).toEqual([3])
  })
})

const lost: [string, Fault][] = [
  ['a lost answer', 'answer lost'],
  ['half an answer', 'answer broken'],
  ['a page in place of the answer', { status: 200, body: '<h1>Hello</h1>', arrived: true }],
  ['a gateway that did not wait', { status: 504, body: 'timeout', arrived: true }],
]

describe.each(lost)('%s', (_, fault) => {
  it('repeats a read', async () => {
    await insert()
    network.fail(fault)
    expect(await read()).toEqual([1])
  })

  it('tells that a write was done, and does not do it again', async () => {
    await insert()
    network.fail(fault)
    const failure = await countUp().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(faultOf(failure)).toMatchObject({ outcome: 'written' })
    expect(await read()).toEqual([2])
  })

  it('tells that a batch was done, also when the question after it is lost', async () => {
    network.fail(fault, fault, fault)
    await expect(db.batch([insert(), countUp()])).rejects.toMatchObject({ outcome: 'written' })
    expect(await read()).toEqual([2])
  })
})

it('a write that arrives after it was given up changes nothing', async () => {
  await insert()
  const late: (() => Promise<Response>)[] = []
  let isFirst = true
  const slow = openDatabase(server.url, server.authToken, {
    async fetch(address, init) {
      if (!isFirst) return globalThis.fetch(address, init)
      isFirst = false
      const { signal: _, ...request } = init
      late.push(() => globalThis.fetch(address, request))
      throw new TypeError('Network connection lost.')
    },
  })
  await slow
    .update(rateLimits)
    .set({ count: sql`${rateLimits.count} + 1` })
    .where(eq(rateLimits.key, key))
  await late[0]?.()
  expect(await read()).toEqual([2])
})

it('a failed statement is the caller’s at once, and names its constraint', async () => {
  await insert()
  const before = network.sent()
  const failure = await db.batch([countUp(), insert()]).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ statementIndex: 1 })
  expect(isUniqueViolation(failure, rateLimits.key)).toBe(true)
  expect(isUniqueViolation(failure, writeReceipts.id)).toBe(false)
  expect(network.sent() - before).toBe(1)
  expect(await read()).toEqual([1])
})

it('another constraint is no duplicate', async () => {
  const failure = await db.run(sql`insert into rate_limits (key) values ('a')`).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(String((failure as Error).cause)).toContain('NOT NULL constraint failed')
  expect(isUniqueViolation(failure)).toBe(false)
})

it('a fault that does not pass is told after some seconds, with its reason', async () => {
  const down = openDatabase('http://database.test', undefined, {
    fetch: async () => Response.json({ error: 'Too many concurrent requests' }, { status: 429 }),
  })
  vi.useFakeTimers()
  try {
    const failed = down.batch([down.select().from(rateLimits)]).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(10_000)
    const failure = await failed
    expect(failure).toBeInstanceOf(DatabaseFault)
    expect(failure).toMatchObject({ outcome: 'nothing-done' })
    expect(String(failure)).toContain('HTTP status 429: Too many concurrent requests')
  } finally {
    vi.useRealTimers()
  }
})

it('receipts are kept for ten minutes', async () => {
  const kept = async () => (await db.select().from(writeReceipts)).length
  const now = new Date()
  await insert()
  const before = await kept()
  await deleteOldReceipts({ db }, new Date(now.getTime() + 500_000))
  expect(await kept()).toBe(before + 1)
  await deleteOldReceipts({ db }, new Date(now.getTime() + 700_000))
  expect(await kept()).toBe(1)
})
