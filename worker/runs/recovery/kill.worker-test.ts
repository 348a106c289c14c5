/** The whole product dies in the middle of runs, and is started again on the same data. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '#db/client.ts'
import { chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import type { Heddle } from '#worker/local/server.ts'
import { createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { chain, directReply, edge, llm, node, start } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, startModelServer } from '../../../e2e/support/model-server.ts'

const person = { name: 'Ann', email: 'ann@example.com', password: 'Correct-horse-9-staple' }
const STEPS = 12

interface Booted {
  process: ChildProcess
  client: TestClient
  database: Database
  /** The minute handler, of this minute or the current one. */
  scheduled(at?: Date): Promise<void>
}

let dataDir: string
let model: ModelServer
let effects: Effects
let running: Booted | undefined
let cookies = new Map<string, string>()
let kills = 0

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'heddle-kill-'))
  model = await startModelServer()
  effects = await startEffects()
})
afterAll(async () => {
  await kill()
  await model.close()
  await effects.close()
  rmSync(dataDir, { recursive: true })
})

/** Ann's browser: she signs up once, and what she holds is good after a restart. */
async function signedIn(url: string): Promise<TestClient> {
  const client = createTestClient(url)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  if (cookies.size === 0) await client.fetch('/api/v1/account/register', { method: 'POST', json: person })
  cookies = client.cookies
  return client
}

