/** However many deliveries are due, an isolate starts only as many runs as it has places for, and one workspace takes not all. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_PLACES_OF_ONE } from '#worker/jobs/places.ts'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { putSchedules } from './testing/schedules.ts'

const WAITING = 20
const NOON = new Date('2026-03-01T12:00:00.000Z')
const LATER = new Date('2026-03-01T12:01:00.000Z')

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
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
