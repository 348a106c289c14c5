/** However many deliveries are due, an isolate starts only as many runs as it has places for. */
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_PLACES } from '#worker/jobs/places.ts'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { putSchedules } from './testing/schedules.ts'

const WAITING = 20
const NOON = new Date('2026-03-01T12:00:00.000Z')

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

async function states(): Promise<Record<string, number>> {
  const rows = await scene.heddle.database.all<{ state: string; count: number }>(
    sql`select state, count(*) count from trigger_deliveries group by state`,
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

it('starts no more runs than there are places, and the others as places become free, without another minute', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)))
  const answer = gate()
  scene.model.always(() => ({ text: 'Well', before: answer.opened }))
  await putSchedules(scene.heddle.database, { flowId, count: MAX_PLACES + WAITING, nextDue: NOON.toISOString() })
  await scene.heddle.scheduled(NOON)
  await scene.model.received(MAX_PLACES)
  expect(await states()).toEqual({ running: MAX_PLACES, queued: WAITING })
  answer.open()
  await expect.poll(states).toEqual({ succeeded: MAX_PLACES + WAITING })
  expect(scene.model.requests).toHaveLength(MAX_PLACES + WAITING)
})
