// @defends key-workspace-member
// @defends caller-tools-take
/** OpenAI's own client against flows as models. */

import { request } from 'node:http'
import { desc } from 'drizzle-orm'
import OpenAI, { type APIError } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { executions, rateLimits } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, llm, node, start } from '../../../e2e/support/flows.ts'
import { gate, messageText } from '../../../e2e/support/model-server.ts'
import { drawChat } from '../../nodes/chatflow/testing/chat.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let bob: TestClient
let apiKey: string
let client: OpenAI

const clientWith = (key: string, more: object = {}) =>
  new OpenAI({ apiKey: key, baseURL: `${scene.heddle.url}/v1`, maxRetries: 0, ...more })

async function keyOf(owner: TestClient, permissions: string[]): Promise<string> {
  return (await scene.call<{ apiKey: string }>('POST', '/apikey', { keyName: 'k', permissions }, owner)).body.apiKey
}

const answering = (inputs: Record<string, unknown> = {}) => chain(start(), llm(scene.model.baseUrl, 0, inputs))
const remembering = () => answering({ llmEnableMemory: true, llmMemoryType: 'allMessages' })
const save = (flow = answering(), more: object = {}) => scene.save(flow, { callers: 'keys', ...more })
const said = (content: string) => [{ role: 'user' as const, content }]
async function chunksOf<Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

const refusalOf = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => expect.fail('The call was not refused'),
    (error: APIError) => error,
  )

beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
  apiKey = await keyOf(scene.ann, ['agentflows:view', 'chatflows:view'])
  client = clientWith(apiKey)
})
afterAll(() => scene.close())
beforeEach(async () => {
  scene.model.reset()
  await scene.heddle.database.delete(rateLimits)
})

describe('a chat completion', () => {
  it('answers the last message, with what the models of the run have used', async () => {
    scene.model.reply({ text: 'It is green.', usage: { prompt_tokens: 12, completion_tokens: 4 } })
    const model = await save()
    const answer = await client.chat.completions.create({ model, messages: said('Which colour is tea?') })
    expect(answer).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'It is green.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 },
    })
    expect(answer.id).toMatch(/^chatcmpl-/)
    expect(messageText(scene.model.requests[0]?.body.messages.at(-1))).toBe('Which colour is tea?')
  })

  it('runs a flow by its name', async () => {
    const name = `Tea ${crypto.randomUUID()}`
    await save(answering(), { name })
    const answer = await client.chat.completions.create({ model: name, messages: said('q') })
    expect(answer.choices[0]?.message.content).toBe('You said: q')
  })

  it('hands earlier messages on in their roles, and keeps nothing for the next call', async () => {
    const model = await save(remembering())
    await client.chat.completions.create({
      model,
      messages: [
        { role: 'system', content: 'Be brief' },
        { role: 'user', content: 'I am Ann' },
        { role: 'assistant', content: 'Hello Ann' },
        { role: 'user', content: [{ type: 'text', text: 'Who am I?' }] },
      ],
    })
    await client.chat.completions.create({ model, messages: said('And now?') })
    const sent = scene.model.requests.map(({ body }) => body.messages.map(({ role, content }) => [role, content]))
    expect(sent).toEqual([
      [
        ['system', 'Be brief'],
        ['user', 'I am Ann'],
        ['assistant', 'Hello Ann'],
        ['user', 'Who am I?'],
      ],
      [['user', 'And now?']],
    ])
  })

  it('continues a session that the caller names, unless the earlier messages are sent along', async () => {
    const model = await save(remembering())
    const metadata = { session_id: `s-${crypto.randomUUID()}` }
    await client.chat.completions.create({ model, metadata, messages: said('One') })
    await client.chat.completions.create({ model, metadata, messages: said('Two') })
    const again = [...said('One'), { role: 'assistant' as const, content: 'You said: One' }, ...said('Three')]
    await client.chat.completions.create({ model, user: metadata.session_id, messages: again })
    const texts = scene.model.requests.map(({ body }) => body.messages.map(messageText))
    expect(texts).toEqual([['One'], ['One', 'You said: One', 'Two'], ['One', 'You said: One', 'Three']])
  })

  it('makes an image of the message an upload, and refuses one that no model of the flow takes', async () => {
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const url = `data:image/png;base64,${png}`
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'What is this?' },
          { type: 'image_url' as const, image_url: { url } },
        ],
      },
    ]
    const seeing = answering()
    const config = seeing.nodes[1]?.data.inputs?.llmModelConfig as Record<string, unknown>
    const blind = await save(seeing)
    config.allowImageUploads = true
    await client.chat.completions.create({ model: await save(seeing), messages })
    expect(JSON.stringify(scene.model.requests[0]?.body.messages)).toContain(png)
    const refusal = await refusalOf(client.chat.completions.create({ model: blind, messages }))
    expect(refusal).toMatchObject({ status: 400, param: 'uploads.0', type: 'invalid_request_error' })
  })
})

