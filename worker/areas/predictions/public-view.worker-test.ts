// @defends public-call-starts
/**
 * What callers that are nobody are answered, kept in `snapshots/` for people to read. Ids, times and addresses are
 * replaced by names, and JSON inside a text is shown as JSON. After a change: run with `-u`, and read the difference.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, directReply, edge, get, llm, node, start } from '../../../e2e/support/flows.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { routes } from '../index.ts'
import { addHook, type HookOptions, SECRET } from '../triggers/webhook/testing/webhooks.ts'
import { eventsOf, openScene, type Reply, type Scene } from './testing/scene.ts'
import { visibleFieldsPage } from './testing/visible-fields.ts'

const FOLDER = join(import.meta.dirname, 'snapshots')
const PAGE = join(import.meta.dirname, '../../../docs/public-api-surface.md')
const PROMPT = 'You are the secret prompt'
const VARIABLE = 'value-of-the-variable'
const MODEL_KEY = 'key-of-the-model'
const BEARER = 'token-of-the-service'
const COOKIE = 'theirs=1'
const UNKNOWN_TOKEN = 'x'.repeat(43)

let scene: Scene
let echo: EchoServer
let credentials: { model: string; bearer: string }
/** What no answer may hold. */
let secrets: string[]
/** A key of the workspace, whose permissions are of no use here. */
let key: { id: string; apiKey: string }

beforeAll(async () => {
  echo = await startEchoServer()
  scene = await openScene({ allowPrivateHosts: echo.host })
  await scene.call('POST', '/variables', { name: 'key', value: VARIABLE })
  credentials = {
    model: await addCredential('openAIApi', { openAIApiKey: MODEL_KEY }),
    bearer: await addCredential('httpBearerToken', { token: BEARER }),
  }
  const { apiKey } = (
    await scene.call<{ apiKey: string }>('POST', '/apikey', { keyName: 'k', permissions: ['variables:view'] })
  ).body
  const [row] = (await scene.call<{ id: string }[]>('GET', '/apikey')).body
  key = { id: row?.id as string, apiKey }
  const hosts = [echo.host, scene.model.host]
  secrets = [PROMPT, VARIABLE, MODEL_KEY, BEARER, COOKIE, SECRET, apiKey, ...Object.values(credentials), ...hosts]
})
afterAll(async () => {
  await scene.close()
  await echo.close()
})
beforeEach(() => {
  scene.model.reset()
  scene.model.always(() => ({ text: 'Hello there' }))
  echo.requests.length = 0
})

async function addCredential(credentialName: string, plainDataObj: object): Promise<string> {
  const credential = { name: 'c', credentialName, plainDataObj, hosts: [echo.host, scene.model.host] }
  const { body } = await scene.call<{ id: string }>('POST', '/credentials', credential)
  return body.id
}

/** Uses everything that is to stay a secret, then answers. */
function secretive({ asks = false } = {}) {
  const model = llm(scene.model.baseUrl, 0, { llmMessages: [{ role: 'system', content: `${PROMPT} {{$vars.key}}` }] })
  const config = model.data.inputs?.llmModelConfig as Record<string, unknown>
  config.FLOWISE_CREDENTIAL_ID = credentials.model
  const request = get(`${echo.url}/?key={{$vars.key}}`)
  request.data.credential = credentials.bearer
  const reply = directReply('Done: {{llmAgentflow_0}}')
  const flow = chain(start(), model, request)
  if (!asks) return { nodes: [...flow.nodes, reply], edges: [...flow.edges, edge(request, reply)] }
  const ask = node('humanInputAgentflow', 0, {
    humanInputDescriptionType: 'fixed',
    humanInputDescription: 'Shall it?',
    humanInputEnableFeedback: true,
  })
  return {
    nodes: [...flow.nodes, ask, reply],
    edges: [...flow.edges, edge(request, ask), edge(ask, reply, 0)],
  }
}

/** A vector store with a document that only its owner knows. */
const secretStore = (loader = 'plainText') =>
  drawChat({ [`${loader}_0`]: { inputs: { text: PROMPT } }, practiceEmbeddings_0: {}, memoryVectorStore_0: {} }, [
    `${loader}_0 > memoryVectorStore_0.document`,
    'practiceEmbeddings_0 > memoryVectorStore_0.embeddings',
  ])

