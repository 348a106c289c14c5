// @defends anonymous-key-workspace
/** Who gets into a flow through each public call that names one. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Chatflow } from '#contract/chatflows/chatflows.ts'
import { chatflows, rateLimits } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from './testing/scene.ts'

let scene: Scene
let bob: TestClient
const SITE = 'https://good.example'
const simple = () => chain(start(), directReply('in'))
const flowData = JSON.stringify(simple())

beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
})
afterAll(() => scene.close())
beforeEach(() => scene.heddle.database.delete(rateLimits))

/** Files and leads are accepted too. */
const chatbotConfig = (...allowedOrigins: string[]) =>
  JSON.stringify({ allowedOrigins, fullFileUpload: { status: true }, leads: { status: true, name: true } })

/** As the builder makes one: nothing is said about callers. */
async function made(more: object = {}): Promise<Chatflow> {
  const body = { name: 'New', type: 'AGENTFLOW', flowData, chatbotConfig: chatbotConfig(), ...more }
  return (await scene.call<Chatflow>('POST', '/chatflows', body)).body
}

async function keyOf(client: TestClient, permissions: string[]): Promise<{ id: string; authorization: string }> {
  const body = { keyName: 'k', permissions }
  const key = (await scene.call<{ id: string; apiKey: string }>('POST', '/apikey', body, client)).body
  return { id: key.id, authorization: `Bearer ${key.apiKey}` }
}

/** A chat that exists, so that only the caller decides. */
interface Chat {
  flowId: string
  chatId: string
  messageId: string
  feedbackId: string
}

/** What a member did with the flow before. */
async function chatOf(flowId: string): Promise<Chat> {
  const uploads = [{ type: 'file:full', name: 'notes.txt', mime: 'text/plain', data: 'Their text' }]
  const { chatId, chatMessageId: messageId } = (await scene.internally(flowId, { question: 'q', uploads })).body
  const opinion = { chatflowid: flowId, chatId, messageId, rating: 'THUMBS_UP' }
  const { id: feedbackId } = (await scene.call<{ id: string }>('POST', '/feedback', opinion)).body
  return { flowId, chatId: chatId as string, messageId, feedbackId }
}

function textFile(): FormData {
  const form = new FormData()
  form.append('files', new File(['Their text'], 'notes.txt', { type: 'text/plain' }))
  return form
}

type Call = (chat: Chat) => [method: string, path: string, body?: object | FormData]

const publicCalls: Record<string, Call> = {
  'POST /prediction/:id': ({ flowId }) => ['POST', `/prediction/${flowId}`, { question: 'q' }],
  'GET /public-chatbotConfig/:id': ({ flowId }) => ['GET', `/public-chatbotConfig/${flowId}`],
  'GET /chatflows-uploads/:id': ({ flowId }) => ['GET', `/chatflows-uploads/${flowId}`],
  'POST /attachments/:id/:chatId': ({ flowId, chatId }) => ['POST', `/attachments/${flowId}/${chatId}`, textFile()],
  'PUT /chatmessage/abort/:id/:chatId': ({ flowId, chatId }) => ['PUT', `/chatmessage/abort/${flowId}/${chatId}`],
  'POST /feedback': ({ flowId, chatId, messageId }) => [
    'POST',
    '/feedback',
    { chatflowid: flowId, chatId, messageId, rating: 'THUMBS_UP' },
  ],
  'POST /feedback/:id': ({ flowId, chatId, messageId }) => [
    'POST',
    `/feedback/${flowId}`,
    { chatflowid: flowId, chatId, messageId, rating: 'THUMBS_UP' },
  ],
  'POST /leads': ({ flowId, chatId }) => ['POST', '/leads', { chatflowid: flowId, chatId, name: 'Eve' }],
  'GET /get-upload-file': ({ flowId, chatId }) => [
    'GET',
    `/get-upload-file?${new URLSearchParams({ chatflowId: flowId, chatId, fileName: 'notes.txt' })}`,
  ],
  'POST /openai-assistants-file/download': ({ flowId, chatId }) => [
    'POST',
    '/openai-assistants-file/download',
    { chatflowId: flowId, chatId, fileName: 'notes.txt' },
  ],
  'PUT /feedback/:id': ({ feedbackId }) => ['PUT', `/feedback/${feedbackId}`, { content: 'Good' }],
}

