/** What a database that is 30 ms away adds to the calls that people wait for, and their requests to it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startHeddle } from '#worker/local/server.ts'
import { createTestClient, type TestClient } from '#worker/local/testing/client.ts'
import { type DatabaseProxy, startDatabaseProxy } from '#worker/local/testing/database-proxy.ts'
import { chain, llm, start } from '../support/flows.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { inTurn } from './calls.ts'
import { atMost, type Row } from './table.ts'

/** Milliseconds each way. */
const DISTANCE = 30
const RUNS = { warm: 2, runs: 7 }
const ACCOUNT = { email: 'ada@example.com', password: 'Shuttle-and-warp-7' }
const LISTS = [
  'chatflows-list',
  'executions',
  'credentials',
  'variables',
  'tools',
  'apikey',
  'document-store/store',
  'home',
]

interface Waited {
  name: string
  call(): Promise<unknown>
  /** Milliseconds that the distance may add, and requests in a row. */
  limit: { added: number; trips: number }
}

export async function measureDistance(): Promise<Row[]> {
  const proxy = await startDatabaseProxy()
  const model = await startModelServer()
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-bench-'))
  const settings = { allowPrivateHosts: model.host, publicCallsPerMinute: '1000000' }
  const heddle = await startHeddle({
    ...{ dataDir, port: 0, cron: false, ...settings },
    bindings: { LIBSQL_URL: proxy.url },
  })
  proxy.passTo(heddle.databaseUrl)
  try {
    const ada = createTestClient(heddle.url)
    await send(ada, '/account/register', { ...ACCOUNT, name: 'Ada' })
    return await measure(proxy, [...listCalls(ada), signInCall(heddle.url), await streamedCall(ada, model)])
  } finally {
    await heddle.close()
    await Promise.all([proxy.close(), model.close()])
    rmSync(dataDir, { recursive: true })
  }
}

async function measure(proxy: DatabaseProxy, waited: Waited[]): Promise<Row[]> {
  const calls = waited.map(({ call }) => call)
  const near = await inTurn(calls, RUNS)
  proxy.setDistance(DISTANCE)
  const far = await inTurn(calls, RUNS)
  const trips: number[] = []
  for (const call of calls) trips.push(await tripsOf(proxy, call))
  return waited.flatMap(({ name, limit }, index) => [
    atMost(`${name}: added by ${DISTANCE} ms each way`, (far[index] ?? 0) - (near[index] ?? 0), limit.added, 'ms'),
    atMost(`${name}: requests in a row`, trips[index] ?? Number.NaN, limit.trips, ''),
  ])
}

async function tripsOf(proxy: DatabaseProxy, call: () => Promise<unknown>): Promise<number> {
  const counted = proxy.countTrips()
  await call()
  return counted().inSequence
}

async function send(client: TestClient, path: string, json: object): Promise<Response> {
  const response = await client.fetch(`/api/v1${path}`, { method: 'POST', json })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response
}

const listCalls = (client: TestClient): Waited[] =>
  LISTS.map((path) => ({
    name: `list ${path}`,
    call: async () => (await client.fetch(`/api/v1/${path}`)).arrayBuffer(),
    limit: { added: 90, trips: 1 },
  }))

const signInCall = (url: string): Waited => ({
  name: 'sign-in',
  call: async () => (await send(createTestClient(url), '/auth/login', ACCOUNT)).arrayBuffer(),
  limit: { added: 200, trips: 3 },
})

/** Ends with the first token: what comes behind it delays nobody. */
async function streamedCall(client: TestClient, model: ModelServer): Promise<Waited> {
  const flow = { name: 'Bench', flowData: JSON.stringify(chain(start(), llm(model.baseUrl))), type: 'AGENTFLOW' }
  const { id } = (await (await send(client, '/chatflows', flow)).json()) as { id: string }
  model.always(() => ({ text: 'A short answer.' }))
  const call = async () => {
    const response = await send(client, `/internal-prediction/${id}`, { question: 'Hello?', streaming: true })
    for await (const bytes of response.body ?? []) if (new TextDecoder().decode(bytes).includes('"token"')) break
  }
  return { name: 'first token', call, limit: { added: 90, trips: 1 } }
}
