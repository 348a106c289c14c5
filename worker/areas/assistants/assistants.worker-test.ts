import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Assistant } from '#contract/assistants/assistants.ts'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { documentStores } from '#db/schema/index.ts'
import { call as callApi } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'
import { type ModelServer, messageText, startModelServer } from '../../../e2e/support/model-server.ts'

let model: ModelServer
let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  model = await startModelServer()
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: model.host })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await model.close()
})
beforeEach(() => model.reset())

const call = (method: string, path: string, json?: unknown, client = ann) => callApi(client, method, path, json)

const scripted = () => ({ name: 'chatOpenAICustom', inputs: { modelName: 'scripted', basepath: model.baseUrl } })

async function make(details: object = {}, client = ann): Promise<Assistant> {
  const text = JSON.stringify({ name: 'Helper', ...details })
  const made = await call('POST', '/assistants', { type: 'CUSTOM', details: text }, client)
  expect(made.status).toBe(200)
  return made.body
}

const flowOf = async (id: string): Promise<Chatflow> => (await call('GET', `/chatflows/${id}`)).body
const save = (id: string, details: object, more: object = {}) =>
  call('PUT', `/assistants/${id}`, { details: JSON.stringify(details), ...more })
const ask = (id: string, question: string) => call('POST', `/internal-prediction/${id}`, { question })

describe('a custom assistant', () => {
  it('answers with the practice model until it gets another one', async () => {
    const { id } = await make({ chatModel: {} })
    expect((await ask(id, 'Who are you?')).body.text).toContain('practice model')
  })

  it('runs with its model, its instructions and its tools', async () => {
    const { id } = await make({
      chatModel: scripted(),
      instruction: 'Speak like a pirate.',
      tools: [{ name: 'calculator', inputs: {} }],
    })
    model.reply({ text: 'Arr!' })
    expect((await ask(id, 'Hello')).body.text).toBe('Arr!')
    const [request] = model.requests
    expect(request?.body.messages.map(messageText)).toEqual(['Speak like a pirate.', 'Hello'])
    expect(request?.body.tools?.map((tool) => tool.function.name)).toEqual(['calculator'])
  })

  it('draws its flow anew with each save, and callers keep the published version', async () => {
    const { id } = await make({ instruction: 'Be brief.' })
    const first = await flowOf(id)
    expect(first).toMatchObject({ id, type: 'ASSISTANT', name: 'Helper', callers: 'keys', version: 1 })
    await call('POST', `/chatflows/${id}/publish`, {})
    expect((await save(id, { name: 'Renamed', instruction: 'Be kind.' })).status).toBe(200)
    expect(await flowOf(id)).toMatchObject({ name: 'Renamed', publishedVersion: 1, hasUnpublishedChanges: true })

    const key = (await call('POST', '/apikey', { keyName: 'k', permissions: [], flowIds: [id] })).body.apiKey
    const outside = (headers = {}) =>
      heddle.fetch(`/api/v1/prediction/${id}`, {
        method: 'POST',
        body: JSON.stringify({ question: 'Hi' }),
        headers: { 'content-type': 'application/json', ...headers },
      })
    expect((await outside()).status).toBe(401)
    const answered = await outside({ authorization: `Bearer ${key}` })
    expect((await answered.json()).text).toContain('“Be brief.”')
    expect((await ask(id, 'Hi')).body.text).toContain('“Be kind.”')
  })

  it('has runs, messages and statistics like an agent flow', async () => {
    const { id } = await make()
    await ask(id, 'Hi')
    expect((await call('GET', `/executions?agentflowId=${id}`)).body.total).toBe(1)
    expect((await call('GET', `/chatmessage/${id}`)).body).toHaveLength(2)
    expect((await call('GET', `/chatflows-streaming/${id}`)).body).toEqual({ isStreaming: true })
    const listed = (await call('GET', '/chatflows?runnable=true')).body
    expect(listed.map((flow: Chatflow) => flow.id)).toContain(id)
  })

  it('gives chat pages its starter questions and keeps their other settings', async () => {
    const { id } = await make({ starterPrompts: ['What can you do?'] })
    const chatbotConfig = JSON.stringify({
      ...JSON.parse((await flowOf(id)).chatbotConfig as string),
      botMessage: { color: 'red' },
    })
    await call('PUT', `/chatflows/${id}`, { chatbotConfig })
    await save(id, { name: 'Helper', starterPrompts: ['One', 'Two'] })
    expect(JSON.parse((await flowOf(id)).chatbotConfig as string)).toEqual({
      starterPrompts: { 0: { prompt: 'One' }, 1: { prompt: 'Two' } },
      botMessage: { color: 'red' },
    })
  })

  it('is not overwritten by an older page, even when its flow would stay the same', async () => {
    const { id } = await make()
    const { version } = await flowOf(id)
    const stores = (name: string) => ({ name: 'Helper', documentStores: [{ id: name }] })
    expect((await save(id, stores('first'), { version })).status).toBe(200)
    const late = await save(id, stores('late'), { version })
    expect([late.status, late.body.currentVersion]).toEqual([409, version + 1])
    expect(JSON.parse((await call('GET', `/assistants/${id}`)).body.details)).toMatchObject(stores('first'))
  })

  it('alone decides the name and the nodes of its flow', async () => {
    const { id } = await make()
    const { flowData } = await flowOf(id)
    for (const change of [{ name: 'Other' }, { flowData }]) {
      const refused = await call('PUT', `/chatflows/${id}`, change)
      expect([refused.status, refused.body.message]).toEqual([
        400,
        'This flow is drawn from its assistant. Save the assistant instead',
      ])
    }
    await save(id, { name: 'Helper', instruction: 'New' })
    expect((await call('POST', `/chatflows/${id}/versions/1/restore`, {})).status).toBe(400)
    expect((await call('PUT', `/chatflows/${id}`, { callers: 'everyone' })).body.callers).toBe('everyone')
  })

  it('keeps what Flowise stores besides, and names its flow', async () => {
    const chatModel = { ...scripted(), id: 'chatOpenAICustom_0', label: 'ChatOpenAI Custom', inputParams: [] }
    const { id, details } = await make({ chatModel, extra: { a: 1 } })
    expect(JSON.parse(details)).toMatchObject({ name: 'Helper', chatModel, extra: { a: 1 }, flowId: id })
  })
})