const saved = (more: object = {}) => scene.save(secretive(), more)
const question = { question: 'q' }
const ASKS_EMAIL = '{"leads":{"status":true,"email":true}}'
const LEAD = { name: 'Eve', email: 'eve@example.com' }
const MCP_PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** The answer of a finished run. */
async function ran(flow = secretive()): Promise<Reply & { flowId: string }> {
  const flowId = await scene.save(flow)
  return { ...(await scene.ask(flowId, question)).body, flowId }
}

async function shared(flow = secretive()): Promise<string> {
  const { executionId } = await ran(flow)
  await scene.call('PUT', `/executions/${executionId}`, { isPublic: true })
  return executionId
}

const hook = async (settings: HookOptions['settings'], more: HookOptions = {}) =>
  (await addHook(scene, { flow: secretive(), settings: { input: { mode: 'text', text: 'q' }, ...settings }, ...more }))
    .id

async function delivered(callbackUrl: string | null = null): Promise<{ id: string; deliveryId: string }> {
  const id = await hook({ response: 'async', callbackUrl })
  const { statusUrl } = await (await scene.heddle.fetch(`/api/v1/webhook/${id}`, { method: 'POST' })).json()
  const { pathname } = new URL(statusUrl)
  const status = async () => (await scene.heddle.fetch(pathname)).text()
  await expect.poll(status, { timeout: 10_000 }).toContain('SUCCESS')
  return { id, deliveryId: pathname.split('/').at(-1) as string }
}

async function rated() {
  const { flowId, chatId, chatMessageId } = await ran()
  return { chatflowid: flowId, chatId, messageId: chatMessageId, rating: 'THUMBS_UP' }
}

async function heard(more: object = {}) {
  const chatflowId = await saved(more)
  const { chatId, chatMessageId } = (await scene.ask(chatflowId, question)).body
  return { chatflowId, chatId, chatMessageId }
}

function textFile(): FormData {
  const form = new FormData()
  form.append('files', new File(['Their text'], 'notes.txt', { type: 'text/plain' }))
  return form
}

interface Asked {
  params?: Record<string, string>
  query?: string
  json?: object
  form?: FormData
  headers?: Record<string, string>
}

interface View {
  /** The name of the file. */
  name: string
  /** As it is mounted: `GET /public-chatflows/:id`. */
  route: string
  /** Makes what is asked for, and says how. */
  asks?(): Asked | Promise<Asked>
}

const PREDICTION = 'POST /prediction/:id'
const UPSERT = 'POST /vector/upsert/:id'
const CALLBACK = 'webhook-callback'
const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE']

