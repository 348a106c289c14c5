// @defends run-breaks-worker
/** The whole product dies in the middle of runs, and is started again on the same data. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { type HeddleProcess, startHeddleProcess } from '#worker/local/testing/heddle-process.ts'
import { chain, directReply, edge, llm, node, start } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, startModelServer } from '../../../e2e/support/model-server.ts'

const STEPS = 12

let heddle: HeddleProcess
let model: ModelServer
let effects: Effects
let kills = 0

beforeAll(async () => {
  model = await startModelServer()
  effects = await startEffects()
  heddle = await startHeddleProcess({ allowPrivateHosts: `${model.host},${effects.host}` })
})
afterAll(async () => {
  await heddle.remove()
  await model.close()
  await effects.close()
})

/** Kills what runs, and starts it again. A worker's lease is over by then. */
async function restart(): Promise<void> {
  kills++
  heddle = await heddle.restart()
  await heddle.database.run(
    sql`update executions set lease_expires_date = '2020-01-01T00:00:00.000Z#0' where state = 'INPROGRESS'`,
  )
}

/** The same; then the cron finds what is left, and its instances end it. */
async function restartAndRecover(): Promise<void> {
  await restart()
  await heddle.scheduled()
  await expect.poll(() => statesOf(), { timeout: 10_000 }).not.toContain('INPROGRESS')
}

const statesOf = async (chat?: string) =>
  (
    await heddle.database
      .select({ state: executions.state })
      .from(executions)
      .where(chat === undefined ? undefined : eq(executions.chatId, chatIdOf(chat)))
  ).map(({ state }) => state)

interface Effects {
  host: string
  /** The keys of the requests to one path, in the order of coming. */
  keysOf(path: string): string[]
  /** Requests to this path get no answer, as those to other held paths. Resolves when the next one came. */
  hold(path: string): Promise<void>
  /** Requests are answered again. */
  release(): void
  close(): Promise<void>
}

