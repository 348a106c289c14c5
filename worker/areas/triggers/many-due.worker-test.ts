/**
 * Many triggers are due in one minute on two workers with one database. One worker is killed and the database is started
 * anew in the middle of it, while people use the other one.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import type { Database } from '#db/client.ts'
import { servers } from '#db/local/testing/servers.ts'
import { migrateDatabase } from '#worker/local/migrate.ts'
import { startDatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { type HeddleProcess, startHeddleProcess } from '#worker/local/testing/heddle-process.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { putSchedules } from './testing/schedules.ts'

/** More than one worker has places for, so that both take some. */
const TRIGGERS = byDepth([200], [1_000, 10_000])
const METRICS_TOKEN = randomBytes(32).toString('base64url')
/** How long one wait may take. */
const MAX_WAIT_MS = byDepth(120_000, 600_000)
/** The minute in which all are due. A run that ends starts what waits by the clock, so it must be the current one. */
const DUE = new Date(Math.floor(Date.now() / 60_000) * 60_000)
/** Every day at that minute. */
const DAILY = { cron: `${DUE.getUTCMinutes()} ${DUE.getUTCHours()} * * *`, timezone: 'UTC' }
/** What is to be closed, the last one first. */
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A database behind one address, which can be started anew: a real sqld where there is one. */
async function openDatabaseServer() {
  const [, startServer] = servers.at(-1) as (typeof servers)[number]
  const folder = mkdtempSync(join(tmpdir(), 'many-due-'))
  closers.push(() => rmSync(folder, { recursive: true }))
  const proxy = await startDatabaseProxy()
  let server = await startServer(folder)
  closers.push(proxy.close, () => server.close())
  await migrateDatabase(server)
  proxy.passTo(server.url, server.authToken)
  return {
    ...proxy,
    /** Connections are refused for a second meanwhile. */
    async restart() {
      const comeBack = proxy.goAway()
      await server.close()
      server = await startServer(folder)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      proxy.passTo(server.url, server.authToken)
      comeBack()
    },
  }
}

/** Two workers with the same keys, as two machines of one Heddle have them. */
async function startWorkers(url: string): Promise<[HeddleProcess, HeddleProcess]> {
  const key = () => randomBytes(32).toString('base64url')
  const keys = { MASTER_KEY: key(), SESSION_KEY: key() }
  const options = { database: { url, authToken: '' }, keys, metricsToken: METRICS_TOKEN }
  const first = await startHeddleProcess(options)
  closers.push(first.remove)
  const second = await startHeddleProcess(options, first.client.cookies)
  closers.push(second.remove)
  return [first, second]
}