/** Starts Heddle in a process of its own, as `npm start` does. */
async function boot(): Promise<Booted> {
  const options = { dataDir, port: 0, cron: false, allowPrivateHosts: `${model.host},${effects.host}` }
  const script = `import(${JSON.stringify(new URL('../../local/server.ts', import.meta.url).href)})
    .then(({ startHeddle }) => startHeddle(${JSON.stringify(options)}))
    .then((heddle) => {
      process.on('message', ({ at }) => heddle.scheduled(at ? new Date(at) : undefined).then(() => process.send('done')))
      process.send({ ...heddle })
    })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [heddle] = (await once(child, 'message')) as [Heddle]
  running = {
    process: child,
    client: await signedIn(heddle.url),
    database: openUnscopedDatabase(heddle.databaseUrl, heddle.databaseToken),
    async scheduled(at) {
      child.send({ at })
      await once(child, 'message')
    },
  }
  return running
}

async function kill(): Promise<void> {
  if (!running) return
  const { process } = running
  running = undefined
  process.kill('SIGKILL')
  await once(process, 'exit')
}

/** Kills what runs, and starts it again. A worker's lease is over by then. */
async function killAndBoot(): Promise<Booted> {
  kills++
  await kill()
  const again = await boot()
  await again.database.run(
    sql`update executions set lease_expires_date = '2020-01-01T00:00:00.000Z#0' where state = 'INPROGRESS'`,
  )
  return again
}

/** The same; then the cron finds what is left, and its instances end it. */
async function killAndGoOn(): Promise<Booted> {
  const again = await killAndBoot()
  await again.scheduled()
  await expect.poll(() => statesOf(again), { timeout: 10_000 }).not.toContain('INPROGRESS')
  return again
}

const statesOf = async ({ database }: Booted, chatId?: string) =>
  (
    await database
      .select({ state: executions.state })
      .from(executions)
      .where(chatId === undefined ? undefined : eq(executions.chatId, chatId))
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

async function save({ client }: Booted, flow: object): Promise<string> {
  const json = { name: 'Test', type: 'AGENTFLOW', flowData: JSON.stringify(flow) }
  return (await (await client.fetch('/api/v1/chatflows', { method: 'POST', json })).json()).id
}

const ask = ({ client }: Booted, flowId: string, json: object) =>
  client.fetch(`/api/v1/prediction/${flowId}`, { method: 'POST', json }).then(
    (response) => response.json(),
    () => 'cut off',
  )

const conversation = async ({ database }: Booted, chatId: string) =>
  (
    await database.select().from(chatMessages).where(eq(chatMessages.chatId, chatId)).orderBy(chatMessages.createdDate)
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
    const before = running ?? (await boot())
    const flowId = await save(before, flowOf(step))
    const isLast = step === STEPS
    const came = isLast ? undefined : effects.hold(pathOf(step, step + 1))
    const answering = ask(before, flowId, { question: 'go', chatId: `run-${step}` })
    await (came ?? answering)
    effects.release()
    const after = await killAndGoOn()
    if (!isLast) expect(await answering).not.toHaveProperty('text')
    await expectOneEnd(after, { step, isLast })
  }

  async function expectOneEnd({ database }: Booted, { step, isLast }: { step: number; isLast: boolean }) {
    const runs = await database
      .select()
      .from(executions)
      .where(eq(executions.chatId, `run-${step}`))
    expect(runs).toMatchObject([{ state: 'FINISHED', attempts: isLast ? 1 : 2, leaseExpiresDate: null }])
    const rows = await database
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
  const first = running ?? (await boot())
  const flowId = await save(first, chain(start(), llm(model.baseUrl)))
  const hold = gate()
  model.reply({ text: 'never heard', before: hold.opened })
  const cut = ask(first, flowId, { question: 'are you there?', chatId: 'cut' })
  await model.received(1)
  // While the model thinks, the question is stored within a second or so.
  await expect.poll(() => conversation(first, 'cut'), { timeout: 5000 }).toEqual(['are you there?'])
  const second = await killAndGoOn()
  hold.open()
  expect(await cut).not.toHaveProperty('text')
  expect(await conversation(second, 'cut')).toEqual(['are you there?', 'You said: are you there?'])
})

it('leaves nothing of a run that died before it had done anything, and its caller may ask again', async () => {
  const first = running ?? (await boot())
  const flowId = await save(first, chain(start(), llm(model.baseUrl)))
  const hold = gate()
  const asked = model.requests.length
  model.reply({ text: 'never heard', before: hold.opened })
  const cut = ask(first, flowId, { question: 'hello?', chatId: 'unstored' })
  await model.received(asked + 1)
  const second = await killAndGoOn()
  hold.open()
  expect(await cut).not.toHaveProperty('text')
  expect(await statesOf(second, 'unstored')).toEqual([])
  expect(await conversation(second, 'unstored')).toEqual([])
  expect(await ask(second, flowId, { question: 'hello?', chatId: 'unstored' })).toMatchObject({
    text: 'You said: hello?',
  })
  expect(await conversation(second, 'unstored')).toEqual(['hello?', 'You said: hello?'])
})

it('resumes a waiting run when it is answered after a restart', async () => {
  const first = running ?? (await boot())
  const [createRun, asks] = [start(), node('humanInputAgentflow', 0, { humanInputDescription: 'May I?' })]
  const yes = directReply('done')
  const flow = { nodes: [createRun, asks, yes], edges: [edge(createRun, asks), edge(asks, yes, 0)] }
  const flowId = await save(first, flow)
  const { executionId } = await ask(first, flowId, { question: 'q', chatId: 'waits' })
  const second = await killAndGoOn()
  const [row] = await second.database.select().from(executions).where(eq(executions.id, executionId))
  expect(row?.state).toBe('STOPPED')
  const humanInput = { type: 'proceed' }
  expect(await ask(second, flowId, { chatId: 'waits', humanInput })).toMatchObject({ text: 'done', executionId })
  expect(await ask(second, flowId, { chatId: 'waits', humanInput })).toMatchObject({ statusCode: 409 })
})

describe('a run that kills its worker each time', () => {
  const sending = (path: string) =>
    chain(start(), node('httpAgentflow', 0, { method: 'POST', url: `http://${effects.host}${path}` }))

  it('is given up after the second time, and delays no other job of that minute', async () => {
    const first = running ?? (await boot())
    const [poison, other] = [await save(first, sending('/poison')), await save(first, sending('/other'))]
    const json = {
      flowId: await save(first, chain(start(), directReply('on time'))),
      name: 'Hourly',
      settings: { kind: 'schedule', cron: '0 * * * *', input: { mode: 'text', text: 'Go' } },
    }
    const trigger = await (await first.client.fetch('/api/v1/triggers', { method: 'POST', json })).json()
    const begun = [effects.hold('/poison'), effects.hold('/other')]
    const cut = [
      ask(first, poison, { question: 'q', chatId: 'poison' }),
      ask(first, other, { question: 'q', chatId: 'other' }),
    ]
    await Promise.all(begun)
    effects.release()

    const second = await killAndBoot()
    await Promise.all(cut)
    const again = effects.hold('/poison')
    await second.scheduled(new Date(trigger.nextDue))
    await again
    await expect.poll(() => statesOf(second, 'other'), { timeout: 10_000 }).toEqual(['FINISHED'])
    const deliveries = () => second.database.all(sql`select state from trigger_deliveries`)
    await expect.poll(deliveries, { timeout: 10_000 }).toEqual([{ state: 'succeeded' }])
    expect(await statesOf(second, 'poison')).toEqual(['INPROGRESS'])

    const third = await killAndGoOn()
    const [row] = await third.database.select().from(executions).where(eq(executions.chatId, 'poison'))
    expect(row).toMatchObject({ state: 'ERROR', error: expect.stringContaining('interrupted twice') })
    expect(effects.keysOf('/poison')).toHaveLength(2)
  })
})