const views: View[] = [
  { name: 'ping', route: 'GET /ping' },
  { name: 'health', route: 'GET /health' },
  { name: 'ready', route: 'GET /ready' },
  { name: 'metrics', route: 'GET /metrics' },
  { name: 'version', route: 'GET /version' },
  { name: 'settings', route: 'GET /settings' },
  { name: 'login-methods', route: 'GET /loginmethod/default' },
  {
    name: 'sign-in-methods',
    route: 'POST /auth/methods',
    asks: () => ({ json: { email: 'ann@example.com' } }),
  },
  { name: 'setup-check', route: 'GET /account/setup-check' },

  {
    name: 'oauth-callback',
    route: 'GET /oauth2-credential/callback',
    asks: () => ({ query: '?state=unknown&code=c' }),
  },
  {
    name: 'oauth-mcp-callback',
    route: 'GET /oauth2-mcp/callback',
    asks: () => ({ query: '?state=unknown&code=c' }),
  },

  { name: 'prediction', route: PREDICTION, asks: async () => ({ params: { id: await saved() }, json: question }) },
  {
    name: 'prediction-stream',
    route: PREDICTION,
    asks: async () => ({ params: { id: await saved() }, json: { ...question, streaming: true } }),
  },
  {
    name: 'prediction-waiting',
    route: PREDICTION,
    asks: async () => ({ params: { id: await scene.save(secretive({ asks: true })) }, json: question }),
  },
  {
    name: 'prediction-waiting-stream',
    route: PREDICTION,
    asks: async () => ({
      params: { id: await scene.save(secretive({ asks: true })) },
      json: { ...question, streaming: true },
    }),
  },
  {
    name: 'prediction-failed',
    route: PREDICTION,
    async asks() {
      scene.model.always(() => ({ error: { status: 400, message: `No such model: ${MODEL_KEY}` } }))
      return { params: { id: await saved() }, json: question }
    },
  },
  {
    name: 'prediction-invalid',
    route: PREDICTION,
    asks: async () => ({ params: { id: await saved() }, json: { question: 7 } }),
  },
  {
    name: 'prediction-without-key',
    route: PREDICTION,
    asks: async () => ({ params: { id: await saved({ apikeyid: key.id }) }, json: question }),
  },
  { name: 'prediction-of-nothing', route: PREDICTION, asks: () => ({ params: { id: NOBODY }, json: question }) },
  {
    name: 'prediction-too-often',
    route: PREDICTION,
    async asks() {
      const rateLimit = { status: true, limitMax: 1, limitDuration: 3600, limitMsg: 'Slow down' }
      const id = await saved({ apiConfig: JSON.stringify({ rateLimit }) })
      await scene.ask(id, question)
      return { params: { id }, json: question }
    },
  },
  {
    name: 'prediction-followed',
    route: 'GET /prediction/:id/:executionId',
    async asks() {
      const { flowId, executionId, chatId = '', action } = await ran(secretive({ asks: true }))
      await scene.internally(flowId, { chatId, humanInput: { type: 'proceed', executionId } })
      return {
        params: { id: flowId, executionId },
        query: `?${new URLSearchParams({ chatId, question: action?.id ?? '' })}`,
      }
    },
  },
  {
    name: 'abort',
    route: 'PUT /chatmessage/abort/:id/:chatId',
    async asks() {
      const { flowId, chatId } = await ran()
      return { params: { id: flowId, chatId } }
    },
  },

  {
    name: 'upsert',
    route: UPSERT,
    asks: async () => ({ params: { id: await scene.save(secretStore(), { type: 'CHATFLOW' }) }, json: {} }),
  },
  {
    name: 'upsert-without-key',
    route: UPSERT,
    asks: async () => ({
      params: { id: await scene.save(secretStore(), { type: 'CHATFLOW', apikeyid: key.id }) },
      json: {},
    }),
  },
  {
    name: 'upsert-of-files-unasked',
    route: UPSERT,
    asks: async () => ({
      params: { id: await scene.save(secretStore('textFile'), { type: 'CHATFLOW' }) },
      form: textFile(),
    }),
  },
  {
    name: 'upsert-without-store',
    route: UPSERT,
    asks: async () => ({ params: { id: await saved() }, json: {} }),
  },
  {
    name: 'shared-flow',
    route: 'GET /public-chatflows/:id',
    asks: async () => ({ params: { id: await saved({ isPublic: true }) } }),
  },
  {
    name: 'shared-flow-that-is-private',
    route: 'GET /public-chatflows/:id',
    asks: async () => ({ params: { id: await saved() } }),
  },
  {
    name: 'chatbot-config',
    route: 'GET /public-chatbotConfig/:id',
    asks: async () => ({ params: { id: await saved({ isPublic: true }) } }),
  },
  {
    name: 'flow-streams',
    route: 'GET /chatflows-streaming/:id',
    asks: async () => ({ params: { id: await saved() } }),
  },
  { name: 'flow-uploads', route: 'GET /chatflows-uploads/:id', asks: async () => ({ params: { id: await saved() } }) },
  { name: 'flows-of-unknown-key', route: 'GET /chatflows/apikey/:key', asks: () => ({ params: { key: 'unknown' } }) },
  {
    name: 'flows-of-limited-key',
    route: 'GET /chatflows/apikey/:key',
    asks: () => ({ params: { key: key.apiKey } }),
  },
  { name: 'unknown-key', route: 'GET /verify/apikey/:key', asks: () => ({ params: { key: 'unknown' } }) },

  {
    name: 'shared-run',
    route: 'GET /public-executions/:id',
    asks: async () => ({ params: { id: await shared() } }),
  },
  {
    name: 'shared-run-waiting',
    route: 'GET /public-executions/:id',
    asks: async () => ({ params: { id: await shared(secretive({ asks: true })) } }),
  },
  {
    name: 'shared-run-that-is-private',
    route: 'GET /public-executions/:id',
    asks: async () => ({ params: { id: (await ran()).executionId } }),
  },
  {
    name: 'shared-run-answered',
    route: 'POST /public-executions/:id/answer',
    asks: async () => ({ params: { id: await shared(secretive({ asks: true })) }, json: { type: 'proceed' } }),
  },
  {
    name: 'shared-run-answered-stream',
    route: 'POST /public-executions/:id/answer',
    asks: async () => ({
      params: { id: await shared(secretive({ asks: true })) },
      json: { type: 'proceed', streaming: true },
    }),
  },
  {
    name: 'shared-run-answered-twice',
    route: 'POST /public-executions/:id/answer',
    asks: async () => ({ params: { id: await shared() }, json: { type: 'proceed' } }),
  },

  {
    name: 'webhook',
    route: 'POST /webhook/:id',
    asks: async () => ({ params: { id: await hook({ response: 'sync' }) }, json: {} }),
  },
  {
    name: 'webhook-stream',
    route: 'POST /webhook/:id',
    asks: async () => ({ params: { id: await hook({ response: 'stream' }) }, json: {} }),
  },
  {
    name: 'webhook-async',
    route: 'POST /webhook/:id',
    asks: async () => ({ params: { id: await hook({ response: 'async' }) }, json: {} }),
  },
  {
    name: 'webhook-unsigned',
    route: 'POST /webhook/:id',
    asks: async () => ({ params: { id: await hook({ signature: 'heddle' }, { secret: SECRET }) }, json: {} }),
  },
  { name: 'webhook-of-nothing', route: 'POST /webhook/:id', asks: () => ({ params: { id: NOBODY }, json: {} }) },
  {
    name: 'webhook-too-often',
    route: 'POST /webhook/:id',
    async asks() {
      const id = await hook({}, { operations: { perMinute: 1 } })
      await scene.heddle.fetch(`/api/v1/webhook/${id}`, { method: 'POST' })
      return { params: { id }, json: {} }
    },
  },
  ...OTHER_METHODS.map((method) => ({
    name: `webhook-by-${method.toLowerCase()}`,
    route: `${method} /webhook/:id`,
    asks: async () => ({ params: { id: await hook({}) } }),
  })),
  {
    name: 'webhook-status',
    route: 'GET /webhook/:id/deliveries/:deliveryId',
    asks: async () => ({ params: await delivered() }),
  },

  { name: 'feedback', route: 'POST /feedback', asks: async () => ({ json: await rated() }) },
  {
    name: 'feedback-of-flow',
    route: 'POST /feedback/:id',
    async asks() {
      const json = await rated()
      return { params: { id: json.chatflowid }, json }
    },
  },
  {
    name: 'feedback-changed',
    route: 'PUT /feedback/:id',
    async asks() {
      const { id } = (await scene.call<{ id: string }>('POST', '/feedback', await rated(), scene.heddle.newClient()))
        .body
      return { params: { id }, json: { content: 'Good' } }
    },
  },
  {
    name: 'lead',
    route: 'POST /leads',
    asks: async () => ({
      json: { chatflowid: await saved({ chatbotConfig: ASKS_EMAIL }), chatId: chatIdOf('theirs'), ...LEAD },
    }),
  },
  {
    name: 'lead-unasked',
    route: 'POST /leads',
    asks: async () => ({ json: { chatflowid: await saved(), chatId: chatIdOf('theirs'), ...LEAD } }),
  },
  {
    name: 'completion-without-key',
    route: 'POST /chat/completions',
    asks: async () => ({ json: { model: await saved(), messages: [{ role: 'user', content: 'q' }] } }),
  },
  {
    name: 'completion-of-nothing',
    route: 'POST /chat/completions',
    asks: () => ({ json: { model: NOBODY, messages: [{ role: 'user', content: 'q' }] } }),
  },
  { name: 'models-without-key', route: 'GET /models' },
  { name: 'mcp-without-key', route: 'POST /mcp', asks: () => ({ json: MCP_PING }) },
  {
    name: 'mcp-of-flow-without-token',
    route: 'POST /mcp/:id',
    async asks() {
      const id = await saved()
      await scene.call('POST', `/mcp-server/${id}`, {})
      return { params: { id }, json: MCP_PING }
    },
  },
  {
    name: 'mcp-of-flow-with-token',
    route: 'POST /mcp/:id',
    async asks() {
      const id = await saved()
      const { token } = (await scene.call<{ token: string }>('POST', `/mcp-server/${id}`, { toolName: 'tool' })).body
      const params = { name: 'tool', arguments: question }
      return {
        params: { id },
        json: { ...MCP_PING, method: 'tools/call', params },
        headers: { authorization: `Bearer ${token}` },
      }
    },
  },
  {
    name: 'mcp-of-flow-that-is-off',
    route: 'POST /mcp/:id',
    asks: async () => ({ params: { id: await saved() }, json: MCP_PING }),
  },
  { name: 'model-without-key', route: 'GET /models/:id', asks: async () => ({ params: { id: await saved() } }) },
  {
    name: 'speech-of-silent-flow',
    route: 'POST /text-to-speech/generate',
    asks: async () => ({ json: await heard() }),
  },
  {
    name: 'speech-refused-by-provider',
    route: 'POST /text-to-speech/generate',
    asks: async () => ({ json: await heard({ textToSpeech: '{"openai":{"status":true}}' }) }),
  },
  { name: 'speech-stopped', route: 'POST /text-to-speech/abort', asks: async () => ({ json: await heard() }) },
  {
    name: 'attachments',
    route: 'POST /attachments/:id/:chatId',
    asks: async () => ({
      params: { id: await saved({ chatbotConfig: '{"fullFileUpload":{"status":true}}' }), chatId: chatIdOf('theirs') },
      form: textFile(),
    }),
  },
  {
    name: 'file-of-nothing',
    route: 'GET /get-upload-file',
    asks: () => ({ query: `?chatflowId=${NOBODY}&chatId=theirs&fileName=notes.txt` }),
  },
  {
    name: 'file-of-an-answer-of-nothing',
    route: 'POST /openai-assistants-file/download',
    asks: () => ({ json: { chatflowId: NOBODY, chatId: chatIdOf('theirs'), fileName: 'notes.txt' } }),
  },

  {
    name: 'registered',
    route: 'POST /account/register',
    asks: () => ({ json: { name: 'Eve', email: 'eve@example.com', password: 'Correct-horse-9-staple' } }),
  },
  {
    name: 'email-to-confirm',
    route: 'POST /account/resend-verification',
    asks: () => ({ json: { email: 'nobody@example.com' } }),
  },
  {
    name: 'email-to-reset',
    route: 'POST /account/forgot-password',
    asks: () => ({ json: { email: 'nobody@example.com' } }),
  },
  { name: 'undo-email-refused', route: 'POST /account/email/undo', asks: () => ({ json: { token: 'guessed' } }) },
  { name: 'verify-refused', route: 'POST /account/verify', asks: () => ({ json: { token: 'guessed' } }) },
  {
    name: 'reset-refused',
    route: 'POST /account/reset-password',
    asks: () => ({ json: { token: 'guessed', password: 'Correct-horse-9-staple' } }),
  },
  { name: 'basic-auth', route: 'GET /account/basic-auth' },
  {
    name: 'basic-auth-given',
    route: 'POST /account/basic-auth',
    asks: () => ({ json: { username: 'nobody', password: 'guessed' } }),
  },
  {
    name: 'login-refused',
    route: 'POST /auth/login',
    asks: () => ({ json: { email: 'nobody@example.com', password: 'Correct-horse-9-staple' } }),
  },
  {
    name: 'second-step-refused',
    route: 'POST /auth/second-step',
    asks: () => ({ json: { challenge: 'guessed', code: '123456' } }),
  },
  {
    name: 'invitation-refused',
    route: 'POST /account/invitation',
    asks: () => ({ json: { token: UNKNOWN_TOKEN } }),
  },
  {
    name: 'invitation-not-accepted',
    route: 'POST /account/invitation/accept',
    asks: () => ({ json: { token: UNKNOWN_TOKEN, name: 'Eve', password: 'Correct-horse-9-staple' } }),
  },
  { name: 'refresh-refused', route: 'POST /auth/refreshToken' },
  { name: 'logout', route: 'POST /account/logout' },
]