async function counts(database: Database): Promise<Record<string, number>> {
  const rows = await database.all<{ state: string; count: number }>(
    sql`select state, count(*) count from trigger_deliveries group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** Throws with the last counts when the deliveries do not get there within `MAX_WAIT_MS`. */
async function until(database: Database, isSo: (states: Record<string, number>) => boolean): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  for (;;) {
    const states = await counts(database)
    if (isSo(states)) return
    if (performance.now() > deadline)
      throw new Error(`After ${MAX_WAIT_MS / 1000} s deliveries are still ${JSON.stringify(states)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** From then on, what is still running is the dead worker's. */
async function untilIdle({ client }: HeddleProcess): Promise<void> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const metrics = async () => (await client.fetch('/api/v1/metrics', { headers })).text()
  await expect.poll(metrics, { timeout: MAX_WAIT_MS }).toMatch(/^heddle_runs_live\{.*\} 0$/m)
}

/** What the dead worker held is free, without the wait for it. */
async function endLeases(database: Database): Promise<void> {
  await database.run(sql`update trigger_deliveries set handed_date = '2026-01-01T00:00:00.000Z' where state = 'queued'`)
  await database.run(
    sql`update trigger_deliveries set started_date = '2026-01-01T00:00:00.000Z' where state = 'running'`,
  )
  await database.run(
    sql`update executions set lease_expires_date = '2026-01-01T00:00:00.000Z#0' where state = 'INPROGRESS'`,
  )
}

/** People look at lists and start runs until the returned function is called, which says how they fared. */
function keepCalling({ client }: HeddleProcess, flowId: string) {
  const calls: { status: number; milliseconds: number }[] = []
  let isOver = false
  const call = async (path: string, json?: object) => {
    const begun = performance.now()
    const { status } = await client.fetch(`/api/v1${path}`, json ? { method: 'POST', json } : {})
    calls.push({ status, milliseconds: performance.now() - begun })
  }
  const person = async () => {
    while (!isOver) {
      await call('/chatflows')
      await call(`/internal-prediction/${flowId}`, { question: 'Hello' })
    }
  }
  const people = Promise.all([person(), person()])
  return async () => {
    isOver = true
    await people
    const sorted = calls.map(({ milliseconds }) => milliseconds).sort((one, other) => one - other)
    const failed = calls.filter(({ status }) => status !== 200).map(({ status }) => status)
    return { count: calls.length, failed, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 }
  }
}

/** Fires the current minute, every few seconds, until the returned function is called. */
function keepMinutes({ scheduled }: HeddleProcess) {
  let isOver = false
  const fire = async () => {
    while (!isOver) {
      // One that fails, as while the database is away, leaves its work to the next.
      await scheduled().catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 5_000))
    }
  }
  const minutes = fire()
  return () => {
    isOver = true
    return minutes
  }
}

it.each(TRIGGERS)(
  'runs each of %i due triggers once although a worker is killed and the database starts anew',
  async (count) => {
    const server = await openDatabaseServer()
    const [first, second] = await startWorkers(server.url)
    const { database } = second
    const flow = { name: 'Noon', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('Done'))) }
    const { id: flowId } = await (await first.client.fetch('/api/v1/chatflows', { method: 'POST', json: flow })).json()
    await putSchedules(database, { flowId, count, nextDue: DUE.toISOString(), settings: DAILY })

    const endQuiet = keepCalling(second, flowId)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    const quiet = await endQuiet()

    const begun = performance.now()
    const trips = server.countTrips()
    const endBefore = keepCalling(second, flowId)
    first.scheduled(DUE)
    const minute = second.scheduled(DUE)
    await until(database, ({ succeeded = 0 }) => succeeded >= count / 4)
    await first.kill()
    const atTheBlow = await counts(database)
    await server.restart()
    await minute
    const before = await endBefore()
    await untilIdle(second)
    await endLeases(database)
    const endAfter = keepCalling(second, flowId)
    const endMinutes = keepMinutes(second)
    await until(database, ({ succeeded }) => succeeded === count)
    await endMinutes()
    const after = await endAfter()
    const seconds = (performance.now() - begun) / 1000
    await second.scheduled(new Date(DUE.getTime() + 200 * 60_000))

    expect(await counts(database)).toEqual({ succeeded: count })
    const [executions] = await database.all<Record<string, number>>(sql`
    select count(*) runs, count(distinct execution.id) distinct_runs, count(distinct delivery.trigger_id) triggers,
      sum(execution.state = 'FINISHED') finished,
      (select count(*) from chat_messages message
        where role = 'apiMessage' and message.execution_id in (select execution_id from trigger_deliveries)) answers
    from executions execution join trigger_deliveries delivery on delivery.execution_id = execution.id`)
    expect(executions).toEqual({
      runs: count,
      distinct_runs: count,
      triggers: count,
      finished: count,
      answers: count,
    })
    expect([...before.failed, ...after.failed]).toEqual([])
    console.log(
      `${count} triggers: one worker killed at ${JSON.stringify(atTheBlow)}, done after ${seconds.toFixed(1)} s, ` +
        `${trips().total} database round trips with the callers' (${before.count + after.count} calls, ` +
        `p95 ${before.p95.toFixed(0)} and ${after.p95.toFixed(0)} ms, quiet ${quiet.p95.toFixed(0)} ms)`,
    )
  },
  900_000,
)
