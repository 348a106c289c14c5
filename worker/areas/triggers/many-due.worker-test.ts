/** A thousand triggers, or ten thousand, are due in one minute, two handlers race for them, and everything is killed in the middle. */
import { sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import type { Database } from '#db/client.ts'
import { byDepth } from '#worker/local/testing/depth.ts'
import { type HeddleProcess, startHeddleProcess } from '#worker/local/testing/heddle-process.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { putSchedules } from './testing/schedules.ts'

/** Two batches of claims at least, so that both handlers take some. */
const TRIGGERS = byDepth(1_000, 10_000)
/** How long one wait may take. */
const MAX_WAIT_MS = byDepth(120_000, 600_000)
const NOON = new Date('2026-03-01T12:00:00.000Z')
let heddle: HeddleProcess

afterAll(() => heddle.remove())

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
async function race(at: Date): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const message = `The minute ${at.toISOString()} did not end within ${MAX_WAIT_MS / 1000} s`
    timer = setTimeout(() => reject(new Error(message)), MAX_WAIT_MS)
  })
  await Promise.race([Promise.all([heddle.scheduled(at), heddle.scheduled(at)]), timeout])
  clearTimeout(timer)
}

const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)

it('runs each of many due triggers once although two handlers race and are killed halfway', async () => {
  heddle = await startHeddleProcess()
  const json = { name: 'Noon', type: 'AGENTFLOW', flowData: JSON.stringify(chain(start(), directReply('Done'))) }
  const { id: flowId } = await (await heddle.client.fetch('/api/v1/chatflows', { method: 'POST', json })).json()
  await putSchedules(heddle.database, { flowId, count: TRIGGERS, nextDue: NOON.toISOString() })

  const begun = performance.now()
  const before = await heddle.roundTrips()
  heddle.scheduled(NOON)
  heddle.scheduled(NOON)
  await until(heddle.database, ({ succeeded = 0 }) => succeeded >= TRIGGERS / 4)
  const trips = (await heddle.roundTrips()) - before
  const atTheBlow = await counts(heddle.database)

  heddle = await heddle.restart()
  // A worker's lease is over by then.
  await heddle.database.run(
    sql`update executions set lease_expires_date = '2026-01-01T00:00:00.000Z#0' where state = 'INPROGRESS'`,
  )
  await heddle.database.run(
    sql`update trigger_deliveries set started_date = '2026-01-01T00:00:00.000Z' where state = 'running'`,
  )
  await race(later(6))
  await until(heddle.database, ({ queued = 0 }) => queued === 0)
  // Runs that were taken up from their logs are told of by the next minute.
  await heddle.scheduled(later(7))
  await until(heddle.database, ({ succeeded }) => succeeded === TRIGGERS)
  const seconds = (performance.now() - begun) / 1000
  const allTrips = trips + (await heddle.roundTrips())
  await race(later(20))

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