describe.each(Object.entries(publicCalls))('%s', (_name, callOf) => {
  async function statusOf(chat: Chat, headers: Record<string, string>): Promise<number> {
    const [method, path, json] = callOf(chat)
    const isForm = json instanceof FormData
    const sent = { ...(json && !isForm && { 'content-type': 'application/json' }), ...headers }
    const body = isForm ? json : json && JSON.stringify(json)
    return (await scene.heddle.fetch(`/api/v1${path}`, { method, headers: sent, body: body ?? null })).status
  }
  const statusFor = async (chat: Chat, client: TestClient) => {
    const [method, path, json] = callOf(chat)
    const body = json instanceof FormData ? { body: json } : { json }
    return (await client.fetch(`/api/v1${path}`, { method, ...body })).status
  }

  it('answers members and keys that may run flows, and nobody else, while a flow is new', async () => {
    const chat = await chatOf((await made()).id)
    expect(await statusOf(chat, {})).toBe(401)
    expect(await statusOf(chat, { origin: SITE })).toBe(401)
    expect(await statusOf(chat, { authorization: 'Bearer nonsense' })).toBe(401)
    const { authorization: foreign } = await keyOf(bob, ['agentflows:view'])
    expect(await statusOf(chat, { authorization: foreign })).toBe(401)
    const { authorization: weak } = await keyOf(scene.ann, ['variables:view', 'chatflows:view'])
    expect(await statusOf(chat, { authorization: weak })).toBe(403)
    expect(await statusFor(chat, bob)).toBe(401)
    const { authorization } = await keyOf(scene.ann, ['agentflows:view'])
    expect(await statusOf(chat, { authorization })).toBe(200)
    expect(await statusFor(chat, scene.ann)).toBe(200)
  })

  it('answers members only, when its owner says so', async () => {
    const chat = await chatOf((await made({ callers: 'members' })).id)
    const { authorization } = await keyOf(scene.ann, ['agentflows:view'])
    expect(await statusOf(chat, {})).toBe(401)
    expect(await statusOf(chat, { authorization })).toBe(403)
    expect(await statusFor(chat, scene.ann)).toBe(200)
  })

  it('answers pages of the sites that its owner lists', async () => {
    const chat = await chatOf((await made({ callers: 'sites', chatbotConfig: chatbotConfig(SITE) })).id)
    expect(await statusOf(chat, { origin: SITE })).toBe(200)
    expect(await statusOf(chat, { origin: 'https://evil.example' })).toBe(401)
    expect(await statusOf(chat, {})).toBe(401)
  })

  it('answers the one key that its owner chose', async () => {
    const own = await keyOf(scene.ann, ['variables:view'])
    const other = await keyOf(scene.ann, ['agentflows:view'])
    const chat = await chatOf((await made({ apikeyid: own.id })).id)
    expect(await statusOf(chat, { authorization: own.authorization })).toBe(200)
    expect(await statusOf(chat, { authorization: other.authorization })).toBe(401)
  })

  it('answers everyone, when its owner says so', async () => {
    expect(await statusOf(await chatOf((await made({ callers: 'everyone' })).id), {})).toBe(200)
  })
})

it('a page of a listed site shows the pictures of its chats, and other pages do not', async () => {
  const { flowId, chatId } = await chatOf((await made({ callers: 'sites', chatbotConfig: chatbotConfig(SITE) })).id)
  const path = `/api/v1/get-upload-file?${new URLSearchParams({ chatflowId: flowId, chatId, fileName: 'notes.txt' })}`
  const shown = async (referer: string, more: object = {}) => {
    const headers = { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site', referer, ...more }
    return (await scene.heddle.fetch(path, { headers })).status
  }
  expect(await shown(`${SITE}/shop`)).toBe(200)
  expect(await shown('https://evil.example/shop')).toBe(401)
  expect(await shown(`${SITE}/shop`, { 'sec-fetch-dest': 'document' })).toBe(401)
})

it('a page of another site can read why it was refused, and learns nothing by cookies', async () => {
  const origin = 'https://evil.example'
  const keysOnly = await made()
  const sites = await made({ callers: 'sites', chatbotConfig: chatbotConfig(SITE) })
  const once = JSON.stringify({ rateLimit: { status: true, limitMax: 1, limitDuration: 3600, limitMsg: 'Later' } })
  const words = JSON.stringify({ allowedOrigins: [SITE], allowedOriginsError: 'Ask shop@good.example' })
  const worded = await made({ callers: 'sites', chatbotConfig: words })
  const limited = await made({ callers: 'everyone', apiConfig: once })
  await scene.ask(limited.id, { question: 'q' })
  const broken = await made({ callers: 'everyone', flowData: JSON.stringify({ nodes: [], edges: [] }) })
  const cases: [flowId: string, status: number, says: string][] = [
    [crypto.randomUUID(), 401, 'API key'],
    ['no-id', 400, 'id of a flow'],
    [keysOnly.id, 401, 'API key'],
    [sites.id, 401, 'API key'],
    [worded.id, 403, 'Ask shop@good.example'],
    [limited.id, 429, 'Later'],
    [broken.id, 500, ''],
  ]
  for (const [flowId, status, says] of cases) {
    const path = `/api/v1/prediction/${flowId}`
    const asks = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' }
    const allowed = await scene.heddle.fetch(path, { method: 'OPTIONS', headers: asks })
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const headers = { origin, 'content-type': 'application/json' }
    const refused = await scene.heddle.fetch(path, { method: 'POST', headers, body: '{"question":"q"}' })
    expect(await refused.text()).toContain(says)
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([status, '*'])
    for (const { headers } of [allowed, refused]) expect(headers.get('access-control-allow-credentials')).toBeNull()
  }
})

describe('a key for chosen flows', () => {
  const limitedTo = async (flowIds: string[], client = scene.ann) =>
    scene.call<{ apiKey: string; field?: string }>(
      'POST',
      '/apikey',
      { keyName: 'k', permissions: [], flowIds },
      client,
    )
  const askWith = async (apiKey: string, { id }: Chatflow) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"question":"q"}' }
    return scene.heddle.fetch(`/api/v1/prediction/${id}`, init)
  }

  it('runs those, and neither runs nor reads anything else', async () => {
    const [chosen, other] = [await made(), await made()]
    const { apiKey } = (await limitedTo([chosen.id])).body
    expect((await askWith(apiKey, chosen)).status).toBe(200)
    expect((await askWith(apiKey, other)).status).toBe(403)
    const headers = { authorization: `Bearer ${apiKey}` }
    expect((await scene.heddle.fetch(`/api/v1/chatflows/${chosen.id}`, { headers })).status).toBe(403)
    expect((await scene.heddle.fetch(`/api/v1/chatflows/apikey/${apiKey}`)).status).toBe(403)
  })

  it('sees an outline of the run, as anonymous callers do', async () => {
    const chosen = await made()
    const { apiKey } = (await limitedTo([chosen.id])).body
    const { agentFlowExecutedData } = await (await askWith(apiKey, chosen)).json()
    expect(JSON.stringify(agentFlowExecutedData)).not.toContain('"input"')
    const { authorization } = await keyOf(scene.ann, ['agentflows:view'])
    const whole = await (await askWith(authorization.replace('Bearer ', ''), chosen)).json()
    expect(JSON.stringify(whole.agentFlowExecutedData)).toContain('"input"')
  })

  it('is made only for flows of its workspace', async () => {
    const foreign = await limitedTo([(await made()).id], bob)
    expect([foreign.status, foreign.body.field]).toEqual([400, 'flowIds.0'])
  })

  it('allows something', async () => {
    expect((await limitedTo([])).body).toMatchObject({ statusCode: 400, field: 'permissions' })
  })
})

