/**
 * A thousand triggers, or ten thousand, are due in one minute on two workers with one database. One worker is killed and
 * the database is started anew in the middle of it, while people use the other one.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import type { Database } from '#db/client.ts'
import { servers } from '#db/local/testing/servers.ts'
import { migrateDatabase } from '#worker/local/migrate.ts'
import { startDatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { type HeddleProcess, startHeddleProcess } from '#worker/local/testing/heddle-process.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { putSchedules } from './testing/schedules.ts'

/** Two batches of claims at least, so that both workers take some. */
const TRIGGERS = byDepth(1_000, 10_000)
/** How long one wait may take. */
const MAX_WAIT_MS = byDepth(120_000, 600_000)
const NOON = new Date('2026-03-01T12:00:00.000Z')
const folder = mkdtempSync(join(tmpdir(), 'many-due-'))
/** What is to be closed, the last one first. */
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true })]

afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** A database behind one address, which can be started anew: a real sqld where there is one. */
async function openDatabaseServer() {
  const [, startServer] = servers.at(-1) as (typeof servers)[number]
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
  const options = { database: { url, authToken: '' }, keys: { MASTER_KEY: key(), SESSION_KEY: key() } }
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

/** A dead worker's leases end by themselves; a living one renews its own until its runs end. */
async function untilLeasesEnded(database: Database): Promise<void> {
  const isHeld = () =>
    database.all(sql`
    select 1 from executions where state = 'INPROGRESS' and lease_expires_date > ${new Date().toISOString()} limit 1`)
  while ((await isHeld()).length > 0) await new Promise((resolve) => setTimeout(resolve, 250))
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

const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

it('runs each of many due triggers once although a worker is killed and the database starts anew', async () => {
  const server = await openDatabaseServer()
  const [first, second] = await startWorkers(server.url)
  const { database } = second
  const flow = { name: 'Noon', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('Done'))) }
  const { id: flowId } = await (await first.client.fetch('/api/v1/chatflows', { method: 'POST', json: flow })).json()
  await putSchedules(database, { flowId, count: TRIGGERS, nextDue: NOON.toISOString() })

  const endQuiet = keepCalling(second, flowId)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const quiet = await endQuiet()

  const begun = performance.now()
  const trips = server.countTrips()
  const endBusy = keepCalling(second, flowId)
  first.scheduled(NOON)
  const minute = second.scheduled(NOON)
  await until(database, ({ succeeded = 0 }) => succeeded >= TRIGGERS / 4)
  await first.kill()
  const atTheBlow = await counts(database)
  await server.restart()
  await minute
  await untilLeasesEnded(database)
  await database.run(
    sql`update trigger_deliveries set started_date = '2026-01-01T00:00:00.000Z' where state = 'running'`,
  )
  await database.run(
    sql`update executions set lease_expires_date = '2026-01-01T00:00:00.000Z#0' where state = 'INPROGRESS'`,
  )
  await second.scheduled(later(6))
  await until(database, ({ queued = 0 }) => queued === 0)
  // Runs that were taken up from their logs are told of by the next minute.
  await second.scheduled(later(7))
  await until(database, ({ succeeded }) => succeeded === TRIGGERS)
  const busy = await endBusy()
  const seconds = (performance.now() - begun) / 1000
  await second.scheduled(later(20))

  expect(await counts(database)).toEqual({ succeeded: TRIGGERS })
  const [executions] = await database.all<Record<string, number>>(sql`
    select count(*) runs, count(distinct execution.id) distinct_runs, count(distinct delivery.trigger_id) triggers,
      sum(execution.state = 'FINISHED') finished,
      (select count(*) from chat_messages message
        where role = 'apiMessage' and message.execution_id in (select execution_id from trigger_deliveries)) answers
    from executions execution join trigger_deliveries delivery on delivery.execution_id = execution.id`)
  expect(executions).toEqual({
    runs: TRIGGERS,
    distinct_runs: TRIGGERS,
    triggers: TRIGGERS,
    finished: TRIGGERS,
    answers: TRIGGERS,
  })
  expect(busy.failed).toEqual([])
  console.log(
    `${TRIGGERS} triggers: one worker killed at ${JSON.stringify(atTheBlow)}, done after ${seconds.toFixed(1)} s, ` +
      `${trips().total} database round trips with the callers' (${busy.count} calls, ` +
      `p95 ${busy.p95.toFixed(0)} ms, quiet ${quiet.p95.toFixed(0)} ms)`,
  )
}, 900_000)
