// @defends public-call-brings
// @defends caller-overrides-flow
import { eq } from 'drizzle-orm'
import { FlowiseClient } from 'flowise-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { ExecutionDetail } from '#contract/runs/executions.ts'
import { chatMessages, executionSteps, executions } from '#db/schema/index.ts'
import { chatIdOf } from '#worker/local/testing/chat-ids.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, code, directReply, edge, get, llm, node, start } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, messageText, startModelServer } from '../../../e2e/support/model-server.ts'

let model: ModelServer
let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  model = await startModelServer()
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: model.host })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await model.close()
})
beforeEach(() => model.reset())

async function save(flow: FlowDocument, more: object = {}): Promise<string> {
  const body = { name: 'Test', flowData: JSON.stringify(flow), type: 'AGENTFLOW', callers: 'everyone', ...more }
  return (await call(ann, 'POST', '/chatflows', body)).body.id
}

function predict(flowId: string, body: object, headers: Record<string, string> = {}) {
  return heddle.fetch(`/api/v1/prediction/${flowId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const ask = async (flowId: string, body: object) => (await predict(flowId, body)).json()

type Event = { event: string; data: never }

function eventsOf(text: string): Event[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => JSON.parse(line.slice(5)))
}

const isInChat = (chat: string) => eq(executions.chatId, chatIdOf(chat))
const runsOf = (chat: string) => heddle.database.select().from(executions).where(isInChat(chat))

const messagesOf = (chat: string) =>
  heddle.database
    .select({ role: chatMessages.role, content: chatMessages.content, chatType: chatMessages.chatType })
    .from(chatMessages)
    .where(eq(chatMessages.chatId, chatIdOf(chat)))
    .orderBy(chatMessages.createdDate)

async function executionOf(id: string): Promise<ExecutionDetail> {
  return (await call(ann, 'GET', `/executions/${id}`)).body
}

const simple = () => chain(start(), llm(model.baseUrl))

describe('a JSON answer', () => {
  it('carries the text, the ids and the trace', async () => {
    const flowId = await save(simple())
    const chatId = chatIdOf('chat-1')
    const answer = await ask(flowId, { question: 'Hello there', chatId, unknownKey: { flowData: 'x' } })
    const text = 'You said: Hello there'
    expect(answer).toMatchObject({ text, question: 'Hello there', chatId, sessionId: chatId })
    expect(answer.agentFlowExecutedData.map((item: { nodeId: string }) => item.nodeId)).toEqual([
      'startAgentflow_0',
      'llmAgentflow_0',
    ])
    expect(await messagesOf('chat-1')).toEqual([
      { role: 'userMessage', content: 'Hello there', chatType: 'EXTERNAL' },
      { role: 'apiMessage', content: 'You said: Hello there', chatType: 'EXTERNAL' },
    ])
    const execution = await executionOf(answer.executionId)
    expect(execution).toMatchObject({
      state: 'FINISHED',
      agentflowId: flowId,
      sessionId: chatId,
      error: null,
    })
    expect(JSON.parse(execution.executionData)).toMatchObject(answer.agentFlowExecutedData)
    expect(execution.totalTokens).toBeGreaterThan(0)
  })

  it('creates a chat when none is named, and takes no session from overrideConfig without a key', async () => {
    const flowId = await save(simple())
    const first = await ask(flowId, { question: 'a' })
    expect(first.chatId).toMatch(/^[0-9a-f-]{36}$/)
    expect(first.sessionId).toBe(first.chatId)
    const second = await ask(flowId, { question: 'a', overrideConfig: { sessionId: 'my-session' } })
    expect(second.chatId).toMatch(/^[0-9a-f-]{36}$/)
    expect(second.sessionId).toBe(second.chatId)
    const chatId = crypto.randomUUID()
    const third = await ask(flowId, { question: 'a', chatId, overrideConfig: { sessionId: 'my-session' } })
    expect(third).toMatchObject({ chatId, sessionId: chatId })
  })

  it('has the history of its session only', async () => {
    const flowId = await save(simple())
    await ask(flowId, { question: 'My name is Ann', chatId: chatIdOf('memory') })
    await ask(flowId, { question: 'Who am I?', chatId: chatIdOf('memory') })
    const second = model.requests[1]?.body.messages.map((message) => [message.role, messageText(message)])
    expect(second).toEqual([
      ['user', 'My name is Ann'],
      ['assistant', 'You said: My name is Ann'],
      ['user', 'Who am I?'],
    ])
    await ask(flowId, { question: 'Who am I?', chatId: chatIdOf('another') })
    expect(model.requests[2]?.body.messages).toHaveLength(1)
  })

  it('puts the history of the call before the question', async () => {
    const flowId = await save(simple())
    const history = [
      { role: 'userMessage', content: 'before' },
      { role: 'apiMessage', content: 'said' },
    ]
    await ask(flowId, { question: 'now', history })
    expect(model.requests[0]?.body.messages.map(messageText)).toEqual(['before', 'said', 'now'])
  })

  it('runs a flow that starts with a form, and asks for it once', async () => {
    const flow = chain(start({ startInputType: 'formInput' }), directReply('Hello {{$form.name}}'))
    const flowId = await save(flow)
    const answer = await ask(flowId, { form: { name: 'Ann' }, chatId: chatIdOf('form-chat') })
    expect(answer).toMatchObject({ text: 'Hello Ann', form: { name: 'Ann' }, question: 'name: Ann' })
    expect(await ask(flowId, { chatId: chatIdOf('form-chat') })).toMatchObject({ text: 'Hello Ann' })
  })

  it('runs many at once', async () => {
    const flowId = await save(simple())
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => ask(flowId, { question: `number ${i}`, chatId: chatIdOf(`parallel-${i}`) })),
    )
    expect(answers.map(({ text }) => text)).toEqual(answers.map((_, i) => `You said: number ${i}`))
  })
})

describe('a stream', () => {
  it('has exactly the bytes that clients parse', async () => {
    const flowId = await save(chain(start(), directReply('Hi')))
    const response = await predict(flowId, { question: 'q', chatId: chatIdOf('bytes'), streaming: 'true' })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    const text = await response.text()
    const frames = text.split('\n\n')
    expect(frames.pop()).toBe('')
    for (const frame of frames) expect(frame).toMatch(/^message:\ndata:\{"event":"[a-zA-Z]+","data":.*\}$/)
    expect(frames.at(-1)).toBe('message:\ndata:{"event":"end","data":"[DONE]"}')
  })

  it('sends events in order: tokens within their node, the answer stored before the end', async () => {
    const flowId = await save(simple())
    const chatId = chatIdOf('order')
    const events = eventsOf(await (await predict(flowId, { question: 'one two', chatId, streaming: true })).text())
    const tokens = events.filter(({ event }) => event === 'token').map(({ data }) => data)
    expect(tokens.length).toBeGreaterThan(1)
    expect(tokens.join('')).toBe('You said: one two')
    const names = events
      .map(({ event }) => event)
      .filter((name, index, all) => name !== 'token' || all[index - 1] !== 'token')
    expect(names[0]).toBe('agentFlowEvent')
    expect(names).not.toContain('start')
    const tail = names.slice(names.lastIndexOf('agentFlowExecutedData'))
    expect(tail).toEqual(['agentFlowExecutedData', 'agentFlowEvent', 'metadata', 'end'])
    const steps = events
      .filter(({ event }) => event === 'nextAgentFlow')
      .map(({ data }) => data as Record<string, string>)
    expect(steps.map(({ nodeId, status }) => `${nodeId} ${status}`)).toEqual([
      'startAgentflow_0 INPROGRESS',
      'startAgentflow_0 FINISHED',
      'llmAgentflow_0 INPROGRESS',
      'llmAgentflow_0 FINISHED',
    ])
    expect(events.at(-2)?.data).toMatchObject({ chatId, sessionId: chatId, question: 'one two' })
    expect((await messagesOf('order')).map(({ content }) => content)).toEqual(['one two', 'You said: one two'])
  })

  it.each(['everyone', 'keys'])('is read by flowise-sdk with a key, from a flow that answers %s', async (callers) => {
    const permissions = ['agentflows:view', 'agentflows:create']
    const { apiKey } = (await call(ann, 'POST', '/apikey', { keyName: 'sdk', permissions })).body
    const made = await heddle.fetch('/api/v1/chatflows', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'By key',
        type: 'AGENTFLOW',
        callers,
        flowData: JSON.stringify(simple()),
      }),
    })
    const { id } = (await made.json()) as { id: string }
    const client = new FlowiseClient({ baseUrl: heddle.url, apiKey })
    const stream = await client.createPrediction({ chatflowId: id, question: 'from the sdk', streaming: true })
    let text = ''
    let last = ''
    for await (const event of stream as AsyncGenerator<Event>) {
      if (event.event === 'token') text += event.data
      last = event.event
    }
    expect(text).toBe('You said: from the sdk')
    expect(last).toBe('end')
    const whole = await client.createPrediction({ chatflowId: id, question: 'at once', streaming: false })
    expect(whole).toMatchObject({ text: 'You said: at once' })
  })
})

describe('errors before the run are an HTTP status, streaming or not', () => {
  it.each([false, true])('streaming: %s', async (streaming) => {
    const flowId = await save(simple())
    const status = async (id: string, body: object) => {
      const response = await predict(id, { ...body, streaming })
      expect(response.headers.get('content-type')).toContain('application/json')
      const json = await response.json()
      expect(json).toMatchObject({ statusCode: response.status, success: false, stack: {} })
      return { status: response.status, field: json.field }
    }
    expect(await status('not-an-id', { question: 'q' })).toEqual({ status: 400, field: 'id' })
    expect((await status(crypto.randomUUID(), { question: 'q' })).status).toBe(401)
    expect(await status(flowId, { question: 'q', form: { a: 1 } })).toEqual({ status: 400, field: 'form' })
    expect(await status(flowId, { question: 'q', uploads: [{ name: 'a' }] })).toEqual({
      status: 400,
      field: 'uploads.0.type',
    })
    expect(await status(flowId, { question: 5 })).toEqual({ status: 400, field: 'question' })
    expect(await status(flowId, { question: 'q', history: [{ role: 'system', content: '' }] })).toEqual({
      status: 400,
      field: 'history.0.role',
    })
    expect(model.requests).toHaveLength(0)
  })
})

describe('errors during the run', () => {
  it("are a 500 with the provider's own message; the question is kept", async () => {
    model.always(() => ({ error: { status: 400, message: 'The model is on holiday' } }))
    const flowId = await save(simple())
    const response = await predict(flowId, { question: 'q', chatId: chatIdOf('failing') })
    expect(response.status).toBe(500)
    const body = await response.json()
    expect(body).toMatchObject({ statusCode: 500, success: false })
    expect(body.message).toContain('The model is on holiday')
    expect((await messagesOf('failing')).map(({ content }) => content)).toEqual(['q'])
    const execution = await executionOf(body.executionId)
    expect(execution.state).toBe('ERROR')
    expect(execution.error).toContain('The model is on holiday')
    expect(JSON.parse(execution.executionData).at(-1)).toMatchObject({ nodeId: 'llmAgentflow_0', status: 'ERROR' })
  })

  it('are an error event with a text, then the end, with HTTP 200', async () => {
    model.always(() => ({ error: { status: 400, message: 'The model is on holiday' } }))
    const flowId = await save(simple())
    const response = await predict(flowId, { question: 'q', chatId: chatIdOf('failing-stream'), streaming: true })
    expect(response.status).toBe(200)
    const events = eventsOf(await response.text())
    const errors = events.filter(({ event }) => event === 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.data).toContain('The model is on holiday')
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'end'])
    expect(events.filter(({ event, data }) => event === 'agentFlowEvent' && data === 'ERROR')).toHaveLength(1)
  })

  it('name the node whose type is unknown', async () => {
    const flowId = await save(chain(start(), node('madeUpAgentflow', 0)))
    const body = await (await predict(flowId, { question: 'q' })).json()
    expect(body.statusCode).toBe(500)
    expect(body.message).toContain('madeUp')
    const events = eventsOf(await (await predict(flowId, { question: 'q', streaming: true })).text())
    expect(events.slice(-2).map(({ event }) => event)).toEqual(['error', 'end'])
  })
})

describe('round trips', () => {
  const asSignedIn = (flowId: string, body: object) => call(ann, 'POST', `/internal-prediction/${flowId}`, body)

  it.each([
    ['from outside', ask],
    ['of a signed-in person', asSignedIn],
  ])('a warm prediction %s makes 1 before the first token, and 1 at the end', async (_, send) => {
    const flowId = await save(simple())
    await send(flowId, { question: 'warm', chatId: chatIdOf('trips') })
    let atModel = 0
    model.onRequest = () => {
      atModel = heddle.roundTrips()
    }
    const before = heddle.roundTrips()
    await send(flowId, { question: 'counted', chatId: chatIdOf('trips') })
    expect(atModel - before).toBe(1)
    expect(heddle.roundTrips() - before).toBe(2)
  })

  it('makes requests with an effect that begin together wait for one write', async () => {
    const url = `${model.baseUrl}/chat/completions`
    const request = { method: 'POST', url, bodyType: 'json', body: '{"messages":[]}' }
    const [createRun, allCame] = [start(), gate()]
    const requests = Array.from({ length: 5 }, (_, number) => node('httpAgentflow', number, request))
    const flowId = await save({ nodes: [createRun, ...requests], edges: requests.map((each) => edge(createRun, each)) })
    await ask(flowId, { question: 'warm' })
    model.always(() => ({ text: 'Done', before: allCame.opened }))
    const [before, startedAt] = [heddle.roundTrips(), Date.now()]
    const answer = ask(flowId, { question: 'counted' })
    await model.received(2 * requests.length)
    const trips = heddle.roundTrips() - before
    allCame.open()
    await answer
    // What the run stands on, and its opening with the start's row. A timer that goes off each second makes two more.
    expect(trips).toBeLessThanOrEqual(2 + 2 * Math.ceil((Date.now() - startedAt) / 1000))
  })

  it('does not return a flow of another workspace, although it is read before authorization', async () => {
    const flowId = await save(simple())
    const outsider = await heddle.signUp()
    const answer = await call(outsider, 'POST', `/internal-prediction/${flowId}`, { question: 'mine?' })
    expect(answer).toMatchObject({ status: 404, body: { message: `Flow ${flowId} not found` } })
    const unknown = await call(heddle.newClient(), 'POST', `/internal-prediction/${flowId}`, { question: 'mine?' })
    expect(unknown.status).toBe(401)
    expect(model.requests).toEqual([])
  })

  it('runs the last saved version, even when the cache is warm', async () => {
    const flowId = await save(chain(start(), directReply('old')))
    expect((await ask(flowId, { question: 'q' })).text).toBe('old')
    await call(ann, 'PUT', `/chatflows/${flowId}`, { flowData: JSON.stringify(chain(start(), directReply('new'))) })
    expect((await ask(flowId, { question: 'q' })).text).toBe('new')
  })
})

describe('stop', () => {
  const abort = (flowId: string, chatId: string) =>
    heddle.fetch(`/api/v1/chatmessage/abort/${flowId}/${chatId}`, { method: 'PUT' })

  it('ends the run and its model call, and keeps the text so far', async () => {
    const hold = gate()
    model.reply({ text: ['Partly ', 'never sent'], afterFirst: hold.opened })
    const flowId = await save(simple())
    const response = await predict(flowId, { question: 'q', chatId: chatIdOf('stopped'), streaming: true })
    let heard = ''
    let asked = false
    for await (const bytes of response.body as ReadableStream<Uint8Array>) {
      heard += new TextDecoder().decode(bytes)
      if (asked || !heard.includes('Partly')) continue
      asked = true
      expect(await (await abort(flowId, chatIdOf('stopped'))).json()).toMatchObject({ status: 200 })
    }
    hold.open()
    expect(heard).toContain('"TERMINATED"')
    expect(heard).not.toContain('never sent')
    expect((await messagesOf('stopped')).map(({ content }) => content.trim())).toEqual(['q', 'Partly'])
    const [row] = await runsOf('stopped')
    expect(row).toMatchObject({ state: 'TERMINATED', leaseExpiresDate: null })
    expect(model.requests[0]?.cancelled).toBe(true)
  })

  it('is read from the database when another worker took the request', async () => {
    const hold = gate()
    model.reply({ text: 'late', before: hold.opened })
    const flowId = await save(simple())
    const answering = ask(flowId, { question: 'q', chatId: chatIdOf('elsewhere') })
    await expect.poll(() => runsOf('elsewhere'), { timeout: 5000 }).toHaveLength(1)
    await heddle.database.update(executions).set({ state: 'TERMINATED' }).where(isInChat('elsewhere'))
    const answer = await answering
    hold.open()
    expect(answer.text).not.toContain('late')
    expect((await executionOf(answer.executionId)).state).toBe('TERMINATED')
  })

  it('stop also ends a run that another worker had not stored yet', async () => {
    const hold = gate()
    model.reply({ text: 'late', before: hold.opened })
    const flowId = await save(simple())
    // This worker knows no run of the chat yet, as if another one had it.
    const aborted = abort(flowId, chatIdOf('unstored'))
    const answer = await ask(flowId, { question: 'q', chatId: chatIdOf('unstored') })
    hold.open()
    expect((await aborted).status).toBe(200)
    expect(answer.text).not.toContain('late')
    expect((await executionOf(answer.executionId)).state).toBe('TERMINATED')
  })

  it('affects no other chat', async () => {
    const hold = gate()
    model.reply({ text: 'fine', before: hold.opened })
    const flowId = await save(simple())
    const answering = ask(flowId, { question: 'q', chatId: chatIdOf('mine') })
    await model.received(1)
    await abort(flowId, chatIdOf('yours'))
    hold.open()
    expect((await answering).text).toBe('fine')
  })
})

it('continues a run after its client disconnects', async () => {
  const hold = gate()
  model.reply({ text: 'still here', before: hold.opened })
  const flowId = await save(simple())
  const leaving = new AbortController()
  const response = await heddle.fetch(`/api/v1/prediction/${flowId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question: 'q', chatId: chatIdOf('left'), streaming: true }),
    signal: leaving.signal,
  })
  expect(response.status).toBe(200)
  await model.received(1)
  leaving.abort()
  hold.open()
  await expect.poll(async () => (await messagesOf('left')).map(({ content }) => content)).toEqual(['q', 'still here'])
})

