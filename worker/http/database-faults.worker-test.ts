import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DatabaseProxy, type Fault, startDatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { chain, directReply, llm, start } from '../../e2e/support/flows.ts'
import { gate } from '../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../areas/predictions/testing/scene.ts'

let proxy: DatabaseProxy
let scene: Scene
let flowId: string

beforeAll(async () => {
  proxy = await startDatabaseProxy()
  scene = await openScene({ databaseProxy: proxy })
  flowId = await scene.save(chain(start(), directReply('You said {{question}}')))
})
afterAll(async () => {
  await scene.close()
  await proxy.close()
})

let made = 0
const newName = () => `name_${made++}`

/** Each call answers its status, and how often it was done. */
const calls: [string, () => Promise<{ status: number; done: number }>][] = [
  [
    'a list of flows',
    async () => {
      const { status } = await scene.call('GET', '/chatflows')
      return { status, done: 1 }
    },
  ],
  [
    'a new variable',
    async () => {
      const name = newName()
      const { status } = await scene.call('POST', '/variables', { name, type: 'static', value: 'v' })
      proxy.fail()
      const { body } = await scene.call<{ name: string }[]>('GET', '/variables')
      return { status, done: body.filter((each) => each.name === name).length }
    },
  ],
  [
    'a prediction',
    async () => {
      const question = newName()
      const { status, body } = await scene.ask(flowId, { question })
      proxy.fail()
      const messages = body.executionId ? await scene.messagesOf(body.executionId) : []
      return { status, done: messages.filter(({ content }) => content === `You said ${question}`).length }
    },
  ],
]

const passing: [string, Fault][] = [
  ['429', { status: 429, body: '{"error":"Timed out while opening database connection"}' }],
  ['503', { status: 503, body: 'starting' }],
  ['401', { status: 401, body: '' }],
  ['404', { status: 404, body: '<h1>Not found</h1>' }],
  ['502', { status: 502, body: '<h1>Bad gateway</h1>' }],
  ['a page with 200', { status: 200, body: '<h1>Hello</h1>' }],
  ['a broken connection', 'breaks before it arrives'],
]

describe.each(calls)('%s', (_, call) => {
  it.each(passing)('is done once although the database answers with %s at first', async (_, fault) => {
    for (const before of [0, 1, 2]) {
      proxy.fail(...Array.from({ length: before }, (): Fault => 'passes'), fault)
      expect(await call()).toEqual({ status: 200, done: 1 })
    }
  })

  it.each<Fault>(['answer is lost', 'half an answer'])('is never done twice when %s', async (fault) => {
    for (const before of [0, 1, 2]) {
      proxy.fail(...Array.from({ length: before }, (): Fault => 'passes'), fault)
      const { status, done } = await call()
      expect([200, 503]).toContain(status)
      expect(done).toBeLessThanOrEqual(1)
      if (status === 200) expect(done).toBe(1)
    }
  })
})

it('a change whose answer is lost is reported as done', async () => {
  const name = newName()
  proxy.fail('passes', 'answer is lost')
  const { status, body } = await scene.call('POST', '/variables', { name, type: 'static', value: 'v' })
  expect({ status, body }).toMatchObject({
    status: 503,
    body: { message: 'This was done, but the database’s answer was lost. Reload before you try again.' },
  })
})

it('a run outlives its database being away for eight seconds', async () => {
  const id = await scene.save(chain(start(), llm(scene.model.baseUrl), directReply('{{question}}', 1)))
  const answer = gate()
  scene.model.reply({ text: 'Well', before: answer.opened })
  const asked = scene.ask(id, { question: 'Still there?' })
  await scene.model.received(1)
  const comeBack = proxy.goAway()
  answer.open()
  await sleep(8_000)
  comeBack()
  const { status, body } = await asked
  expect({ status, text: body.text }).toEqual({ status: 200, text: 'Still there?' })
  expect(await scene.row(body.executionId)).toMatchObject({ state: 'FINISHED', attempts: 1 })
})
