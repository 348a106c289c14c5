import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from './client.ts'
import { migrateForTests } from './local/testing/migrate.ts'
import { servers } from './local/testing/servers.ts'
import { rateLimits, users } from './schema/index.ts'
import { handleFor, senderOf } from './tenant-guard.ts'
import { openUnscopedDatabase } from './testing/unscoped-database.ts'
import { changeAtOnce } from './unit-of-work.ts'

describe.each(servers)('a unit of work on %s', (_, start) => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-unit-'))
  let server: Awaited<ReturnType<typeof start>>
  let db: Database

  beforeAll(async () => {
    server = await start(folder)
    await migrateForTests(server)
    db = openUnscopedDatabase(server.url, server.authToken)
  }, 30_000)
  afterAll(async () => {
    await server.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    await db.batch([db.delete(rateLimits), db.delete(users)])
  })

  const put = (key: string, count = 0, handle = db) => handle.insert(rateLimits).values({ key, count, windowEnd: 0 })
  const countOf = async (key: string, handle = db) => {
    const [row] = await handle.select().from(rateLimits).where(eq(rateLimits.key, key))
    return row?.count
  }
  const setCount = (key: string, count: number, handle = db) =>
    handle.update(rateLimits).set({ count }).where(eq(rateLimits.key, key))

  it('writes all or nothing, after the work is done', async () => {
    await put('a')
    const failed = changeAtOnce(db, async (unit) => {
      await setCount('a', 1, unit)
      await put('a', 2, unit)
    })
    await expect(failed).rejects.toThrow('UNIQUE constraint failed')
    expect(await countOf('a')).toBe(0)
  })

  it('begins again when what it read is different by the time it writes', async () => {
    await put('a', 1)
    let attempts = 0
    await changeAtOnce(db, async (unit) => {
      attempts++
      const count = await countOf('a', unit)
      if (attempts === 1) await setCount('a', 5)
      await setCount('a', Number(count) + 1, unit)
    })
    expect([attempts, await countOf('a')]).toEqual([2, 6])
  })

  it.each([
    ['a row appears', () => put('b')],
    ['a row is gone', () => db.delete(rateLimits).where(eq(rateLimits.key, 'a'))],
  ])('begins again when %s', async (_, change) => {
    await put('a')
    let attempts = 0
    await changeAtOnce(db, async (unit) => {
      const found = await unit.select().from(rateLimits)
      if (attempts++ === 0) await change()
      await put(`of ${found.length}`, 0, unit)
    })
    expect(attempts).toBe(2)
  })

  it('holds values of every type against what is stored', async () => {
    const tables = sql`(select 1.5 as a, null as b, x'00ff' as c, 'ä 🙂' || char(10) || '''"' as d, -7 as e, '' as f, 12345678901 as g)`
    let attempts = 0
    await changeAtOnce(db, async (unit) => {
      attempts++
      await unit.all(sql`select * from ${tables} union all select * from ${tables} order by 1`)
      await unit.all(sql`select 1 where false`)
      await put('a', 0, unit)
    })
    expect(attempts).toBe(1)
  })

  it('of many that change one row at once each counts once', async () => {
    await put('a')
    const increase = () =>
      changeAtOnce(db, async (unit) => {
        const count = await countOf('a', unit)
        await setCount('a', Number(count) + 1, unit)
      })
    await Promise.all(Array.from({ length: 6 }, increase))
    expect(await countOf('a')).toBe(6)
  })

  it('gives up, with a way on, when others keep changing what it reads', async () => {
    await put('a')
    const restless = changeAtOnce(db, async (unit) => {
      const count = await countOf('a', unit)
      await setCount('a', Number(count) + 1)
      await put('b', 0, unit)
    })
    await expect(restless).rejects.toMatchObject({ code: 'unavailable', details: { retryAfterSeconds: 1 } })
    expect(await countOf('b')).toBeUndefined()
  })

  it('reads in trips and writes in one', async () => {
    await put('a')
    const sender = senderOf(db)
    let trips = 0
    const counted = handleFor(db, {
      execute(statement) {
        trips++
        return sender.execute(statement)
      },
      batch(statements) {
        trips++
        return sender.batch(statements)
      },
    })
    await changeAtOnce(counted, async (unit) => {
      await unit.batch([unit.select().from(rateLimits), unit.select().from(users)])
      await setCount('a', 1, unit)
      await put('b', 0, unit)
    })
    expect([trips, await countOf('b')]).toEqual([2, 0])
  })

  it.each<[string, (unit: Database) => Promise<unknown>, string]>([
    [
      'reads what it wrote',
      async (unit) => {
        await put('a', 0, unit)
        await unit.select().from(rateLimits)
      },
      'reads "rate_limits" after it has written to it',
    ],
    [
      'looks at what a write answers',
      async (unit) => unit.delete(rateLimits).returning(),
      'What a write answers is not known',
    ],
    [
      'reads and writes in one batch',
      async (unit) => unit.batch([unit.select().from(users), unit.delete(rateLimits)]),
      'do not share a batch',
    ],
  ])('refuses work that %s', async (_, work, message) => {
    const error = await changeAtOnce(db, work).catch((thrown: Error) => thrown)
    expect(String((error as Error).cause ?? error)).toContain(message)
  })
})