/** Public routes without a snapshot, and why they need none. */
const LEFT_OUT: Record<string, string> = {
  'POST /auth/passkey/options': 'answers random bytes, and has tests of its own',
  'POST /auth/passkey': 'takes what a passkey signed, and has tests of its own',
  'GET /sso/:id/callback': 'leads to a page that says what came of it, and has tests of its own',
  'GET /sso/:id/start': 'leads to a provider or a page, and has tests of its own',
  'GET /openapi.json': 'describes the calls alone, and has tests of its own',
  'GET /node-icon/:name': 'is drawn from the name of a component',
  'GET /components-credentials-icon/:name': 'is drawn from the name of a credential type',
}

function call({ route }: View, { params = {}, query = '', json, form, headers }: Asked): Promise<Response> {
  const [method, path] = route.split(' ') as [string, string]
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] as string))
  const init = { method, json, body: form ?? null, headers: headers ?? {} }
  return scene.heddle.newClient().fetch(`/api/v1${filled}${query}`, init)
}

/** An answer as text: the route, the status, the headers that are told to the caller, and the body. */
async function describeAnswer({ route }: View, response: Response): Promise<{ raw: string; text: string }> {
  const raw = await response.text()
  const cookies = response.headers.getSetCookie().map((cookie) => `Set-Cookie: ${cookie.split('=')[0]}`)
  const type = response.headers.get('content-type') ?? ''
  const head = [route, '', `${response.status} ${type}`, ...cookies]
  return { raw, text: `${head.join('\n')}\n\n${normalise(bodyOf(type, raw))}\n` }
}

