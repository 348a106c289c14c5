import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startLibsqlServer } from '#db/local/server.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { migrateDatabase } from './migrate.ts'
import { type Heddle, startHeddle } from './server.ts'

let dataDir: string
const running: Heddle[] = []

const start = async () => {
  const heddle = await startHeddle({ dataDir, port: 0 })
  running.push(heddle)
  return heddle
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-test-'))
})

afterEach(async () => {
  for (const heddle of running.splice(0)) await heddle.close()
  rmSync(dataDir, { recursive: true })
})

it('answers with every migration applied once', async () => {
  const first = await start()
  expect(await (await fetch(`${first.url}/api/v1/ping`)).text()).toBe('pong')
  await first.close()
  const second = await start()
  const database = openUnscopedDatabase(second.databaseUrl, second.databaseToken)
  const journal = JSON.parse(readFileSync(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8'))
  const applied = await database.get<{ n: number }>(sql`SELECT count(*) AS n FROM __drizzle_migrations`)
  expect(applied.n).toBe(journal.entries.length)
})

it('keeps the secrets of the first start, readable only by the owner', async () => {
  await (await start()).close()
  const file = join(dataDir, 'secrets.json')
  const before = JSON.parse(readFileSync(file, 'utf8'))
  expect(before.MASTER_KEY).toMatch(/^[\w-]{43}$/)
  expect(before.SESSION_KEY).toMatch(/^[\w-]{43}$/)
  expect(before.SESSION_KEY).not.toBe(before.MASTER_KEY)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await (await start()).close()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(before)
})

it('rejects a second start on the same folder without disturbing the first', async () => {
  const first = await start()
  await expect(start()).rejects.toThrow(/Another Heddle is running on .*DATA_DIR/)
  expect((await fetch(`${first.url}/api/v1/ping`)).status).toBe(200)
  await first.close()
  await start()
})

it('fires the minute cron in the worker', async () => {
  const heddle = await start()
  await expect(heddle.scheduled()).resolves.toBeUndefined()
})

it('callers cannot fire the cron', async () => {
  const heddle = await start()
  for (const path of ['/cdn-cgi/handler/scheduled', '/cdn-cgi/local/scheduled', '/__scheduled']) {
    const response = await fetch(`${heddle.url}${path}?cron=*+*+*+*+*`)
    expect(await response.text()).not.toMatch(/^ok/)
  }
})

it('works on the database of another server, which must have the schema of this version', async () => {
  const database = await startLibsqlServer({ file: join(dataDir, 'elsewhere.db') })
  const options = { dataDir, port: 0, database }
  await expect(startHeddle(options)).rejects.toThrow(/lacks \d+ migrations of version .*npm run db:migrate/)
  await migrateDatabase(database)
  running.push(await startHeddle(options))
  const before = database.roundTrips()
  const response = await fetch(`${running[0]?.url}/api/v1/account/basic-auth`)
  expect(response.status).toBeLessThan(500)
  await running[0]?.scheduled()
  expect(database.roundTrips()).toBeGreaterThan(before)
  expect(existsSync(join(dataDir, 'heddle.db'))).toBe(false)
  expect(running[0]?.roundTrips).toThrow('Only the embedded database counts')
  await running.pop()?.close()
  await database.close()
})
