/** Two machines of `npm start` on one libSQL server and one bucket of S3. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FileList } from '#contract/files/files.ts'
import { type LibsqlServer, startLibsqlServer } from '#db/local/server.ts'
import { executions, triggerDeliveries } from '#db/schema/index.ts'
import { openUnscopedDatabase } from '#db/testing/unscoped-database.ts'
import { putSchedules } from '#worker/areas/triggers/testing/schedules.ts'
import { drawChat } from '#worker/nodes/chatflow/testing/chat.ts'
import { type S3Server, startS3Server } from '#worker/ports/s3/testing/s3-server.ts'
import { chain, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, startModelServer } from '../../../e2e/support/model-server.ts'
import { migrateDatabase } from '../migrate.ts'
import { type Heddle, type HeddleOptions, startHeddle } from '../server.ts'
import { call, createTestClient, type TestClient } from '../testing/client.ts'

const newKey = () => randomBytes(32).toString('base64url')
const KEYS = { MASTER_KEY: newKey(), SESSION_KEY: newKey() }
const NOON = new Date('2026-03-01T12:00:00.000Z')

let folder: string
let database: LibsqlServer
let s3: S3Server
let machines: [Heddle, Heddle]
let ann: [TestClient, TestClient]
let model: ModelServer

const startMachine = (name: string, more: Partial<HeddleOptions> = {}) =>
  startHeddle({
    ...{ dataDir: join(folder, name), port: 0, cron: false, database, bucket: s3.settings, keys: KEYS },
    ...{ allowPrivateHosts: model.host, publicCallsPerMinute: '100000', appUrl: 'https://pages.heddle.test' },
    ...more,
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-machines-'))
  database = await startLibsqlServer({ file: join(folder, 'shared.db') })
  await migrateDatabase(database)
  s3 = await startS3Server()
  model = await startModelServer()
  machines = await Promise.all([startMachine('first'), startMachine('second')])
  ann = [createTestClient(machines[0].url), createTestClient(machines[1].url)]
  await call(ann[0], 'POST', '/account/register', {
    name: 'Ann',
    email: 'ann@example.com',
    password: 'Correct-horse-9-staple',
  })
  // As a proxy in front of both passes it on.
  for (const [name, value] of ann[0].cookies) ann[1].cookies.set(name, value)
})
afterAll(async () => {
  await Promise.all(machines.map((machine) => machine.close()))
  await Promise.all([model.close(), s3.close(), database.close()])
  rmSync(folder, { recursive: true })
})

const save = async (flow: object) =>
  (await call(ann[0], 'POST', '/chatflows', { name: 'F', type: 'AGENTFLOW', ...flow })).body
const drawn = (...nodes: Parameters<typeof chain>) => JSON.stringify(chain(...nodes))

it('a sign-in on one machine holds on the other, and a file that one was sent is read on the other', async () => {
  const txtFile = `data:text/plain;base64,${btoa('Wool')},filename:wool.txt`
  await save({ type: 'CHATFLOW', flowData: JSON.stringify(drawChat({ textFile_0: { inputs: { txtFile } } }, [])) })
  const listed = await call(ann[1], 'GET', '/files')
  expect(listed.status).toBe(200)
  const [file] = (listed.body as FileList).data
  expect(await (await ann[1].fetch(`/api/v1/files/${file?.id}/content`)).text()).toBe('Wool')
})

it('schedules that are due on both machines run once each', async () => {
  const { id: flowId } = await save({ flowData: drawn(start(), directReply('Done')) })
  const db = openUnscopedDatabase(database.url, database.authToken)
  await putSchedules(db, { flowId, count: 20, nextDue: NOON.toISOString() })
  await Promise.all(machines.map((machine) => machine.scheduled(NOON)))
  const states = async () => (await db.select().from(triggerDeliveries)).map(({ state }) => state)
  await expect.poll(states).toEqual(Array(20).fill('succeeded'))
  await Promise.all(machines.map((machine) => machine.scheduled(new Date(NOON.getTime() + 60_000))))
  expect(await states()).toHaveLength(20)
  const runs = (await db.select().from(executions)).filter(({ agentflowId }) => agentflowId === flowId)
  expect(runs.map(({ state }) => state)).toEqual(Array(20).fill('FINISHED'))
})

it('a machine that stops waits for its own runs, and not for those of the other', async () => {
  const { id } = await save({ flowData: drawn(start(), llm(model.baseUrl), directReply('{{llmAgentflow_0}}')) })
  const answer = gate()
  model.reply({ text: 'Well', before: answer.opened })
  const asked = call(ann[1], 'POST', `/internal-prediction/${id}`, { question: 'q' })
  await model.received(1)
  const drain = (machine: Heddle, timeoutMs: number) => {
    const waited: number[] = []
    return machine.drain(timeoutMs, (runs) => waited.push(runs)).then((left) => ({ left, waited }))
  }
  expect(await drain(machines[0], 10_000)).toEqual({ left: 0, waited: [] })
  expect(await drain(machines[1], 0)).toEqual({ left: 1, waited: [] })
  answer.open()
  expect(await asked).toMatchObject({ status: 200, body: { text: 'Well' } })
})

it('refuses to start without keys in the settings, or with another master key than the others have', async () => {
  await expect(startMachine('third', { keys: {} })).rejects.toThrow(/^MASTER_KEY is not set. With LIBSQL_URL and S3_/)
  await expect(startMachine('third', { keys: { ...KEYS, MASTER_KEY: newKey() } })).rejects.toThrow(
    /^The master key of this machine opens nothing of what the database at LIBSQL_URL holds/,
  )
})

it('starts with a new master key while the previous one is named', async () => {
  const keys = { ...KEYS, MASTER_KEY: newKey(), MASTER_KEY_PREVIOUS: KEYS.MASTER_KEY }
  await (await startMachine('third', { keys })).close()
})

it('refuses to start with another key of sessions than the others have, unless the previous one is named', async () => {
  const keys = { ...KEYS, SESSION_KEY: newKey() }
  const refusal = /^The SESSION_KEY of this machine is not that of the other machines on the database at LIBSQL_URL/
  await expect(startMachine('third', { keys })).rejects.toThrow(refusal)
  await (await startMachine('third', { keys: { ...keys, SESSION_KEY_PREVIOUS: KEYS.SESSION_KEY } })).close()
  await expect(startMachine('third', { keys: KEYS })).rejects.toThrow(refusal)
  await (await startMachine('third', { keys: { ...KEYS, SESSION_KEY_PREVIOUS: 'lost' } })).close()
})
