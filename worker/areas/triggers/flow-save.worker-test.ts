import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { flowDataOf } from '#contract/chatflows/chatflows.ts'
import { chatflows, triggers } from '#db/schema/index.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'
import { flowSave } from './flow-save.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const hourly = (minute: number) =>
  chain(
    start({
      startInputType: 'scheduleInput',
      scheduleType: 'cronExpression',
      scheduleCronExpression: `${minute} * * * *`,
      scheduleInputMode: 'none',
    }),
    directReply('Hi'),
  )

async function rowsOf(flowId: string) {
  const { database } = scene.heddle
  const [flow] = await database.select().from(chatflows).where(eq(chatflows.id, flowId))
  const [trigger] = await database.select().from(triggers).where(eq(triggers.flowId, flowId))
  if (!flow || !trigger) throw new Error('There is no such flow')
  return { flow, trigger }
}

it('a refused save leaves the trigger unchanged, even within the same millisecond as an accepted one', async () => {
  const flowId = await scene.save(hourly(1))
  const { flow, trigger } = await rowsOf(flowId)
  const refused = { id: flowId, flowData: flowDataOf(JSON.stringify(hourly(2))), updatedDate: flow.updatedDate }
  const { database } = scene.heddle
  await database.batch(flowSave(database, flow, refused) as never)
  expect((await rowsOf(flowId)).trigger).toEqual(trigger)
})

it('updates the trigger from the one accepted save of many parallel ones', async () => {
  const flowId = await scene.save(hourly(0))
  for (let version = 1; version <= 5; version++) {
    const saves = Array.from({ length: 8 }, (_, index) =>
      scene.call('PUT', `/chatflows/${flowId}`, { version, flowData: JSON.stringify(hourly(version * 10 + index)) }),
    )
    const statuses = (await Promise.all(saves)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, ...Array(7).fill(409)])
    const { flow, trigger } = await rowsOf(flowId)
    const { scheduleCronExpression } = JSON.parse(flow.flowData).nodes[0].data.inputs
    expect(trigger.settings).toMatchObject({ cron: scheduleCronExpression })
  }
})