describe('a streamed chat completion', () => {
  it('starts with the role, brings the text in pieces, and ends with the reason and the usage', async () => {
    scene.model.reply({ text: ['It ', 'is ', 'green.'], usage: { prompt_tokens: 12, completion_tokens: 4 } })
    const stream = await client.chat.completions.create({
      model: await save(),
      messages: said('q'),
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await chunksOf(stream)
    expect(chunks.every(({ object, id }) => object === 'chat.completion.chunk' && id === chunks[0]?.id)).toBe(true)
    expect(chunks[0]?.choices[0]?.delta).toMatchObject({ role: 'assistant', content: '' })
    const texts = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').filter((text) => text !== '')
    expect(texts.join('')).toBe('It is green.')
    expect(texts.length).toBeGreaterThan(1)
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' })
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 4 } })
  })

  it('says no usage that nobody asked for, and ends with [DONE]', async () => {
    const response = await scene.heddle.fetch('/api/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: await save(), messages: said('q'), stream: true }),
    })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const text = await response.text()
    expect(text).not.toContain('usage')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('reports a run that fails after its beginning', async () => {
    scene.model.always(() => ({ error: { status: 400, message: 'No such model' } }))
    const stream = await client.chat.completions.create({ model: await save(), messages: said('q'), stream: true })
    const refusal = await refusalOf(chunksOf(stream))
    expect(refusal.message).toContain('No such model')
  })
})