it('runs an assistant from a file of Flowise, whose own flow has another id', async () => {
  const id = crypto.randomUUID()
  const details = JSON.stringify({
    name: 'From Flowise',
    instruction: 'Be Flowise.',
    chatModel: {},
    flowId: crypto.randomUUID(),
  })
  const file = { AssistantCustom: [{ id, details, credential: '', iconSrc: '', type: 'CUSTOM' }] }
  expect((await call('POST', '/export-import/import', file)).status).toBe(200)
  expect((await ask(id, 'Hi')).body.text).toContain('“Be Flowise.”')
})

describe('deleting', () => {
  it.each([
    ['the assistant', '/assistants'],
    ['its flow', '/chatflows'],
  ])('%s removes both', async (_, path) => {
    const { id } = await make()
    await ask(id, 'Hi')
    expect((await call('DELETE', `${path}/${id}`)).body).toEqual({ raw: [], affected: 1 })
    for (const each of ['/assistants', '/chatflows']) expect((await call('GET', `${each}/${id}`)).status).toBe(404)
  })
})

it('lists how many flows call each assistant', async () => {
  const { id } = await make()
  const caller = chain(start(), node('executeFlowAgentflow', 0, { executeFlowSelectedFlow: id }))
  const flow = { name: 'Caller', type: 'AGENTFLOW', flowData: JSON.stringify(caller) }
  expect((await call('POST', '/chatflows', flow)).status).toBe(200)
  const listed = (await call('GET', '/assistants?type=CUSTOM')).body
  expect(listed).toContainEqual(expect.objectContaining({ id, usageCount: 1 }))
})

it('keeps assistants private to their workspace', async () => {
  const { id } = await make()
  const theirs = await make({}, bob)
  for (const [method, json] of [['GET'], ['PUT', { details: '{"name":"x"}' }], ['DELETE']] as const)
    expect((await call(method, `/assistants/${id}`, json, bob)).status).toBe(404)
  const seen = (await call('GET', '/assistants?type=CUSTOM', undefined, bob)).body
  expect(seen.map((each: Assistant) => each.id)).toEqual([theirs.id])
  expect((await call('GET', '/assistants?type=OPENAI', undefined, bob)).body).toEqual([])
  expect((await call('GET', `/assistants/${id}`)).body.id).toBe(id)
})

it('lists flows of imported assistants among the unsupported ones until their assistant is there', async () => {
  const json = { name: 'Kept', type: 'ASSISTANT', flowData: '{"nodes":[],"edges":[]}' }
  const { id } = (await call('POST', '/chatflows', json)).body
  const ids = async (runnable: boolean) =>
    (await call('GET', `/chatflows?runnable=${runnable}`)).body.map((flow: Chatflow) => flow.id)
  expect(await ids(false)).toContain(id)
  expect(await ids(true)).not.toContain(id)
})

