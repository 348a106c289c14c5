import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Assistant } from '#contract/assistants/assistants.ts'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { type AssistantsServer, startAssistantsServer } from './testing/assistants-server.ts'

let server: AssistantsServer
let heddle: TestHeddle
let ann: TestClient
let bob: TestClient
let credential: string

beforeAll(async () => {
  server = await startAssistantsServer()
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: server.host })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
  const key = { name: 'Mine', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-ann' } }
  credential = (await call('POST', '/credentials', key)).body.id
})
afterAll(async () => {
  await heddle.close()
  await server.close()
})
beforeEach(() => {
  server.assistants.clear()
  server.requests.length = 0
  server.failing = undefined
})

const call = (method: string, path: string, json?: unknown, client = ann) => callApi(client, method, path, json)

const details = (more: object = {}) => ({
  name: 'Tutor',
  model: 'gpt-4o',
  instructions: 'Teach.',
  tools: [{ type: 'code_interpreter' }],
  basepath: server.baseUrl,
  ...more,
})
const body = (more: object = {}, type = 'OPENAI') => ({ type, credential, details: JSON.stringify(details(more)) })

async function make(more: object = {}, type = 'OPENAI'): Promise<Assistant> {
  const made = await call('POST', '/assistants', body(more, type))
  expect(made.status).toBe(200)
  return made.body
}
const providerId = ({ details: text }: Assistant): string => JSON.parse(text).id

describe('an assistant at OpenAI', () => {
  it('is created there with the workspace’s key, and kept here with its id', async () => {
    const made = await make({ temperature: 0.5 })
    const there = server.assistants.get(providerId(made))
    expect(there).toMatchObject({
      name: 'Tutor',
      model: 'gpt-4o',
      temperature: 0.5,
      tools: [{ type: 'code_interpreter' }],
    })
    expect(server.requests).toEqual([
      { line: 'POST /v1/assistants', authorization: 'Bearer sk-ann', apiKey: undefined, beta: 'assistants=v2' },
    ])
    expect((await call('GET', '/assistants?type=OPENAI')).body).toEqual([{ ...made, usageCount: 0 }])
  })

  it('answers in a chat flow of its workspace, and in no other', async () => {
    const made = await make()
    const args = { loadMethod: 'listAssistants', inputs: {} }
    const load = (client: TestClient) => call('POST', '/node-load-method/openAIAssistant', args, client)
    expect((await load(ann)).body).toContainEqual(expect.objectContaining({ label: 'Tutor', name: made.id }))
    expect((await load(bob)).body).toEqual([])
    const drawn = drawChat({ calculator_0: {}, openAIAssistant_0: { inputs: { selectedAssistant: made.id } } }, [
      'calculator_0 > openAIAssistant_0.tools',
    ])
    const flow = { name: 'Asks', type: 'CHATFLOW', flowData: JSON.stringify(drawn) }
    const ask = async (client: TestClient) => {
      const { id } = (await call('POST', '/chatflows', flow, client)).body
      return call('POST', `/internal-prediction/${id}`, { question: 'Hello' }, client)
    }
    server.requests.length = 0
    expect((await ask(ann)).body).toMatchObject({ text: 'Tutor: Hello' })
    const users = async (client: TestClient) =>
      (await call('GET', `/usages?kind=assistant&asset=${made.id}`, undefined, client)).body
    expect(await users(ann)).toMatchObject({ total: 1, data: [{ kind: 'flow', name: 'Asks' }] })
    expect(await users(bob)).toMatchObject({ total: 0 })
    const listed = (await call('GET', '/assistants?type=OPENAI')).body
    expect(listed).toContainEqual(expect.objectContaining({ id: made.id, usageCount: 1 }))
    expect(server.requests.map(({ line }) => line)).toEqual(['POST /v1/threads/runs', 'DELETE /v1/threads/thread_1'])
    expect(server.requests[0]).toMatchObject({ authorization: 'Bearer sk-ann', beta: 'assistants=v2' })
    expect((await ask(bob)).body.message).toContain('choose an assistant')
  })

  it('is changed at both places', async () => {
    const made = await make()
    const changed = await call('PUT', `/assistants/${made.id}`, {
      details: JSON.stringify(details({ name: 'Coach', id: 'asst_other' })),
    })
    expect(JSON.parse(changed.body.details)).toMatchObject({ name: 'Coach', id: providerId(made) })
    expect(server.assistants.get(providerId(made))).toMatchObject({ name: 'Coach' })
    expect(server.assistants.size).toBe(1)
  })

  it('an existing assistant is listed, read and taken over', async () => {
    server.assistants.set('asst_old', { id: 'asst_old', name: 'Old', model: 'gpt-4o' })
    const query = `credential=${credential}&basepath=${encodeURIComponent(server.baseUrl)}`
    expect((await call('GET', `/openai-assistants?${query}`)).body).toMatchObject([{ id: 'asst_old', name: 'Old' }])
    expect((await call('GET', `/openai-assistants/asst_old?${query}`)).body).toMatchObject({ name: 'Old' })
    const made = await make({ id: 'asst_old', name: 'Taken over' })
    expect(providerId(made)).toBe('asst_old')
    expect(server.assistants.get('asst_old')).toMatchObject({ name: 'Taken over' })
  })

  it.each([
    ['stays there', '', 1],
    ['is deleted there too', '?isDeleteBoth=true', 0],
  ])('%s when it is deleted here with “%s”', async (_, query, left) => {
    const made = await make()
    expect((await call('DELETE', `/assistants/${made.id}${query}`)).body).toEqual({ raw: [], affected: 1 })
    expect(server.assistants.size).toBe(left)
    expect((await call('GET', `/assistants/${made.id}`)).status).toBe(404)
  })

  it('is kept as it was when the provider refuses, with its message', async () => {
    const made = await make()
    server.failing = { status: 410, message: 'The Assistants API has been shut down.' }
    for (const [method, path, json] of [
      ['POST', '/assistants', body()],
      ['PUT', `/assistants/${made.id}`, { details: JSON.stringify(details({ name: 'Coach' })) }],
      ['DELETE', `/assistants/${made.id}?isDeleteBoth=true`],
    ] as const) {
      const refused = await call(method, path, json)
      expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('has been shut down')])
    }
    expect((await call('GET', '/assistants?type=OPENAI')).body).toContainEqual({ ...made, usageCount: 0 })
  })
})

