// @defends reads-along-run
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { eventsOf, openScene, type Scene } from './testing/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

async function running(path: string) {
  const [rest, end] = [gate(), gate()]
  scene.model.reply({ text: ['Once ', 'upon'], afterFirst: rest.opened, afterLast: end.opened })
  const flowId = await scene.save(chain(start(), llm(scene.model.baseUrl)))
  const json = { question: 'q', chatId: flowId, streaming: true }
  const asked = await scene.ann.fetch(`/api/v1/${path}/${flowId}`, { method: 'POST', json })
  const stored = () => scene.call<{ data: { id: string }[] }>('GET', `/executions?agentflowId=${flowId}`)
  await expect.poll(async () => (await stored()).body.data.length, { timeout: 5000 }).toBe(1)
  const executionId = (await stored()).body.data[0]?.id ?? ''
  const finish = async () => {
    rest.open()
    end.open()
    await asked.text()
  }
  return { flowId, executionId, finish, rest, end }
}

const follow = (flowId: string, executionId: string, client: TestClient = scene.ann) =>
  client.fetch(`/api/v1/internal-prediction/${flowId}/${executionId}`)

it('streams a running test run from its beginning to its end, and nothing once it is over', async () => {
  const run = await running('internal-prediction')
  const followed = await follow(run.flowId, run.executionId)
  expect(followed.headers.get('content-type')).toContain('text/event-stream')
  await run.finish()
  const events = eventsOf(await followed.text())
  expect(events.flatMap(({ event, data }) => (event === 'token' ? [data] : [])).join('')).toBe('Once upon')
  expect(events.filter(({ event }) => event === 'nextAgentFlow')).toHaveLength(4)
  expect(await (await follow(run.flowId, run.executionId)).text()).toBe('')
})

it('following a run is for members of the workspace, and for test runs only', async () => {
  const bob = await scene.heddle.signUp()
  const mine = await running('internal-prediction')
  const other = await scene.save(chain(start()))
  expect((await follow(mine.flowId, mine.executionId, bob)).status).toBe(404)
  expect((await follow(mine.flowId, mine.executionId, scene.heddle.newClient())).status).toBe(401)
  expect((await follow(other, mine.executionId)).status).toBe(404)
  await mine.finish()
  const customers = await running('prediction')
  expect((await follow(customers.flowId, customers.executionId)).status).toBe(404)
  await customers.finish()
})
