/**
 * What callers that are nobody are answered, kept in `snapshots/` for people to read. Ids, times and addresses are
 * replaced by names, and JSON inside a text is shown as JSON. After a change: run with `-u`, and read the difference.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { VERSION } from '#contract/version.ts'
import { type EchoServer, startEchoServer } from '../../../e2e/support/echo-server.ts'
import { chain, directReply, edge, get, llm, node, start } from '../../../e2e/support/flows.ts'
import { routes } from '../index.ts'
import { addHook, type HookOptions, SECRET } from '../triggers/webhook/testing/webhooks.ts'
import { eventsOf, openScene, type Reply, type Scene } from './testing/scene.ts'

const FOLDER = join(import.meta.dirname, 'snapshots')
const PROMPT = 'You are the secret prompt'
const VARIABLE = 'value-of-the-variable'
const MODEL_KEY = 'key-of-the-model'
const BEARER = 'token-of-the-service'
const COOKIE = 'theirs=1'

let scene: Scene
let echo: EchoServer
let credentials: { model: string; bearer: string }
/** What no answer may hold. */
let secrets: string[]
/** Of the workspace, with permissions that are of no use here. */
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
  const { body } = await scene.call<{ id: string }>('POST', '/credentials', { name: 'c', credentialName, plainDataObj })
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

const saved = (more: object = {}) => scene.save(secretive(), more)
const question = { question: 'q' }
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
const CALLBACK = 'webhook-callback'
const OTHER_METHODS = ['GET', 'PUT', 'PATCH', 'DELETE']

const views: View[] = [
  { name: 'ping', route: 'GET /ping' },
  { name: 'version', route: 'GET /version' },
  { name: 'settings', route: 'GET /settings' },
  { name: 'login-methods', route: 'GET /loginmethod/default' },
  { name: 'setup-check', route: 'GET /account/setup-check' },

  {
    name: 'oauth-callback',
    route: 'GET /oauth2-credential/callback',
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
    name: 'abort',
    route: 'PUT /chatmessage/abort/:id/:chatId',
    async asks() {
      const { flowId, chatId } = await ran()
      return { params: { id: flowId, chatId } }
    },
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
    name: 'attachments',
    route: 'POST /attachments/:id/:chatId',
    asks: async () => ({
      params: { id: await saved({ chatbotConfig: '{"fullFileUpload":{"status":true}}' }), chatId: 'theirs' },
      form: textFile(),
    }),
  },
  {
    name: 'file-of-nothing',
    route: 'GET /get-upload-file',
    asks: () => ({ query: `?chatflowId=${NOBODY}&chatId=theirs&fileName=notes.txt` }),
  },

  {
    name: 'registered',
    route: 'POST /account/register',
    asks: () => ({ json: { name: 'Eve', email: 'eve@example.com', password: 'Correct-horse-9-staple' } }),
  },
  {
    name: 'login-refused',
    route: 'POST /auth/login',
    asks: () => ({ json: { email: 'nobody@example.com', password: 'Correct-horse-9-staple' } }),
  },
  { name: 'refresh-refused', route: 'POST /auth/refreshToken' },
  { name: 'logout', route: 'POST /account/logout' },
]

/** Public routes without a snapshot, and why they need none. */
const LEFT_OUT: Record<string, string> = {
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

function expectNoSecretIn(text: string): void {
  for (const secret of secrets) expect(text).not.toContain(secret)
}

it.each(views)('$name is answered to nobody as its snapshot shows', async (view) => {
  const { raw, text } = await describeAnswer(view, await call(view, (await view.asks?.()) ?? {}))
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