describe('authorization', () => {
  it('accepts only the key that a flow is bound to', async () => {
    const key = async (keyName: string) =>
      (await call(ann, 'POST', '/apikey', { keyName, permissions: ['agentflows:view'] })).body
    const [own, other] = [await key('own'), await key('other')]
    const flowId = await save(chain(start(), directReply('in')), { apikeyid: own.id })
    const status = async (headers = {}) => (await predict(flowId, { question: 'q' }, headers)).status
    expect(await status()).toBe(401)
    expect(await status({ authorization: `Bearer ${other.apiKey}` })).toBe(401)
    expect(await status({ authorization: 'Bearer nonsense' })).toBe(401)
    expect(await status({ authorization: `Bearer ${own.apiKey}` })).toBe(200)
  })

  it('accepts only the sites that the flow allows', async () => {
    const chatbotConfig = JSON.stringify({ allowedOrigins: ['https://good.example'], allowedOriginsError: 'Not here' })
    const flowId = await save(chain(start(), directReply('in')), { chatbotConfig })
    const from = (origin?: string, streaming = false) =>
      predict(flowId, { question: 'q', streaming }, origin ? { origin } : {})
    expect((await from('https://good.example')).status).toBe(200)
    expect((await from()).status).toBe(200)
    expect((await from('https://evil.example')).status).toBe(403)
    const plain = await from('https://evil.example', true)
    expect([plain.status, await plain.text()]).toEqual([403, 'Not here'])
  })

  it('accepts only as many calls as the flow allows', async () => {
    const apiConfig = JSON.stringify({
      rateLimit: { status: true, limitMax: 2, limitDuration: 3600, limitMsg: 'Slow down' },
    })
    const flowId = await save(chain(start(), directReply('in')), { apiConfig })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await predict(flowId, { question: 'q' })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect(await (await predict(flowId, { question: 'q' })).text()).toBe('Slow down')
  })

  it('accepts only members of the workspace on the internal route', async () => {
    const flowId = await save(chain(start(), directReply('in')))
    const bob = await heddle.signUp()
    const body = { question: 'q', chatId: chatIdOf('internal') }
    expect((await call(bob, 'POST', `/internal-prediction/${flowId}`, body)).status).toBe(404)
    expect(
      (await heddle.newClient().fetch(`/api/v1/internal-prediction/${flowId}`, { method: 'POST', json: body })).status,
    ).toBe(401)
    expect((await call(ann, 'POST', `/internal-prediction/${flowId}`, body)).body.text).toBe('in')
    expect((await messagesOf('internal'))[0]?.chatType).toBe('INTERNAL')
  })
})

