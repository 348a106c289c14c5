import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ScheduledBackups } from '#contract/health/health.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { startTestHeddle, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { parseOpenMetrics } from '../../ports/metrics/testing/parse-openmetrics.ts'

const METRICS_TOKEN = 'a-token-for-the-operator'

let proxy: DatabaseProxy
let heddle: TestHeddle
let backups: ScheduledBackups | undefined
beforeAll(async () => {
  proxy = await startDatabaseProxy()
  heddle = await startTestHeddle({
    ...{ bindings: { LIBSQL_URL: proxy.url }, metricsToken: METRICS_TOKEN },
    readBackups: () => backups,
  })
  proxy.passTo(heddle.databaseUrl)
})
afterAll(async () => {
  await heddle.close()
  await proxy.close()
})

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const response = await heddle.fetch(`/api/v1${path}`, { headers })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const READY = { ready: true, checks: { database: 'ok', migrations: 'ok', files: 'ok' }, problems: [] }

it('is healthy without a query, and ready with one', async () => {
  const before = heddle.roundTrips()
  expect(await ask('/health')).toEqual({ status: 200, body: { status: 'ok' } })
  expect(heddle.roundTrips()).toBe(before)
  expect(await ask('/ready')).toEqual({ status: 200, body: READY })
  expect(heddle.roundTrips()).toBe(before + 1)
})

it('tells of backups by schedule, without a query', async () => {
  const before = heddle.roundTrips()
  backups = { lastDate: '2026-03-01T03:30:00.000Z', missed: true }
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  expect(await ask('/health', headers)).toEqual({ status: 200, body: { status: 'ok', backups } })
  expect((await ask('/ready')).status).toBe(200)
  const metrics = parseOpenMetrics(await (await heddle.fetch('/api/v1/metrics', { headers })).text())
  const read = (name: string) => metrics.get(name)?.samples.get(name)?.[0]?.value
  expect(read('heddle_backup_last_timestamp_seconds')).toBe(Date.parse(backups.lastDate as string) / 1000)
  expect(read('heddle_backup_missed')).toBe(1)
  backups = undefined
  expect(heddle.roundTrips()).toBe(before + 1)
})

it('tells those who lack the token whether a backup was missed, but not when the last was made', async () => {
  backups = { lastDate: '2026-03-01T03:30:00.000Z', missed: true }
  const answers = [await ask('/health'), await ask('/health', { authorization: `Bearer ${METRICS_TOKEN}x` })]
  const open = await startTestHeddle({ readBackups: () => backups })
  const withoutToken = await (await open.fetch('/api/v1/health')).json()
  await open.close()
  const all = backups
  backups = undefined
  for (const { body } of answers) expect(body).toEqual({ status: 'ok', backups: { missed: true } })
  expect(withoutToken).toEqual({ status: 'ok', backups: all })
})

it('is healthy but not ready while the database cannot be reached, and names no address', async () => {
  const comeBack = proxy.goAway()
  expect((await ask('/health')).status).toBe(200)
  const { status, body } = await ask('/ready')
  comeBack()
  expect(status).toBe(503)
  expect(body).toEqual({
    ready: false,
    checks: { database: 'failed', migrations: 'failed', files: 'ok' },
    problems: ['The database does not answer. See the log for the reason.'],
  })
  expect((await ask('/ready')).status).toBe(200)
})

it('is not ready on a database of another version', async () => {
  const last = sql`(select max(created_at) from __drizzle_migrations)`
  const rows = await heddle.database.all<{ hash: string; time: number }>(
    sql`delete from __drizzle_migrations where created_at = ${last} returning hash, created_at as time`,
  )
  const older = await ask('/ready')
  expect(older.status).toBe(503)
  expect(older.body).toMatchObject({ checks: { database: 'ok', migrations: 'failed' } })
  expect(older.body.problems).toEqual(['The database lacks migrations of this version. Run npm run db:migrate.'])
  for (const { hash, time } of rows)
    await heddle.database.run(sql`insert into __drizzle_migrations (hash, created_at) values (${hash}, ${time})`)
  await heddle.database.run(
    sql`insert into __drizzle_migrations (hash, created_at) values ('later', ${9_999_999_999_999})`,
  )
  const newer = await ask('/ready')
  expect(newer.status).toBe(503)
  expect(newer.body.problems).toEqual([
    'A newer version of Heddle has migrated the database. Run that version, or restore a backup.',
  ])
  await heddle.database.run(sql`delete from __drizzle_migrations where hash = 'later'`)
  expect(await ask('/ready')).toEqual({ status: 200, body: READY })
})