it('a refusal says what to do', async () => {
  const { id } = await made()
  const { body } = await scene.ask(id, { question: 'q' })
  expect(body.message).toContain('it needs an API key of its workspace (Authorization: Bearer <key>)')
})

it('a member’s session opens a flow only with the page’s own XSRF header', async () => {
  const { id } = await made()
  const init = { method: 'POST', json: { question: 'q' }, headers: { 'x-xsrf-token': 'forged' } }
  expect((await scene.ann.fetch(`/api/v1/prediction/${id}`, init)).status).toBe(403)
})

it('a flow that is stored without its callers answers keys, and one from before the rule everyone', async () => {
  const { id } = await made({ callers: 'everyone' })
  const [row] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, id))
  if (!row) throw new Error('The flow is not stored')
  const { callers: _, ...rest } = { ...row, id: crypto.randomUUID() }
  await scene.heddle.database.insert(chatflows).values(rest)
  expect((await scene.ask(rest.id, { question: 'q' })).status).toBe(401)
  const old = crypto.randomUUID()
  await scene.heddle.database.run(sql`
    insert into chatflows (id, workspace_id, name, flow_data, type, version, created_date, updated_date)
    select ${old}, workspace_id, name, flow_data, type, version, created_date, updated_date from chatflows where id = ${id}
  `)
  expect((await scene.ask(old, { question: 'q' })).status).toBe(200)
})

it('the rate limit of a flow counts callers with a key too, each flow for itself', async () => {
  const apiConfig = JSON.stringify({ rateLimit: { status: true, limitMax: 1, limitDuration: 3600 } })
  const { authorization } = await keyOf(scene.ann, ['agentflows:view'])
  const [one, other] = [await made({ apiConfig }), await made({ apiConfig })]
  const ask = async ({ id }: Chatflow) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"question":"q"}' }
    return (await scene.heddle.fetch(`/api/v1/prediction/${id}`, init)).status
  }
  expect([await ask(one), await ask(one), await ask(other)]).toEqual([200, 429, 200])
})

it('a workspace file keeps who may call its flows, and needs a key where it does not say', async () => {
  const id = crypto.randomUUID()
  const [members, open] = [crypto.randomUUID(), crypto.randomUUID()]
  const item = { name: 'From outside', type: 'AGENTFLOW', flowData }
  const AgentFlowV2 = [
    { ...item, id },
    { ...item, id: members, callers: 'members' },
    { ...item, id: open, callers: 'everyone' },
  ]
  const report = await scene.call<{ report: { flows: { notes: string[] }[] } }>('POST', '/export-import/import', {
    AgentFlowV2,
  })
  const said = report.body.report.flows.map(({ notes }) => notes.filter((note) => note.includes('Share')).length)
  expect(said).toEqual([1, 0, 1])
  const statuses = [id, members, open].map(async (each) => (await scene.ask(each, { question: 'q' })).status)
  expect(await Promise.all(statuses)).toEqual([401, 401, 200])
})