describe('a call that is refused', () => {
  it('says so in the form of OpenAI, with its status', async () => {
    const model = await save()
    const call = (body: object, own = client) =>
      refusalOf(own.chat.completions.create({ model, messages: said('q'), ...body } as never))
    expect(await call({ messages: [] })).toMatchObject({ status: 400, param: 'messages' })
    expect(await call({ messages: [{ role: 'assistant', content: 'a' }] })).toMatchObject({
      status: 400,
      param: 'messages.0',
    })
    expect(await call({ n: 2 })).toMatchObject({ status: 400, param: 'n' })
    expect(await call({ model: 'nothing' })).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    expect(await call({ model: crypto.randomUUID() })).toMatchObject({ status: 404, code: 'model_not_found' })
    expect(await call({}, clientWith('nonsense'))).toMatchObject({ status: 401, code: 'invalid_api_key' })
    const weak = clientWith(await keyOf(scene.ann, ['variables:view']))
    expect(await call({}, weak)).toMatchObject({ status: 403, type: 'permission_error' })
    expect(await call({ model: await save(answering(), { callers: 'members' }) })).toMatchObject({ status: 403 })
  })

  it('never finds a flow of another workspace, even one that everyone may call', async () => {
    const theirs = clientWith(await keyOf(bob, ['agentflows:view']))
    const name = `Ours ${crypto.randomUUID()}`
    const model = await save(answering(), { callers: 'everyone', name })
    for (const each of [model, name]) {
      const refusal = await refusalOf(theirs.chat.completions.create({ model: each, messages: said('q') }))
      expect(refusal).toMatchObject({ status: 404, code: 'model_not_found' })
    }
    expect((await theirs.models.list()).data).toEqual([])
    expect(scene.model.requests).toEqual([])
  })

  it('is not helped by the session of a member', async () => {
    const json = { model: await save(), messages: said('q') }
    const response = await scene.ann.fetch('/v1/chat/completions', { method: 'POST', json })
    expect(response.status).toBe(401)
    expect((await scene.ann.fetch('/v1/models')).status).toBe(401)
  })

  it('names the ids when several flows have the name', async () => {
    const name = `Twin ${crypto.randomUUID()}`
    const ids = [await save(answering(), { name }), await save(answering(), { name })]
    const refusal = await refusalOf(client.chat.completions.create({ model: name, messages: said('q') }))
    expect(refusal.status).toBe(400)
    for (const id of ids) expect(refusal.message).toContain(id)
  })

  it('is counted against the limit that the owner of the flow set', async () => {
    const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: 'Slow down' }
    const model = await save(chain(start(), directReply('in')), { apiConfig: JSON.stringify({ rateLimit }) })
    await client.chat.completions.create({ model, messages: said('q') })
    const refusal = await refusalOf(client.chat.completions.create({ model, messages: said('q') }))
    expect(refusal).toMatchObject({ status: 429, type: 'rate_limit_error' })
    expect(refusal.message).toContain('Slow down')
  })

  it('is not repeated by the client when the run failed', async () => {
    scene.model.always(() => ({ error: { status: 400, message: 'No such model' } }))
    const eager = clientWith(apiKey, { maxRetries: 2 })
    const refusal = await refusalOf(eager.chat.completions.create({ model: await save(), messages: said('q') }))
    expect(refusal).toMatchObject({ status: 500, type: 'server_error', code: 'run_failed' })
    expect(scene.model.requests).toHaveLength(1)
  })
})