describe('a caller', () => {
  it('cannot change the flow', async () => {
    const flowId = await save(chain(start(), directReply('saved')))
    const evil = JSON.stringify(chain(start(), directReply('injected')))
    const tries = [
      { flowData: evil },
      { chatflow: { flowData: evil } },
      { nodes: JSON.parse(evil).nodes, edges: JSON.parse(evil).edges },
      { overrideConfig: { flowData: evil, directReplyMessage: 'injected' } },
    ]
    for (const body of tries) expect((await ask(flowId, { question: 'q', ...body })).text).toBe('saved')
  })

  it('can override variables only where the owner allows it', async () => {
    await call(ann, 'POST', '/variables', { name: 'city', value: 'Ghent' })
    const flow = chain(start(), directReply('{{$vars.city}}'))
    const override = { overrideConfig: { vars: { city: 'Bruges' } } }
    const closed = await save(flow)
    expect((await ask(closed, { question: 'q', ...override })).text).toBe('Ghent')
    const apiConfig = JSON.stringify({ overrideConfig: { status: true, variables: [{ name: 'city', enabled: true }] } })
    const open = await save(flow, { apiConfig })
    expect((await ask(open, { question: 'q', ...override })).text).toBe('Bruges')
  })

  it('can override the start state only where the owner allows it', async () => {
    const flow = chain(start({ startState: [{ key: 'mood', value: 'calm' }] }), directReply('{{$flow.state.mood}}'))
    const override = { overrideConfig: { startState: { mood: 'wild' } } }
    expect((await ask(await save(flow), { question: 'q', ...override })).text).toBe('calm')
    const nodes = { [start().data.label]: [{ name: 'startState', enabled: true }] }
    const open = await save(flow, { apiConfig: JSON.stringify({ overrideConfig: { status: true, nodes } }) })
    expect((await ask(open, { question: 'q', ...override })).text).toBe('wild')
  })

  it("can override a node's input only where the owner allows it, and for that run only", async () => {
    const reply = directReply('mine')
    const flow = chain(start(), reply)
    const override = { overrideConfig: { directReplyMessage: 'yours' } }
    expect((await ask(await save(flow), { question: 'q', ...override })).text).toBe('mine')
    const nodes = { [reply.data.label]: [{ name: 'directReplyMessage', enabled: true }] }
    const open = await save(flow, { apiConfig: JSON.stringify({ overrideConfig: { status: true, nodes } }) })
    expect((await ask(open, { question: 'q', ...override })).text).toBe('yours')
    expect((await ask(open, { question: 'q' })).text).toBe('mine')
  })
})

