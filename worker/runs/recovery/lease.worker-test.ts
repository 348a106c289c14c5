import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { executions, writeReceipts } from '#db/schema/index.ts'
import { chain, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../../areas/predictions/testing/scene.ts'

const RUNS = 10
const ELSEWHERE = 'of another worker'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
/** Holds the models' answers back. Opened after the test, so that its runs end also when it fails. */
let answer: ReturnType<typeof gate>
beforeEach(() => {
  scene.model.reset()
  answer = gate()
  scene.model.always(() => ({ text: 'Well', before: answer.opened }))
})
afterEach(async () => {
  answer.open()
  const isLost = eq(executions.leaseExpiresDate, ELSEWHERE)
  await scene.heddle.database.update(executions).set({ state: 'ERROR' }).where(isLost)
  await expect.poll(async () => (await live()).length).toBe(0)
})

/** Each batch of writes leaves a receipt. */
const writes = async () => (await scene.heddle.database.select().from(writeReceipts)).length
const live = () => scene.heddle.database.select().from(executions).where(eq(executions.state, 'INPROGRESS'))

it('runs that wait for a model write nothing meanwhile, and one of them reads for all', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl), directReply('{{question}}', 1)))
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

it('runs that wait renew their leases in one write, and a run that lost its lease ends', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl), directReply('{{question}}', 1)))
  const ask = (n: number) => scene.ask(flowId, { question: `q${n}` })
  const lost = ask(0)
  await scene.model.received(1)
  await expect.poll(async () => (await live()).length).toBe(1)
  await scene.heddle.database.update(executions).set({ leaseExpiresDate: ELSEWHERE })
  const asked = Array.from({ length: RUNS }, (_, n) => ask(n + 1))
  // From then on they only wait.
  await scene.model.received(RUNS + 1)
  await expect.poll(async () => (await live()).length).toBe(RUNS + 1)
  const leases = async () => new Set((await live()).map(({ leaseExpiresDate }) => leaseExpiresDate))
  const before = await leases()
  await expect
    .poll(async () => [...(await leases())].filter((lease) => before.has(lease)), { timeout: 15_000 })
    .toEqual([ELSEWHERE])
  const renewed = (await live()).filter(({ leaseExpiresDate }) => leaseExpiresDate !== ELSEWHERE)
  expect(new Set(renewed.map(({ updatedDate }) => updatedDate)).size).toBe(1)
  expect((await lost).status).toBe(500)
  answer.open()
  for (const { status, body } of await Promise.all(asked))
    expect({ status, text: body.text }).toMatchObject({ status: 200 })
}, 40_000)

it('a run that was cancelled through another isolate stops', async () => {
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl), directReply('{{question}}', 1)))
  const asked = scene.ask(flowId, { question: 'Stop me' })
  await scene.model.received(1)
  await expect.poll(async () => (await live()).length).toBe(1)
  await scene.heddle.database.update(executions).set({ state: 'TERMINATED' }).where(eq(executions.state, 'INPROGRESS'))
  await asked
  answer.open()
  expect(scene.model.requests).toMatchObject([{ cancelled: true }])
})
