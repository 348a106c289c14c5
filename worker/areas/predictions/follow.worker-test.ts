// @defends reads-along-run
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestClient } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, edge, llm, node, start } from '../../../e2e/support/flows.ts'
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

it('streams the finished steps and the end of a run that another isolate works on', async () => {
  const { databaseUrl, databaseToken, outbox } = scene.heddle
  const keys = JSON.parse(readFileSync(join(dirname(outbox), 'secrets.json'), 'utf8'))
  const bindings = { ...keys, LIBSQL_URL: databaseUrl, LIBSQL_AUTH_TOKEN: databaseToken }
  const other = await startTestHeddle({ platformType: 'cloud', bindings })
  try {
    const { flowId, executionId, finish } = await running('internal-prediction')
    const client = createTestClient(other.url)
    for (const [name, value] of scene.ann.cookies) client.cookies.set(name, value)
    const followed = await client.fetch(`/api/v1/internal-prediction/${flowId}/${executionId}`)
    const reader = followed.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const read = async () => {
      const { value = '', done } = (await reader?.read()) ?? { done: true }
      text += value
      return !done
    }
    // The first step shows while the second one waits for its model.
    while (!text.includes('startAgentflow_0') && (await read()));
    expect(text).not.toContain('"llmAgentflow_0"')
    await finish()
    while (await read());
    const events = eventsOf(text)
    expect(events.flatMap(({ event, data }) => (event === 'token' ? [data] : []))).toEqual(['Once upon'])
    expect(events.filter(({ event }) => event === 'nextAgentFlow')).toHaveLength(2)
    expect(events.at(-1)).toMatchObject({ event: 'end' })
    expect(await (await client.fetch(`/api/v1/internal-prediction/${flowId}/${executionId}`)).text()).toBe('')
  } finally {
    await other.close()
  }
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

describe('a caller who waits for the team', () => {
  const waiting = async (reply = directReply('PAID')) => {
    const human = node('humanInputAgentflow', 0, {
      ...{ humanInputDescriptionType: 'fixed', humanInputDescription: 'May I pay?', humanInputApprovers: 'members' },
    })
    const begin = start()
    const flowId = await scene.save({
      nodes: [begin, human, reply],
      edges: [edge(begin, human), edge(human, reply, 0)],
    })
    const { body } = await scene.ask(flowId, { question: 'q' })
    const { chatId, executionId, action } = body
    const path = (change: object = {}) => {
      const { flow, chat, question } = { flow: flowId, chat: chatId ?? '', question: action?.id ?? '', ...change }
      return `/api/v1/prediction/${flow}/${executionId}?${new URLSearchParams({ chatId: chat, question })}`
    }
    const humanInput = { type: 'proceed', executionId }
    const answer = () => scene.stream(`/internal-prediction/${flowId}`, { chatId, humanInput }, scene.ann)
    return { flowId, chatId, executionId, path, answer }
  }
  const caller = () => scene.heddle.newClient()

  it('reads the rest as it is said, once a member has answered', async () => {
    const end = gate()
    scene.model.reply({ text: ['It is ', 'paid'], afterLast: end.opened })
    const { path, answer, executionId } = await waiting(llm(scene.model.baseUrl))
    const followed = await caller().fetch(path())
    expect(followed.headers.get('content-type')).toContain('text/event-stream')
    const reader = (followed.body as ReadableStream<BufferSource>).pipeThrough(new TextDecoderStream()).getReader()
    const answered = answer()
    let read = ''
    while (!read.includes('It is')) read += (await reader.read()).value
    expect((await scene.row(executionId)).state).toBe('INPROGRESS')
    end.open()
    for (let part = await reader.read(); !part.done; part = await reader.read()) read += part.value
    const events = eventsOf(read)
    expect(events.flatMap(({ event, data }) => (event === 'token' ? [data] : [])).join('')).toBe('It is paid')
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['metadata', 'end'])
    const ended = (await answered).findLast(({ event }) => event === 'metadata')
    const { chatMessageId } = (ended?.data ?? {}) as { chatMessageId?: string }
    expect(events.at(-2)?.data).toMatchObject({ chatMessageId: chatMessageId ?? 'none' })
    expect(JSON.stringify(events)).not.toContain('"input"')
  })

  it('has the end of a run that went on while they were away', async () => {
    const { path, answer } = await waiting()
    await answer()
    const events = eventsOf(await (await caller().fetch(path())).text())
    expect(events.find(({ event }) => event === 'token')?.data).toBe('PAID')
    expect(events.at(-1)?.event).toBe('end')
  })

  it('needs the chat id of the conversation, the same flow, and a flow that is open to them', async () => {
    const { flowId, path, answer } = await waiting()
    await answer()
    const other = await waiting()
    const internal = await scene.internally(flowId, { question: 'q' })
    const status = async (at: string) => (await caller().fetch(at)).status
    expect(await status(path({ chat: other.chatId }))).toBe(404)
    expect(await status(path({ chat: 'user-42' }))).toBe(400)
    expect(await status(path({ flow: other.flowId }))).toBe(404)
    const ofMember = `/api/v1/prediction/${flowId}/${internal.body.executionId}`
    expect(
      await status(`${ofMember}?${new URLSearchParams({ chatId: internal.body.chatId ?? '', question: 'x' })}`),
    ).toBe(404)
    await scene.call('PUT', `/chatflows/${flowId}`, { callers: 'members' })
    expect(await status(path())).toBe(401)
  })

  it('may ask only so often from one address', async () => {
    const { path } = await waiting()
    const statuses = await Promise.all(
      Array.from({ length: 31 }, async () => (await caller().fetch(path({ chat: crypto.randomUUID() }))).status),
    )
    expect(statuses).toContain(429)
  })
})

it('a test chat reads the rest of a run that another member answered', async () => {
  const human = node('humanInputAgentflow', 0, { humanInputDescription: 'May I pay?' })
  const [begin, reply] = [start(), directReply('PAID')]
  const flowId = await scene.save({ nodes: [begin, human, reply], edges: [edge(begin, human), edge(human, reply, 0)] })
  const { body } = await scene.internally(flowId, { question: 'q' })
  const { executionId, action } = body
  const path = `/api/v1/internal-prediction/${flowId}/${executionId}`
  const followed = scene.ann.fetch(`${path}?${new URLSearchParams({ question: action?.id ?? '' })}`)
  await scene.internally(flowId, { humanInput: { type: 'proceed', executionId } })
  const events = eventsOf(await (await followed).text())
  expect(events.find(({ event }) => event === 'token')?.data).toBe('PAID')
  expect(events.filter(({ event }) => event === 'agentFlowExecutedData')).toHaveLength(1)
  expect(events.at(-1)?.event).toBe('end')
})