it('carries the state of a session over when Persist state is on', async () => {
  const state = [{ key: 'count', value: '0' }]
  const update = [{ key: 'count', value: '{{ output }}' }]
  const count = code('return String(Number($flow.state.count) + 1)', 0, { customFunctionUpdateState: update })
  const flow = (startPersistState: boolean) =>
    chain(start({ startState: state, startPersistState }), count, directReply('{{$flow.state.count}}'))
  for (const [persists, expected] of [
    [true, ['1', '2']],
    [false, ['1', '1']],
  ] as const) {
    const flowId = await save(flow(persists))
    const chatId = chatIdOf(`persist-${persists}`)
    const texts = [await ask(flowId, { question: 'q', chatId }), await ask(flowId, { question: 'q', chatId })]
    expect(texts.map(({ text }) => text)).toEqual(expected)
  }
})

it('a flow cannot read secrets of another workspace that it names', async () => {
  const bob = await heddle.signUp()
  const credential = await call(bob, 'POST', '/credentials', {
    name: 'his',
    credentialName: 'openAIApi',
    plainDataObj: { openAIApiKey: 'sk-bobs-secret' },
  })
  expect(credential.status).toBe(200)
  const thief = llm(model.baseUrl)
  const config = thief.data.inputs?.llmModelConfig as Record<string, unknown>
  config.FLOWISE_CREDENTIAL_ID = credential.body.id
  const text = await (await predict(await save(chain(start(), thief)), { question: 'q' })).text()
  expect(JSON.stringify(model.requests.map(({ headers }) => headers))).not.toContain('sk-bobs-secret')
  expect(text).toContain('the chosen credential does not exist')
})