it.each(['/v1/chat/completions', '/v1/models', '/api/v1/mcp'])(
  'a page of another site may call %s with its key',
  async (path) => {
    const [origin, method] = ['https://shop.example', path.endsWith('models') ? 'GET' : 'POST']
    const asked = { origin, 'access-control-request-method': method }
    const sent = ['authorization', 'content-type', 'x-stainless-os', 'mcp-protocol-version']
    const headers = { ...asked, 'access-control-request-headers': sent.join() }
    const preflight = await scene.heddle.fetch(path, { method: 'OPTIONS', headers })
    const granted = ['origin', 'credentials'].map((what) => preflight.headers.get(`access-control-allow-${what}`))
    expect(granted).toEqual(['*', null])
    const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(',')
    expect(allowed).toEqual(expect.arrayContaining(sent))
    const response = await scene.heddle.fetch(path, {
      method,
      headers: { origin },
      ...(method === 'POST' && { json: {} }),
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  },
)

describe('the list of models', () => {
  it('has the flows that the key may run', async () => {
    const name = `Listed ${crypto.randomUUID()}`
    const open = await save(answering(), { name })
    const closed = await save(answering(), { callers: 'members' })
    const ids = (await client.models.list()).data.map(({ id }) => id)
    expect(ids).toContain(open)
    expect(ids).not.toContain(closed)
    expect(await client.models.retrieve(open)).toMatchObject({ id: open, object: 'model', owned_by: 'heddle', name })
    expect(await refusalOf(client.models.retrieve(closed))).toMatchObject({ status: 404 })
    const weak = clientWith(await keyOf(scene.ann, ['variables:view']))
    expect((await weak.models.list()).data.map(({ id }) => id)).not.toContain(open)
  })
})

describe('a caller who leaves', () => {
  const lastState = async () => {
    const rows = await scene.heddle.database.select().from(executions).orderBy(desc(executions.createdDate)).limit(1)
    return rows[0]?.state
  }

  it('stops a run that is streamed', async () => {
    const [first, last] = [gate(), gate()]
    scene.model.reply({ text: ['One ', 'two ', 'three'], afterFirst: first.opened, afterLast: last.opened })
    const stream = await client.chat.completions.create({ model: await save(), messages: said('q'), stream: true })
    for await (const { choices } of stream) if (choices[0]?.delta.content) break
    // A closed connection shows when something is written to it.
    first.open()
    await expect.poll(() => scene.model.requests[0]?.cancelled, { timeout: 10_000 }).toBe(true)
    await expect.poll(lastState).toBe('TERMINATED')
    last.open()
  })

  it('stops a run whose whole answer they waited for', async () => {
    const held = gate()
    scene.model.reply({ text: 'late', before: held.opened })
    const body = JSON.stringify({ model: await save(), messages: said('q') })
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const call = request(`${scene.heddle.url}/v1/chat/completions`, { method: 'POST', headers })
    call.on('error', () => {})
    call.end(body)
    await scene.model.received(1)
    call.socket?.resetAndDestroy()
    await expect.poll(() => scene.model.requests[0]?.cancelled, { timeout: 10_000 }).toBe(true)
    await expect.poll(lastState).toBe('TERMINATED')
    held.open()
  })
})

const weather = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}
const TAKES_TOOLS = { apiConfig: JSON.stringify({ callerTools: { status: true } }) }
const acting = () => chain(start(), node('agentAgentflow', 0, { ...agentModel(scene.model.baseUrl), agentTools: [] }))
const agentModel = (basepath: string) => ({
  agentModel: 'chatOpenAICustom',
  agentModelConfig: { modelName: 'm', basepath },
})

const talking = (agent: string) =>
  drawChat({ chatOpenAICustom_0: { inputs: { modelName: 'm', basepath: scene.model.baseUrl } }, [`${agent}_0`]: {} }, [
    `chatOpenAICustom_0 > ${agent}_0.model`,
  ])

describe.each([
  ['an Agent', acting, 'AGENTFLOW'],
  ['an LLM', answering, 'AGENTFLOW'],
  ['a Tool Agent', () => talking('toolAgent'), 'CHATFLOW'],
  ['a ReAct Agent', () => talking('reactAgentChat'), 'CHATFLOW'],
])('tools of the caller of %s', (_name, flow, type) => {
  const called = { toolCalls: [{ name: 'get_weather', arguments: { city: 'Oslo' } }] }

  it('are called by the model, and the next request continues with their results', async () => {
    const model = await save(flow(), { ...TAKES_TOOLS, type })
    scene.model.reply(called, { text: 'It rains.' })
    const first = await client.chat.completions.create({ model, messages: said('Oslo?'), tools: [weather] })
    const [choice] = first.choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    const [call] = choice?.message.tool_calls ?? []
    expect(call).toMatchObject({ type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } })
    expect(scene.model.requests[0]?.body.tools?.[0]?.function).toMatchObject(weather.function)

    const messages = [
      ...said('Oslo?'),
      choice?.message as never,
      { role: 'tool' as const, tool_call_id: call?.id ?? '', content: 'rain, {{$vars.key}}' },
    ]
    const second = await client.chat.completions.create({ model, messages, tools: [weather] })
    expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'It rains.' } })
    expect(scene.model.requests[1]?.body.messages.slice(-3)).toMatchObject([
      { role: 'user', content: 'Oslo?' },
      { role: 'assistant', tool_calls: [{ id: call?.id, function: { name: 'get_weather' } }] },
      { role: 'tool', tool_call_id: call?.id, content: 'rain, {{$vars.key}}' },
    ])
  })

  it('are called in a stream too', async () => {
    scene.model.reply(called)
    const model = await save(flow(), { ...TAKES_TOOLS, type })
    const stream = client.chat.completions.stream({ model, messages: said('Oslo?'), tools: [weather] })
    const completion = await stream.finalChatCompletion()
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [{ function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } }] },
    })
  })

  it('are asked for as the caller chooses', async () => {
    const model = await save(flow(), { ...TAKES_TOOLS, type })
    const tool_choice = { type: 'function' as const, function: { name: 'get_weather' } }
    await client.chat.completions.create({ model, messages: said('q'), tools: [weather], tool_choice })
    await client.chat.completions.create({ model, messages: said('q'), tools: [weather], tool_choice: 'none' })
    const [named, none] = scene.model.requests.map(({ body }) => body)
    expect(named).toMatchObject({ tool_choice })
    expect(none?.tools).toBeUndefined()
  })
})

