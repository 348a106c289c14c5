import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
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
  credential = (await callApi(ann, 'POST', '/credentials', key)).body.id
})
afterAll(async () => {
  await heddle.close()
  await server.close()
})
beforeEach(() => {
  server.files.clear()
  server.vectorStores.clear()
  server.requests.length = 0
  server.failing = undefined
})

const STORES = '/openai-assistants-vector-store'
const UPLOAD = '/openai-assistants-file/upload'
const query = (type = 'OPENAI') =>
  `?credential=${credential}&type=${type}&basepath=${encodeURIComponent(server.baseUrl)}`
const call = (method: string, path: string, json?: unknown, client = ann) =>
  callApi(client, method, path + query(), json)

async function send(path: string, files: File[], client = ann) {
  const form = new FormData()
  for (const file of files) form.append('files', file)
  const response = await client.fetch(`/api/v1${path}${query()}`, { method: 'POST', body: form })
  return { status: response.status, body: await response.json() }
}

const notes = () => new File(['Tea is ready'], 'notes.txt', { type: 'text/plain' })

describe('a vector store at OpenAI', () => {
  it('is created, listed, changed and deleted there', async () => {
    const made = await call('POST', STORES, { name: 'Manuals', expires_after: { anchor: 'last_active_at', days: 7 } })
    expect(made.body).toMatchObject({ id: 'vs_1', name: 'Manuals' })
    expect((await call('GET', STORES)).body).toMatchObject([{ id: 'vs_1', name: 'Manuals' }])
    expect((await call('PUT', `${STORES}/vs_1`, { name: 'Guides' })).body).toMatchObject({ id: 'vs_1', name: 'Guides' })
    expect(server.vectorStores.get('vs_1')).toMatchObject({ name: 'Guides', expires_after: { days: 7 } })
    expect((await call('DELETE', `${STORES}/vs_1`)).body).toMatchObject({ id: 'vs_1', deleted: true })
    expect(server.vectorStores.size).toBe(0)
    expect(server.requests[0]).toMatchObject({ authorization: 'Bearer sk-ann', beta: 'assistants=v2' })
  })

  it('takes files in, names them, and lets them go without deleting them', async () => {
    await call('POST', STORES, { name: 'Manuals' })
    const sent = await send(`${STORES}/vs_1`, [notes(), new File(['More'], 'größe “2”.txt')])
    expect(sent.body).toMatchObject([{ id: 'file-1', filename: 'notes.txt' }, { id: 'file-2' }])
    expect([...server.files.values()].map(({ filename, content }) => [filename, content])).toEqual([
      ['notes.txt', 'Tea is ready'],
      ['größe “2”.txt', 'More'],
    ])
    const { body } = await call('GET', `${STORES}/vs_1`)
    expect(body.files).toMatchObject([{ id: 'file-1', filename: 'notes.txt', status: 'completed' }, { id: 'file-2' }])
    const removed = await call('PATCH', `${STORES}/vs_1`, { file_ids: ['file-1'] })
    expect(removed.body).toEqual({ deletedFileIds: ['file-1'], count: 1 })
    expect(server.vectorStores.get('vs_1')?.file_ids).toEqual(['file-2'])
    expect(server.files.size).toBe(2)
  })

  it('keeps no file of an upload that failed', async () => {
    const refused = await send(`${STORES}/vs_9`, [notes()])
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('No vector store found')])
    expect(server.files.size).toBe(0)
    const empty = await send(UPLOAD, [notes(), new File([], 'empty.txt')])
    expect([empty.status, empty.body.message]).toEqual([422, expect.stringContaining('File is empty')])
    expect(server.files.size).toBe(0)
  })
})

it('deletes a file at the provider', async () => {
  await send(UPLOAD, [notes()])
  expect((await call('DELETE', '/openai-assistants-file/file-9')).body).toMatchObject({ deleted: false })
  expect((await call('DELETE', '/openai-assistants-file/file-1', undefined, bob)).status).toBe(400)
  expect(server.files.size).toBe(1)
  expect((await call('DELETE', '/openai-assistants-file/file-1')).body).toMatchObject({ id: 'file-1', deleted: true })
  expect(server.files.size).toBe(0)
})

it('uploads files for the code interpreter, and saves an assistant that has them by their ids alone', async () => {
  const { body: files } = await send(UPLOAD, [notes()])
  expect(files).toMatchObject([{ id: 'file-1', filename: 'notes.txt' }])
  const details = {
    ...{ name: 'Analyst', model: 'gpt-4o', tools: [{ type: 'code_interpreter' }], basepath: server.baseUrl },
    tool_resources: { code_interpreter: { file_ids: ['file-1'], files } },
  }
  const made = await callApi(ann, 'POST', '/assistants', {
    type: 'OPENAI',
    credential,
    details: JSON.stringify(details),
  })
  expect(made.status, made.text).toBe(200)
  const { id, tool_resources } = JSON.parse(made.body.details)
  expect(server.assistants.get(id)?.tool_resources).toEqual({ code_interpreter: { file_ids: ['file-1'] } })
  expect(tool_resources.code_interpreter.files).toMatchObject([{ filename: 'notes.txt' }])
})

it('sends Azure its own header and version', async () => {
  await callApi(ann, 'POST', STORES + query('AZURE'), { name: 'Manuals' })
  expect(server.requests).toMatchObject([
    { line: 'POST /v1/vector_stores?api-version=2024-05-01-preview', apiKey: 'sk-ann', authorization: undefined },
  ])
})

it.each([
  ['POST', STORES, { name: 'x'.repeat(300) }, 'name'],
  ['POST', STORES, { file_ids: ['../secrets'] }, 'file_ids.0'],
  ['PATCH', `${STORES}/vs_1`, { file_ids: ['a/b'] }, 'file_ids.0'],
  ['GET', `${STORES}/..%2Ffiles`, undefined, 'id'],
  ['DELETE', '/openai-assistants-file/..%2Fassistants', undefined, 'id'],
  ['POST', UPLOAD, {}, 'files'],
])('refuses %s %s with %j and asks nobody', async (method, path, json, field) => {
  const refused = await call(method, path, json)
  expect([refused.status, refused.body.field, server.requests]).toEqual([400, field, []])
})

it('uses no credential of another workspace', async () => {
  for (const [method, path] of [
    ['GET', STORES],
    ['POST', STORES],
    ['DELETE', `${STORES}/vs_1`],
  ] as const)
    expect((await call(method, path, method === 'POST' ? {} : undefined, bob)).status).toBe(400)
  expect((await send(UPLOAD, [notes()], bob)).status).toBe(400)
  expect(server.requests).toEqual([])
})