it('sends Azure its own header and version', async () => {
  await make({}, 'AZURE')
  expect(server.requests).toEqual([
    {
      line: 'POST /v1/assistants?api-version=2024-05-01-preview',
      authorization: undefined,
      apiKey: 'sk-ann',
      beta: undefined,
    },
  ])
})

it.each([
  ['no credential', () => ({ ...body(), credential: undefined }), 'credential'],
  ['no model', () => body({ model: ' ' }), 'details.model'],
  ['no address of its Azure resource', () => body({ basepath: '' }, 'AZURE'), 'details.basepath'],
  ['an address that is none', () => body({ basepath: 'file:///etc/passwd' }), 'details.basepath'],
  ['a path in its id', () => body({ id: '../files' }), 'details.id'],
  ['a temperature of 3', () => body({ temperature: 3 }), 'details.temperature'],
])('refuses an assistant with %s', async (_, json, field) => {
  const refused = await call('POST', '/assistants', json())
  expect([refused.status, refused.body.field, server.requests]).toEqual([400, field, []])
})

it('never asks a private address', async () => {
  const refused = await call('POST', '/assistants', body({ basepath: 'http://169.254.169.254/v1' }))
  expect(refused.status).toBe(422)
})

it('uses no credential and shows no assistant of another workspace', async () => {
  const made = await make()
  const query = `credential=${credential}&basepath=${encodeURIComponent(server.baseUrl)}`
  server.requests.length = 0
  expect((await call('GET', `/openai-assistants?${query}`, undefined, bob)).status).toBe(400)
  expect((await call('POST', '/assistants', body(), bob)).status).toBe(400)
  for (const [method, json] of [
    ['PUT', { details: JSON.stringify(details()) }],
    ['DELETE', undefined],
  ] as const)
    expect((await call(method, `/assistants/${made.id}?isDeleteBoth=true`, json, bob)).status).toBe(404)
  expect((await call('GET', '/assistants', undefined, bob)).body).toEqual([])
  expect(server.requests).toEqual([])
})
