// @defends import-opens-flow
// @defends deleted-id-claimed
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { putKey, userOf } from '../../http/testing/people.ts'
import { send, until } from './large/testing/files.ts'

let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const SITE = 'https://only.example'
const OPEN = { apikeyid: null, chatbotConfig: null, apiConfig: null }
const SITES = { chatbotConfig: JSON.stringify({ allowedOrigins: [SITE], starterPrompts: { 0: { prompt: 'Hi' } } }) }
const LIMIT = {
  apiConfig: JSON.stringify({ rateLimit: { status: true, limitMax: '1', limitDuration: '60', limitMsg: 'slow' } }),
}

/** Imports a row as Flowise's `POST /export-import/export` writes it. */
async function imported(settings: object): Promise<{ id: string; notes: string[] }> {
  const id = crypto.randomUUID()
  const flowData = JSON.stringify(chain(start(), directReply('open')))
  const row = { id, name: id, type: 'AGENTFLOW', flowData, ...settings }
  const { body } = await call(ann, 'POST', '/export-import/import', { AgentFlowV2: [row] })
  expect(body.report.flows[0].newId).toBe(id)
  return { id, notes: body.report.flows[0].notes }
}

async function statusOf(id: string, headers: Record<string, string> = {}): Promise<number> {
  const { status } = await heddle.fetch(`/api/v1/prediction/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ question: 'q' }),
  })
  return status
}

it('a flow that had a key, sites and a limit in Flowise answers no anonymous caller after its import', async () => {
  const locked = await imported({ apikeyid: crypto.randomUUID(), ...SITES, ...LIMIT })
  expect(await statusOf(locked.id)).toBe(401)
  expect(await statusOf(locked.id, { origin: 'https://foreign.example' })).toBe(401)
  const { activeWorkspaceId: workspaceId } = await userOf(ann)
  const key = await putKey(heddle, { workspaceId, permissions: ['agentflows:view'] })
  expect(await statusOf(locked.id, { authorization: `Bearer ${key}`, origin: 'https://foreign.example' })).toBe(403)
  expect(await statusOf(locked.id, { authorization: `Bearer ${key}` })).toBe(200)
  expect(locked.notes.join()).not.toContain('Everyone')
  expect(locked.notes).toContain('It takes 1 call in 60 seconds from each address, as before.')
  expect(locked.notes.filter((note) => note.startsWith('Settings not imported'))).toEqual([
    'Settings not imported: chatbotConfig',
  ])
})

it('a flow that certain sites could call answers these, and no program without a key', async () => {
  const { id } = await imported({ ...OPEN, ...SITES })
  expect(await statusOf(id, { origin: SITE })).toBe(200)
  expect(await statusOf(id, { origin: 'https://foreign.example' })).toBe(401)
  expect(await statusOf(id)).toBe(401)
})

it('a flow that took few calls from an address takes no more', async () => {
  const { id } = await imported({ ...OPEN, ...LIMIT })
  expect(await statusOf(id)).toBe(200)
  expect(await statusOf(id)).toBe(429)
})

it('a flow of a file that does not say who could call it is closed, and the report asks', async () => {
  const { id, notes } = await imported({})
  expect(await statusOf(id)).toBe(401)
  expect(notes.join()).toContain('The file does not say who could call it.')
})

it('a flow that was open to everyone stays so, and the report says it', async () => {
  const { id, notes } = await imported(OPEN)
  expect(await statusOf(id)).toBe(200)
  expect(notes).toEqual(['Everyone with its address can call this flow, as before. Change this under Share.'])
})

it('an own export closes a flow to the same sites and calls when it comes back', async () => {
  const { id } = await imported({ ...OPEN, ...SITES, ...LIMIT })
  const { body: file } = await call(ann, 'POST', '/export-import/export', { agentflowv2: true })
  await call(ann, 'DELETE', `/chatflows/${id}`)
  const AgentFlowV2 = file.AgentFlowV2.filter((flow: { id: string }) => flow.id === id)
  await call(ann, 'POST', '/export-import/import', { AgentFlowV2 })
  expect(await statusOf(id, { origin: 'https://foreign.example' })).toBe(401)
  expect(await statusOf(id)).toBe(401)
  expect((await call(ann, 'GET', `/chatflows/${id}`)).body).toMatchObject({
    chatbotConfig: JSON.stringify({ allowedOrigins: [SITE] }),
    apiConfig: expect.stringContaining('"limitMax":1'),
  })
})

/** Imports a file as the page sends one that is too large for a request. */
async function importLarge(client: TestClient, file: object): Promise<{ newId: string; notes: string[] }[]> {
  const { id } = await send(client, JSON.stringify(file))
  await call(client, 'POST', `/export-import/imports/${id}/check`, {})
  await until(client, 'checked')
  await call(client, 'POST', `/export-import/imports/${id}/run`, { choices: {} })
  return (await until(client, 'done')).report?.flows ?? []
}

it('a large import keeps flows closed and ids with their workspace, as one in one request does', async () => {
  const flowData = JSON.stringify(chain(start(), directReply('open')))
  const flow = { type: 'AGENTFLOW', flowData }
  const deleted = (await call(ann, 'POST', '/chatflows', { ...flow, name: 'Shop', callers: 'everyone' })).body.id
  await call(ann, 'DELETE', `/chatflows/${deleted}`)
  const bob = await heddle.signUp()
  const row = (settings: object) => ({ ...flow, id: crypto.randomUUID(), name: crypto.randomUUID(), ...settings })
  const rows = [
    row({ ...OPEN, id: deleted }),
    row({ ...OPEN, apikeyid: crypto.randomUUID(), ...SITES, ...LIMIT }),
    row({ ...OPEN, ...SITES }),
    row({ ...OPEN, ...LIMIT }),
    row({}),
    row(OPEN),
  ]
  const [claimed, locked, sites, limited, unsaid, open] = await importLarge(bob, { AgentFlowV2: rows })
  expect(claimed?.newId).not.toBe(deleted)
  expect(claimed?.notes.join()).not.toContain('as before')
  expect(await statusOf(deleted)).toBe(401)
  expect(await statusOf(claimed?.newId as string)).toBe(401)
  expect([locked, sites, limited, unsaid, open].map((each) => each?.newId)).toEqual(rows.slice(1).map(({ id }) => id))
  expect(await statusOf(locked?.newId as string, { origin: SITE })).toBe(401)
  expect(await statusOf(sites?.newId as string, { origin: 'https://foreign.example' })).toBe(401)
  expect([await statusOf(limited?.newId as string), await statusOf(limited?.newId as string)]).toEqual([200, 429])
  expect(await statusOf(unsaid?.newId as string)).toBe(401)
  expect(unsaid?.notes.join()).toContain('The file does not say who could call it.')
  expect(await statusOf(open?.newId as string)).toBe(200)
  expect(open?.notes.join()).toContain('Everyone with its address can call this flow, as before.')
})

it('a flow that is created from a file, a canvas or a template gets a new id, and is closed', async () => {
  const flowData = JSON.stringify(chain(start(), directReply('open')))
  const flow = { name: 'Shop', type: 'AGENTFLOW', flowData }
  const { body: deleted } = await call(ann, 'POST', '/chatflows', { ...flow, callers: 'everyone' })
  await call(ann, 'DELETE', `/chatflows/${deleted.id}`)
  const { body: created } = await call(ann, 'POST', '/chatflows', { ...flow, id: deleted.id })
  expect(created.id).not.toBe(deleted.id)
  expect(created.callers).toBe('keys')
  expect([await statusOf(deleted.id), await statusOf(created.id)]).toEqual([401, 401])
})
