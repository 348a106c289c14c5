/** Ten thousand triggers are due in one minute, two handlers race for them, and everything is killed in the middle. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import type { Database } from '#db/client.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { createTestClient } from '#worker/local/testing/client.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { putSchedules } from './testing/schedules.ts'

const TRIGGERS = 10_000
/** How long one wait may take; all of the test takes about a minute. */
const MAX_WAIT_MS = 600_000
const NOON = new Date('2026-03-01T12:00:00.000Z')
const dataDir = mkdtempSync(join(tmpdir(), 'heddle-noon-'))
let child: ChildProcess | undefined

afterAll(async () => {
  await kill()
  rmSync(dataDir, { recursive: true })
})

interface Booted {
  url: string
  database: Database
  /** The minute handler; resolves when it is done. */
  minute(at: Date): Promise<void>
  roundTrips(): Promise<number>
}

/** Heddle in a process of its own, as `npm start` has it. */
async function boot(): Promise<Booted> {
  const script = `import(${JSON.stringify(new URL('../../local/server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify({ dataDir, port: 0, cron: false })}))
    .then((heddle) => {
      process.on('message', ({ call, at }) => {
        const work = at ? heddle.scheduled(new Date(at)) : heddle.roundTrips()
        Promise.resolve(work).then((value) => process.send({ call, value }))
      })
      process.send({ ...heddle })
    })`
  const process_ = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child = process_
  const [heddle] = (await once(process_, 'message', { signal: AbortSignal.timeout(60_000) })) as [
    { url: string; databaseUrl: string; databaseToken: string },
  ]
  let calls = 0
  const ask = (question: { at?: Date }) =>
    new Promise<unknown>((resolve) => {
      const call = calls++
      const listen = (answer: { call: number; value: unknown }) => {
        if (answer.call !== call) return
        process_.off('message', listen)
        resolve(answer.value)
      }
      process_.on('message', listen)
      process_.send({ call, ...question })
    })
  return {
    url: heddle.url,
    database: openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken),
    minute: async (at) => void (await ask({ at })),
    roundTrips: async () => Number(await ask({})),
  }
}

async function kill(): Promise<void> {
  const killed = child
  child = undefined
  if (!killed) return
  killed.kill('SIGKILL')
  await once(killed, 'exit')
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

/** The minutes at that time on two racing handlers; throws when they do not end within `MAX_WAIT_MS`. */
async function race(heddle: Booted, at: Date): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const message = `The minute ${at.toISOString()} did not end within ${MAX_WAIT_MS / 1000} s`
    timer = setTimeout(() => reject(new Error(message)), MAX_WAIT_MS)
  })
  await Promise.race([Promise.all([heddle.minute(at), heddle.minute(at)]), timeout])
  clearTimeout(timer)
}

const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

it('runs each of 10,000 due triggers once although two handlers race and are killed halfway', async () => {
  let heddle = await boot()
  const ann = createTestClient(heddle.url)
  const person = { name: 'Ann', email: 'ann@example.com', password: 'Correct-horse-9-staple' }
  await ann.fetch('/api/v1/account/register', { method: 'POST', json: person })
  const json = { name: 'Noon', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('Done'))) }
  const { id: flowId } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json })).json()
  await putSchedules(heddle.database, { flowId, count: TRIGGERS, nextDue: NOON.toISOString() })

  const begun = performance.now()
  const before = await heddle.roundTrips()
  heddle.minute(NOON)
  heddle.minute(NOON)
  await until(heddle.database, ({ succeeded = 0 }) => succeeded >= TRIGGERS / 4)
  const trips = (await heddle.roundTrips()) - before
  const atTheBlow = await counts(heddle.database)
  await kill()

  heddle = await boot()
  // A worker's lease is over by then.
  await heddle.database.run(
    sql`update executions set lease_expires_date = '2026-01-01T00:00:00.000Z#0' where state = 'INPROGRESS'`,
  )
  await heddle.database.run(
    sql`update trigger_deliveries set started_date = '2026-01-01T00:00:00.000Z' where state = 'running'`,
  )
  await race(heddle, later(6))
  await until(heddle.database, ({ queued = 0 }) => queued === 0)
  // Runs that were taken up from their logs are told of by the next minute.
  await heddle.minute(later(7))
  await until(heddle.database, ({ succeeded }) => succeeded === TRIGGERS)
  const seconds = (performance.now() - begun) / 1000
  const allTrips = trips + (await heddle.roundTrips())
  await race(heddle, later(20))

  expect(await counts(heddle.database)).toEqual({ succeeded: TRIGGERS })
  const [executions] = await heddle.database.all<Record<string, number>>(sql`
    select count(*) runs, count(distinct execution.id) distinct_runs, count(distinct delivery.trigger_id) triggers,
      sum(execution.state = 'FINISHED') finished,
      (select count(*) from chat_messages where role = 'apiMessage') answers
    from executions execution left join trigger_deliveries delivery on delivery.execution_id = execution.id`)
  expect(executions).toEqual({
    runs: TRIGGERS,
    distinct_runs: TRIGGERS,
    triggers: TRIGGERS,
    finished: TRIGGERS,
    answers: TRIGGERS,
  })
  console.log(
    `${TRIGGERS} triggers: killed at ${JSON.stringify(atTheBlow)}, done after ${seconds.toFixed(1)} s ` +
      `(${((seconds * 1000) / TRIGGERS).toFixed(1)} ms each, both starts included) ` +
      `and ${allTrips} database round trips (${(allTrips / TRIGGERS).toFixed(2)} each)`,
  )
}, 900_000)