it.each([
  ['a path', '../../etc/passwd'],
  ['an encoded path', '%2e%2e%2fadmin'],
  ['right to left', 'مساعد‮ Assistant'],
  ['emoji', '🧵🤖'],
  ['markup', '<img src=x onerror=alert(1)>'],
  ['a reference', '{{$vars.secret}}'],
  ['quotes', `"'\`; drop table assistants; --`],
])('keeps a name with %s as it is', async (_, name) => {
  const { id } = await make({ name })
  expect(JSON.parse((await call('GET', `/assistants/${id}`)).body.details).name).toBe(name)
  expect((await flowOf(id)).name).toBe(name)
})

const REFUSED: [string, unknown, string][] = [
  ['no name', {}, 'details.name'],
  ['a blank name', { name: ' ' }, 'details.name'],
  ['a long name', { name: 'a'.repeat(201) }, 'details.name'],
  ['a NUL in its name', { name: 'a\0b' }, 'details'],
  ['a list', [], 'details'],
  ['long instructions', { name: 'a', instruction: 'a'.repeat(100_001) }, 'details.instruction'],
  ['tools that are no list', { name: 'a', tools: {} }, 'details.tools'],
  ['a model without a name', { name: 'a', chatModel: { inputs: {} } }, 'details.chatModel'],
  ['too many starter questions', { name: 'a', starterPrompts: ['1', '2', '3', '4', '5'] }, 'details.starterPrompts'],
  ['nesting without end', { name: 'a', deep: JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) }, 'details'],
]
it.each(REFUSED)('refuses details with %s', async (_, details, field) => {
  const { status, body } = await call('POST', '/assistants', { type: 'CUSTOM', details: JSON.stringify(details) })
  expect([status, body.field]).toEqual([400, field])
})

it('refuses details of ten megabytes', async () => {
  const details = JSON.stringify({ name: 'a', instruction: 'a'.repeat(10_000_000) })
  expect((await call('POST', '/assistants', { type: 'CUSTOM', details })).status).toBe(413)
})

it.each(['..%2F..%2Fchatflows', '%00', `${'a'.repeat(101)}`, '🧵'])('finds no assistant at the id %s', async (id) => {
  expect([400, 404]).toContain((await call('GET', `/assistants/${id}`)).status)
})

describe('the parts of an assistant', () => {
  it('are the models and tools of the canvas', async () => {
    const names = async (part: string) =>
      (await call('GET', `/assistants/components/${part}`)).body.map(({ name }: { name: string }) => name)
    expect(await names('chatmodels')).toEqual(expect.arrayContaining(['practiceModel', 'chatOpenAI']))
    expect(await names('tools')).toEqual(expect.arrayContaining(['calculator', 'customMCP']))
    expect(await names('docstores')).toEqual([])
    const { body: menu } = await call('POST', '/document-store/store', { name: 'Menu', description: 'What we cook' })
    await call('POST', '/document-store/store', { name: 'Empty' })
    await heddle.database.update(documentStores).set({ status: 'UPSERTED' }).where(eq(documentStores.id, menu.id))
    expect((await call('GET', '/assistants/components/docstores')).body).toEqual([
      { name: menu.id, label: 'Menu', description: 'What we cook' },
    ])
  })
})

describe('generated instructions', () => {
  const generate = (json: object) => call('POST', '/assistants/generate/instruction', json)

  it('come from the chosen model', async () => {
    model.reply({ text: ' You are a tutor. \n' })
    const { body } = await generate({ task: 'Teach maths', selectedChatModel: scripted() })
    expect(body).toEqual({ content: 'You are a tutor.' })
    expect(messageText(model.requests[0]?.body.messages.at(-1))).toBe('Teach maths')
  })

  it('say what the practice model can do', async () => {
    const { body } = await generate({ task: 'Teach maths', selectedChatModel: { name: 'practiceModel' } })
    expect(body.content).toContain('choose another model')
  })

  it('fail with the provider’s message', async () => {
    model.reply({ error: { status: 400, message: 'No such model' } })
    const { status, body } = await generate({ task: 'Teach maths', selectedChatModel: scripted() })
    expect([status, body.message]).toEqual([422, expect.stringContaining('No such model')])
  })
})
