import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { executions, writeReceipts } from '#db/schema/index.ts'
import { chain, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../../areas/predictions/testing/scene.ts'

const RUNS = 10

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

/** Each batch of writes leaves a receipt. */
const writes = async () => (await scene.heddle.database.select().from(writeReceipts)).length
const live = () => scene.heddle.database.select().from(executions).where(eq(executions.state, 'INPROGRESS'))

it('runs that wait for a model write nothing meanwhile, and one of them reads for all', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl), directReply('{{question}}', 1)))
  const answer = gate()
  scene.model.always(() => ({ text: 'Well', before: answer.opened }))
  const asked = Array.from({ length: RUNS }, (_, n) => scene.ask(flowId, { question: `q${n}` }))
  await scene.model.received(RUNS)
  await expect.poll(async () => (await live()).length).toBe(RUNS)
  const [writesBefore, tripsBefore] = [await writes(), scene.heddle.roundTrips()]
  await sleep(3_000)
  expect((await writes()) - writesBefore).toBe(0)
  // One or two of these are the test's.
  expect(scene.heddle.roundTrips() - tripsBefore).toBeLessThanOrEqual(6)
  answer.open()
  for (const { status, body } of await Promise.all(asked))
    expect({ status, state: body.text }).toMatchObject({ status: 200 })
})

it('a run that was cancelled through another isolate stops', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl), directReply('{{question}}', 1)))
  const answer = gate()
  scene.model.always(() => ({ text: 'Well', before: answer.opened }))
  const asked = scene.ask(flowId, { question: 'Stop me' })
  await expect.poll(async () => (await live()).length).toBe(1)
  await scene.heddle.database.update(executions).set({ state: 'TERMINATED' }).where(eq(executions.state, 'INPROGRESS'))
  await asked
  answer.open()
  expect(scene.model.requests).toMatchObject([{ cancelled: true }])
})