it('uses a credential of its own workspace without revealing its id', async () => {
  const { id } = (
    await call(ann, 'POST', '/credentials', {
      name: 'mine',
      credentialName: 'openAIApi',
      plainDataObj: { openAIApiKey: 'sk-anns-secret' },
      hosts: [model.host],
    })
  ).body
  const asking = llm(model.baseUrl)
  const config = asking.data.inputs?.llmModelConfig as Record<string, unknown>
  config.FLOWISE_CREDENTIAL_ID = id
  const flowId = await save(chain(start(), asking))
  const answer = await ask(flowId, { question: 'q' })
  expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-anns-secret')
  const stored = JSON.stringify(await executionOf(answer.executionId))
  const streamed = await (await predict(flowId, { question: 'q', streaming: true })).text()
  for (const shown of [JSON.stringify(answer), stored, streamed]) {
    expect(shown).not.toContain('sk-anns-secret')
    expect(shown).not.toContain('FLOWISE_CREDENTIAL_ID')
    expect(shown).not.toContain(id)
  }
})

it('keeps the secrets of an HTTP node out of answer and trace', async () => {
  const { id } = (
    await call(ann, 'POST', '/credentials', {
      name: 'bearer',
      credentialName: 'httpBearerToken',
      plainDataObj: { token: 'bearer-secret' },
    })
  ).body
  const request = get(`${model.baseUrl}/models`)
  request.data.credential = id
  const flowId = await save(chain(start(), request))
  const streamed = await (await predict(flowId, { question: 'q', chatId: chatIdOf('http'), streaming: true })).text()
  const [row] = await runsOf('http')
  const stored = JSON.stringify(await executionOf(row?.id ?? ''))
  expect(model.requests[0]?.headers.authorization).toBe('Bearer bearer-secret')
  for (const shown of [streamed, stored]) {
    expect(shown).toContain('httpAgentflow_0')
    expect(shown).not.toContain('bearer-secret')
  }
})