/** A web service that counts what it is asked to do. */
async function startEffects(): Promise<Effects> {
  const asked: { path: string; key: string }[] = []
  const held = new Map<string, () => void>()
  const server: Server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, key: String(request.headers['idempotency-key']) })
    const came = held.get(path)
    if (came) return came()
    response.setHeader('content-type', 'application/json')
    response.end('{"done":true}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    keysOf: (path) => asked.filter((request) => request.path === path).map(({ key }) => key),
    hold(path) {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, resolve)
      return promise
    },
    release() {
      held.clear()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function save(flow: object): Promise<string> {
  const json = { name: 'Test', type: 'AGENTFLOW', flowData: JSON.stringify(flow) }
  return (await (await heddle.client.fetch('/api/v1/chatflows', { method: 'POST', json })).json()).id
}

const ask = (flowId: string, json: object) =>
  heddle.client.fetch(`/api/v1/prediction/${flowId}`, { method: 'POST', json }).then(
    (response) => response.json(),
    () => 'cut off',
  )

const conversation = async (chat: string) =>
  (
    await heddle.database
      .select()
      .from(chatMessages)
      .where(eq(chatMessages.chatId, chatIdOf(chat)))
      .orderBy(chatMessages.createdDate)
  ).map(({ content }) => content)

describe(`a run of ${STEPS} steps whose process is killed after each of them`, () => {
  /** The start and eleven requests that change something: the answer to the n-th one ends step n + 1. */
  const pathOf = (run: number, step: number) => `/run-${run}/step-${step}`
  const flowOf = (run: number) =>
    chain(
      start(),
      ...Array.from({ length: STEPS - 1 }, (_, index) =>
        node('httpAgentflow', index, { method: 'POST', url: `http://${effects.host}${pathOf(run, index + 2)}` }),
      ),
    )
  const counted = { runs: 0, requests: 0, effects: 0 }

  /** @param step the last one that ended before the blow */
  async function dieAfter(step: number): Promise<void> {
    const flowId = await save(flowOf(step))
    const isLast = step === STEPS
    const came = isLast ? undefined : effects.hold(pathOf(step, step + 1))
    const answering = ask(flowId, { question: 'go', chatId: chatIdOf(`run-${step}`) })
    await (came ?? answering)
    effects.release()
    await restartAndRecover()
    if (!isLast) expect(await answering).not.toHaveProperty('text')
    await expectOneEnd(step, isLast)
  }

  async function expectOneEnd(step: number, isLast: boolean) {
    const runs = await heddle.database
      .select()
      .from(executions)
      .where(eq(executions.chatId, chatIdOf(`run-${step}`)))
    expect(runs).toMatchObject([{ state: 'FINISHED', attempts: isLast ? 1 : 2, leaseExpiresDate: null }])
    const rows = await heddle.database
      .select()
      .from(executionSteps)
      .where(eq(executionSteps.executionId, runs[0]?.id ?? ''))
    expect(rows.map(({ path }) => path)).toHaveLength(STEPS)
    expect(new Set(rows.map(({ path }) => path)).size).toBe(STEPS)
    expect(rows.every(({ item }) => item.status === 'FINISHED')).toBe(true)
    const keys = Array.from({ length: STEPS - 1 }, (_, index) => effects.keysOf(pathOf(step, index + 2)))
    // The step that had not ended is asked for again, under the same key; all others once.
    expect(keys.map((sent) => sent.length)).toEqual(keys.map((_, index) => (index + 1 === step ? 2 : 1)))
    expect(keys.map((sent) => new Set(sent).size)).toEqual(keys.map(() => 1))
    expect(new Set(keys.flat()).size).toBe(STEPS - 1)
    counted.runs++
    counted.requests += keys.flat().length
    counted.effects += new Set(keys.flat()).size
  }

  it('ends once, repeats no finished step, and has every effect once', { timeout: 120_000 }, async () => {
    for (let step = 1; step <= STEPS; step++) await dieAfter(step)
    const { runs, requests, effects: once } = counted
    console.log(`kill test: ${kills} kills, ${runs} runs of ${STEPS} steps ended once each,`)
    console.log(`  ${requests} requests under ${once} keys: ${once} effects, each once, none lost`)
    expect(counted).toEqual({ runs: STEPS, requests: STEPS * (STEPS - 1) + STEPS - 1, effects: STEPS * (STEPS - 1) })
  })
})

it('answers after the restart the question from before', async () => {
  const flowId = await save(chain(start(), llm(model.baseUrl)))
  const hold = gate()
  model.reply({ text: 'never heard', before: hold.opened })
  // So long that the run keeps it apart from its log.
  const question = `are you ${'still '.repeat(500)}there?`
  const cut = ask(flowId, { question, chatId: chatIdOf('cut') })
  await model.received(1)
  // While the model thinks, the question is stored within a second or so.
  await expect.poll(() => conversation('cut'), { timeout: 5000 }).toEqual([question])
  await restartAndRecover()
  hold.open()
  expect(await cut).not.toHaveProperty('text')
  expect(await conversation('cut')).toEqual([question, `You said: ${question}`])
})

it('a run that died before its first step leaves nothing, and its caller may ask again', async () => {
  const flowId = await save(chain(start(), llm(model.baseUrl)))
  const hold = gate()
  const asked = model.requests.length
  model.reply({ text: 'never heard', before: hold.opened })
  const cut = ask(flowId, { question: 'hello?', chatId: chatIdOf('unstored') })
  await model.received(asked + 1)
  await restartAndRecover()
  hold.open()
  expect(await cut).not.toHaveProperty('text')
  expect(await statesOf('unstored')).toEqual([])
  expect(await conversation('unstored')).toEqual([])
  expect(await ask(flowId, { question: 'hello?', chatId: chatIdOf('unstored') })).toMatchObject({
    text: 'You said: hello?',
  })
  expect(await conversation('unstored')).toEqual(['hello?', 'You said: hello?'])
})

it('resumes a waiting run when it is answered after a restart', async () => {
  const [createRun, asks] = [start(), node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' })]
  const yes = directReply('done')
  const flow = { nodes: [createRun, asks, yes], edges: [edge(createRun, asks), edge(asks, yes, 0)] }
  const flowId = await save(flow)
  const { executionId } = await ask(flowId, { question: 'q', chatId: chatIdOf('waits') })
  await restartAndRecover()
  const [row] = await heddle.database.select().from(executions).where(eq(executions.id, executionId))
  expect(row?.state).toBe('STOPPED')
  const humanInput = { type: 'proceed' }
  expect(await ask(flowId, { chatId: chatIdOf('waits'), humanInput })).toMatchObject({ text: 'done', executionId })
  expect(await ask(flowId, { chatId: chatIdOf('waits'), humanInput })).toMatchObject({ statusCode: 409 })
})

describe('a run that kills its worker each time', () => {
  const sending = (path: string) =>
    chain(start(), node('httpAgentflow', 0, { method: 'POST', url: `http://${effects.host}${path}` }))

  it('is given up after the second time, and delays no other job of that minute', async () => {
    const [poison, other] = [await save(sending('/poison')), await save(sending('/other'))]
    const json = {
      flowId: await save(chain(start(), directReply('on time'))),
      name: 'Hourly',
      settings: { kind: 'schedule', cron: '0 * * * *', input: { mode: 'text', text: 'Go' } },
    }
    const trigger = await (await heddle.client.fetch('/api/v1/triggers', { method: 'POST', json })).json()
    const begun = [effects.hold('/poison'), effects.hold('/other')]
    const cut = [
      ask(poison, { question: 'q', chatId: chatIdOf('poison') }),
      ask(other, { question: 'q', chatId: chatIdOf('other') }),
    ]
    await Promise.all(begun)
    effects.release()

    await restart()
    await Promise.all(cut)
    const again = effects.hold('/poison')
    await heddle.scheduled(new Date(trigger.nextDue))
    await again
    await expect.poll(() => statesOf('other'), { timeout: 10_000 }).toEqual(['FINISHED'])
    const deliveries = () => heddle.database.all(sql`select state from trigger_deliveries`)
    await expect.poll(deliveries, { timeout: 10_000 }).toEqual([{ state: 'succeeded' }])
    expect(await statesOf('poison')).toEqual(['INPROGRESS'])

    await restartAndRecover()
    const [row] = await heddle.database
      .select()
      .from(executions)
      .where(eq(executions.chatId, chatIdOf('poison')))
    expect(row).toMatchObject({ state: 'ERROR', error: expect.stringContaining('interrupted twice') })
    expect(effects.keysOf('/poison')).toHaveLength(2)
  })
})