function bodyOf(type: string, raw: string): string {
  if (type.startsWith('application/json')) return pretty(JSON.parse(raw))
  if (type.startsWith('text/event-stream')) return eventsOf(raw).map(pretty).join('\n')
  return raw
}

const pretty = (value: unknown): string => JSON.stringify(value, (_, inner) => unfolded(inner), 2)

/** JSON inside of a text, such as `flowData`, as JSON. */
function unfolded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  try {
    return { '(JSON text)': JSON.parse(value) }
  } catch {
    return value
  }
}

/** Each id gets a number, in the order of their appearance, so that the same id can be told. */
function normalise(text: string): string {
  const ids: string[] = []
  const numbered = (id: string) => {
    if (!ids.includes(id)) ids.push(id)
    return `<id ${ids.indexOf(id) + 1}>`
  }
  return text
    .replaceAll(scene.heddle.url, '<origin>')
    .replaceAll(`"${VERSION}"`, '"<version>"')
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, numbered)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)/g, '<time>')
    .replace(/"duration": \d+/g, '"duration": "<milliseconds>"')
    .replace(/\d+ seconds/g, '<seconds>')
    .replace(/127\.0\.0\.1:\d+/g, '<host>')
}

/** Every header that anonymous callers get, whatever they ask for. */
const HEADERS = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'allow',
  'cache-control',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'location',
  'referrer-policy',
  'retry-after',
  'set-cookie',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
  'x-request-id',
]