it('runs both branches of a fork at once', async () => {
  const hold = gate()
  model.always(({ messages }) => ({ text: messageText(messages.at(-1)), before: hold.opened }))
  const [left, right] = [0, 1].map((i) =>
    llm(model.baseUrl, i, { llmEnableMemory: false, llmMessages: [{ role: 'user', content: `branch ${i}` }] }),
  )
  const createRun = start()
  if (!left || !right) throw new Error('unreachable')
  const flow = { nodes: [createRun, left, right], edges: [edge(createRun, left), edge(createRun, right)] }
  const answering = ask(await save(flow), { question: 'q' })
  await model.received(2)
  hold.open()
  expect((await answering).agentFlowExecutedData).toHaveLength(3)
})

describe('a run whose worker is gone', () => {
  const expire = (name: string, more: object = {}) =>
    heddle.database
      .update(executions)
      .set({ leaseExpiresDate: '2020-01-01T00:00:00.000Z#0', ...more })
      .where(isInChat(name))

  /** Leaves a run as a killed worker leaves it: two steps stored, the third begun. */
  async function interrupted(name: string): Promise<string> {
    const hold = gate()
    model.reply({ text: 'first' }, { text: 'never', before: hold.opened })
    const flowId = await save(chain(start(), llm(model.baseUrl, 0), llm(model.baseUrl, 1)))
    const before = model.requests.length
    const chatId = chatIdOf(name)
    const answering = predict(flowId, { question: name, chatId }).then((response) => response.text())
    await model.received(before + 2)
    const stored = () =>
      heddle.database
        .select({ seq: executionSteps.seq })
        .from(executionSteps)
        .innerJoin(executions, eq(executions.id, executionSteps.executionId))
        .where(eq(executions.chatId, chatId))
    await expect.poll(stored, { timeout: 5000 }).toHaveLength(2)
    await expire(name)
    expect(await answering).toContain('could not be stored')
    hold.open()
    return flowId
  }

  /** Lets the minute job find the run, and waits until its instance has ended it. */
  async function recovered(name: string): Promise<void> {
    await heddle.scheduled()
    const states = async () => (await runsOf(name)).map(({ state }) => state)
    await expect.poll(states, { timeout: 10_000 }).not.toContain('INPROGRESS')
  }

  it('stops writing as soon as it has lost its lease', async () => {
    await interrupted('lost')
    const [row] = await runsOf('lost')
    expect(row?.state).toBe('INPROGRESS')
    expect((await messagesOf('lost')).map(({ content }) => content)).toEqual(['lost'])
  })

  it('is resumed where it stopped', async () => {
    await interrupted('resumed')
    model.reset()
    await recovered('resumed')
    expect((await messagesOf('resumed')).map(({ role, content }) => [role, content])).toEqual([
      ['userMessage', 'resumed'],
      ['apiMessage', expect.stringContaining('You said')],
    ])
    const asked = model.requests.map(({ body }) => body.messages.map(messageText))
    expect(asked.filter((texts) => texts.includes('resumed'))).toEqual([['resumed', 'first']])
    const [row] = await runsOf('resumed')
    expect(row).toMatchObject({ state: 'FINISHED', attempts: 2, leaseExpiresDate: null })
    const trace = JSON.parse((await executionOf(row?.id ?? '')).executionData) as { nodeId: string }[]
    expect(trace.map(({ nodeId }) => nodeId)).toEqual(['startAgentflow_0', 'llmAgentflow_0', 'llmAgentflow_1'])
  })

  it('is resumed with the version that it began with', async () => {
    const flowId = await interrupted('old-version')
    const changed = JSON.stringify(chain(start(), directReply('changed')))
    await call(ann, 'PUT', `/chatflows/${flowId}`, { flowData: changed })
    model.reset()
    await recovered('old-version')
    expect((await messagesOf('old-version')).map(({ content }) => content)).toEqual([
      'old-version',
      expect.stringContaining('You said'),
    ])
    expect((await ask(flowId, { question: 'q' })).text).toBe('changed')
  })

  it('is found by the next call of its flow', async () => {
    const flowId = await interrupted('by-the-next')
    model.reset()
    await ask(flowId, { question: 'next', chatId: chatIdOf('the-next') })
    await expect
      .poll(async () => (await messagesOf('by-the-next')).map(({ role }) => role), { timeout: 5000 })
      .toEqual(['userMessage', 'apiMessage'])
  })

  it('is given up when it keeps breaking its worker', async () => {
    await interrupted('cursed')
    await expire('cursed', { attempts: 2 })
    model.reset()
    await recovered('cursed')
    const [row] = await runsOf('cursed')
    expect(row).toMatchObject({ state: 'ERROR', error: expect.stringContaining('interrupted twice') })
    expect((await messagesOf('cursed')).map(({ content }) => content)).toEqual(['cursed'])
    expect(model.requests).toHaveLength(0)
  })
})