describe('tools of the caller', () => {
  const refusalWith = async (model: string, more: object = {}) =>
    refusalOf(client.chat.completions.create({ model, messages: said('q'), tools: [weather], ...more } as never))

  it('are refused unless the owner of the flow lets them in', async () => {
    const refusal = await refusalWith(await save())
    expect(refusal).toMatchObject({ status: 400, param: 'tools' })
    expect(refusal.message).toContain('Its owner can change that under Share')
    expect(scene.model.requests).toEqual([])
  })

  it('are refused by a flow that no node could use them in', async () => {
    const reply = chain(start(), llm(scene.model.baseUrl, 0), directReply('in'))
    const refusal = await refusalWith(await save(reply, TAKES_TOOLS))
    expect(refusal).toMatchObject({ status: 400, param: 'tools' })
    expect(refusal.message).toContain('must end with an Agent or LLM node')
  })

  it('are refused by a chat flow that ends with a chain', async () => {
    const { nodes, edges } = talking('toolAgent')
    const chain = JSON.parse(JSON.stringify({ nodes, edges }).replaceAll('toolAgent', 'conversationChain'))
    const refusal = await refusalWith(await save(chain, { ...TAKES_TOOLS, type: 'CHATFLOW' }))
    expect(refusal).toMatchObject({ status: 400, param: 'tools' })
  })

  it('are refused when they or what was said of them cannot be right', async () => {
    const model = await save(acting(), TAKES_TOOLS)
    const call = (args: string) => ({
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_weather', arguments: args } }],
    })
    const result = (tool_call_id: string) => ({ role: 'tool', tool_call_id, content: 'rain' })
    const other = { type: 'function', function: { name: 'other' } }
    const cases: [object, string][] = [
      [{ tools: [weather, weather] }, 'tools'],
      [{ tool_choice: other }, 'tool_choice'],
      [{ messages: [...said('q'), call('[]'), result('c')] }, 'messages.1.tool_calls.0.function.arguments'],
      [{ messages: [...said('q'), call('{}'), result('d')] }, 'messages.2'],
      [{ messages: [...said('q'), call('{}')] }, 'messages.1'],
    ]
    for (const [more, param] of cases) expect(await refusalWith(model, more)).toMatchObject({ status: 400, param })
    expect(scene.model.requests).toEqual([])
  })

  it('never take the place of a tool of the flow, nor share a turn with it', async () => {
    const flow = acting()
    const [, taker] = flow.nodes
    const inputs = taker?.data.inputs as Record<string, unknown>
    inputs.agentTools = [{ agentSelectedTool: 'currentDateTime', agentSelectedToolConfig: {} }]
    const own = { ...weather, function: { ...weather.function, name: 'current_date_time' } }
    scene.model.always(({ tools = [], messages }) =>
      messages.some(({ role }) => role === 'tool')
        ? { toolCalls: [{ name: 'current_date_time', arguments: { city: 'Oslo' } }] }
        : { toolCalls: tools.map(({ function: { name } }) => ({ name, arguments: {} })) },
    )
    const model = await save(flow, TAKES_TOOLS)
    const answer = await client.chat.completions.create({ model, messages: said('q'), tools: [own] })
    expect(new Set(scene.model.requests[0]?.body.tools?.map((tool) => tool.function.name)).size).toBe(2)
    expect(answer.choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: 'current_date_time', arguments: '{"city":"Oslo"}' } },
    ])
  })
})