function expectKnownHeaders(headers: Headers): void {
  expect([...headers.keys()].filter((name) => !HEADERS.includes(name))).toEqual([])
  expectNoSecretIn(JSON.stringify([...headers]))
}

function expectNoSecretIn(text: string): void {
  for (const secret of secrets) expect(text).not.toContain(secret)
}

it.each(views)('$name is answered to nobody as its snapshot shows', async (view) => {
  const response = await call(view, (await view.asks?.()) ?? {})
  expectKnownHeaders(response.headers)
  const { raw, text } = await describeAnswer(view, response)
  expectNoSecretIn(raw)
  await expect(text).toMatchFileSnapshot(join(FOLDER, `${view.name}.txt`))
})

it('the callback of a webhook is sent as its snapshot shows', async () => {
  await delivered(`${echo.url}/callback`)
  const callback = () => echo.requests.find(({ url }) => url === '/callback')
  await expect.poll(callback, { timeout: 10_000 }).toBeDefined()
  const body = callback()?.body as string
  expectNoSecretIn(body)
  const text = `POST to the callback address\n\n${normalise(pretty(JSON.parse(body)))}\n`
  await expect(text).toMatchFileSnapshot(join(FOLDER, `${CALLBACK}.txt`))
})

it('the secrets of the flow are in use', async () => {
  await ran()
  const [asked] = scene.model.requests
  expect(asked?.headers.authorization).toBe(`Bearer ${MODEL_KEY}`)
  expect(JSON.stringify(asked?.body.messages)).toContain(`${PROMPT} ${VARIABLE}`)
  expect(echo.requests[0]).toMatchObject({
    url: `/?key=${VARIABLE}`,
    headers: expect.objectContaining({ authorization: `Bearer ${BEARER}` }),
  })
})

it('no snapshot holds a secret, and none is left over', () => {
  const names = [...views.map(({ name }) => name), CALLBACK]
  for (const file of readdirSync(FOLDER)) {
    expect(names).toContain(file.replace(/\.txt$/, ''))
    expectNoSecretIn(readFileSync(join(FOLDER, file), 'utf8'))
  }
})

it('every public route has a snapshot, or a reason for none', () => {
  const mounted = routes.filter(({ access }) => access === 'public').map(({ method, path }) => `${method} ${path}`)
  const known = [...new Set(views.map(({ route }) => route)), ...Object.keys(LEFT_OUT)]
  expect(known.toSorted()).toEqual(mounted.toSorted())
})

it('the page for owners lists every field that anonymous callers see', async () => {
  await expect(visibleFieldsPage(FOLDER)).toMatchFileSnapshot(PAGE)
})
