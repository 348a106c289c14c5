/** However many deliveries are due, an isolate starts only as many runs as it has places for, and one workspace takes not all. */
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { MAX_PLACES_OF_ONE, placesForLost } from '#worker/jobs/places.ts'
import { forgetPlaces } from '#worker/jobs/testing/forget-places.ts'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { claimDue } from './claim-due.ts'
import { dispatchQueued } from './dispatch.ts'
import { recoverLostDeliveries } from './recover-deliveries.ts'
import { putSchedules } from './testing/schedules.ts'

const WAITING = 20
const NOON = new Date('2026-03-01T12:00:00.000Z')
const LATER = new Date('2026-03-01T12:01:00.000Z')

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterEach(forgetPlaces)
afterAll(() => scene.close())

const flow = () => chain(start(), llm(scene.model.baseUrl))

async function savedByBob(): Promise<string> {
  const bob = await scene.heddle.signUp()
  const body = { name: 'Test', flowData: JSON.stringify(flow()), type: 'AGENTFLOW' }
  return (await scene.call<{ id: string }>('POST', '/chatflows', body, bob)).body.id
}

async function states(): Promise<Record<string, number>> {
  const rows = await scene.heddle.database.all<{ state: string; count: number }>(
    sql`select state, count(*) count from trigger_deliveries group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

it('starts as many runs of a workspace as it has places, one of another, and the others as places become free', async () => {
  const flowId = await scene.save(flow())
  const answer = gate()
  scene.model.always(() => ({ text: 'Well', before: answer.opened }))
  const { database } = scene.heddle
  const all = MAX_PLACES_OF_ONE + WAITING
  await putSchedules(database, { flowId, count: all, nextDue: NOON.toISOString() })
  await scene.heddle.scheduled(NOON)
  await scene.model.received(MAX_PLACES_OF_ONE)
  expect(await states()).toEqual({ running: MAX_PLACES_OF_ONE, queued: WAITING })
  // Those of the first workspace are older.
  await putSchedules(database, { flowId: await savedByBob(), from: all + 1, count: 1, nextDue: LATER.toISOString() })
  await scene.heddle.scheduled(LATER)
  await scene.model.received(MAX_PLACES_OF_ONE + 1)
  expect(await states()).toEqual({ running: MAX_PLACES_OF_ONE + 1, queued: WAITING })
  answer.open()
  await expect.poll(states).toEqual({ succeeded: all + 1 })
  expect(scene.model.requests).toHaveLength(all + 1)
})

it('starts what waits at the next end of a run when it could not at this one', async () => {
  const { database } = scene.heddle
  await database.run(sql`delete from trigger_deliveries`)
  scene.model.reset()
  const [most, last] = [gate(), gate()]
  let asked = 0
  scene.model.always(() => ({ text: 'Well', before: (asked++ < MAX_PLACES_OF_ONE - 1 ? most : last).opened }))
  const all = MAX_PLACES_OF_ONE + WAITING
  await putSchedules(database, { flowId: await scene.save(flow()), from: 501, count: all, nextDue: NOON.toISOString() })
  await scene.heddle.scheduled(NOON)
  await scene.model.received(MAX_PLACES_OF_ONE)
  await database.run(sql`create trigger refuses before update on trigger_deliveries
    when new.times_handed > old.times_handed begin select raise(abort, 'refused'); end`)
  most.open()
  await expect.poll(states).toEqual({ succeeded: MAX_PLACES_OF_ONE - 1, running: 1, queued: WAITING })
  await database.run(sql`drop trigger refuses`)
  last.open()
  await expect.poll(states).toEqual({ succeeded: all })
})

it('gives each place once although several runs end at the same time', async () => {
  const { database } = scene.heddle
  await database.run(sql`delete from trigger_deliveries`)
  const count = 4 * MAX_PLACES_OF_ONE
  await putSchedules(database, { flowId: await scene.save(flow()), from: 701, count, nextDue: NOON.toISOString() })
  await claimDue({ db: database }, NOON)
  const started: string[] = []
  const backgroundRuns = {
    createBatch: async (batch: { id: string }[]) => started.push(...batch.map(({ id }) => id)),
    deleteBatch: async () => undefined,
  }
  await Promise.all(Array.from({ length: 4 }, () => dispatchQueued({ db: database, backgroundRuns }, NOON)))
  expect(started).toHaveLength(MAX_PLACES_OF_ONE)
  await database.run(sql`delete from trigger_deliveries`)
})

/** Running deliveries of triggers from this number on, whose worker is gone. */
const putLost = (flowId: string, { from, count, startedDate }: { from: number; count: number; startedDate: string }) =>
  scene.heddle.database.batch([
    scene.heddle.database.run(sql`
      insert into executions (id, workspace_id, agentflow_id, flow_version, session_id, chat_id, state, input,
        lease_expires_date, created_date, updated_date)
      select 'run-' || value, workspace_id, id, 1, 's', 's', 'INPROGRESS', '{}', '2026-01-01T00:00:00.000Z#1',
        ${startedDate}, ${startedDate}
      from generate_series(${from}, ${from + count - 1}), chatflows where id = ${flowId}`),
    scene.heddle.database.run(sql`
      insert into trigger_deliveries (id, workspace_id, trigger_id, flow_id, source, state, attempts, due_date,
        started_date, execution_id)
      select 'lost-' || value, flow.workspace_id, trigger.id, flow.id, 'schedule', 'running', 1, ${startedDate},
        ${startedDate}, 'run-' || value
      from generate_series(${from}, ${from + count - 1}), chatflows flow
        join triggers trigger on trigger.flow_id = flow.id and trigger.id = printf('00000000-0000-4000-8000-%012d', ${from})
      where flow.id = ${flowId}`),
  ])

it('takes up lost deliveries of each workspace in turn, and gives them places', async () => {
  const { database } = scene.heddle
  const [hers, his] = [await scene.save(flow()), await savedByBob()]
  for (const [flowId, from] of [
    [hers, 1001],
    [his, 2001],
  ] as const) {
    await putSchedules(database, { flowId, from, count: 1, nextDue: '2027-01-01T00:00:00.000Z' })
  }
  await putLost(hers, { from: 1001, count: 150, startedDate: '2026-03-01T12:00:00.000Z' })
  await putLost(his, { from: 2001, count: 2, startedDate: '2026-03-01T12:30:00.000Z' })
  const started: string[] = []
  const places = placesForLost()
  await recoverLostDeliveries({
    db: database,
    clock: { now: () => new Date('2026-03-01T13:00:00.000Z'), sleep: async () => {} },
    backgroundRuns: {
      createBatch: async (batch) => started.push(...batch.map(({ id }) => id)),
      deleteBatch: async () => undefined,
    },
  })
  expect(started).toHaveLength(places)
  expect(started.slice(0, 5).map((id) => id.split('-')[1])).toEqual(['1001', '2001', '1002', '2002', '1003'])
  expect(placesForLost()).toBeLessThan(places / 4)
})
