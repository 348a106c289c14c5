/**
 * Stands for model providers in tests: an OpenAI-compatible HTTP server (chat completions, streamed or not) that answers
 * as scripted. Without a script it repeats the last user message.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ChatMessage {
  role: string
  name?: string
  content?: string | { type: string; text?: string }[] | null
  tool_calls?: { id: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

interface ChatRequest {
  model: string
  messages: ChatMessage[]
  stream?: boolean
  tools?: { type: string; function: { name: string; description?: string; parameters?: unknown } }[]
  response_format?: { type: string; json_schema?: { name: string; schema: unknown } }
  [key: string]: unknown
}

interface RecordedRequest {
  path: string
  headers: IncomingMessage['headers']
  body: ChatRequest
  /** The client went away before the answer was complete. */
  cancelled: boolean
}

export interface Reply {
  /** Sent piece by piece when the request streams. */
  text?: string | string[]
  toolCalls?: { name: string; arguments: unknown }[]
  /** Structured output: sent as the JSON text of the content. */
  json?: unknown
  /** Answered instead, with this status: `{ error: { message, type, code } }`. */
  error?: { status: number; message: string; headers?: Record<string, string> }
  /** Breaks the connection after the first piece. */
  breakOff?: boolean
  /** Waited for before anything is sent. */
  before?: Promise<unknown>
  /** Waited for after the first piece. */
  afterFirst?: Promise<unknown>
  /** Waited for after the last piece, before the end. */
  afterLast?: Promise<unknown>
  usage?: { prompt_tokens: number; completion_tokens: number }
}

type Responder = (request: ChatRequest) => Reply

export interface ModelServer {
  /** What a flow's `basepath` is set to. */
  baseUrl: string
  /** `127.0.0.1:<port>`, for ALLOW_PRIVATE_HOSTS. */
  host: string
  requests: RecordedRequest[]
  /** Answers to the next requests, in order. */
  reply(...replies: (Reply | Responder)[]): void
  /** Answers to every request that no `reply` is left for. */
  always(responder: Responder): void
  /** Resolves as soon as `count` requests have come in all. */
  received(count: number): Promise<void>
  /** Called for each request before it is answered. */
  onRequest?: (request: RecordedRequest) => void
  reset(): void
  close(): Promise<void>
}

/** A promise that a test opens: the way to hold an answer back without sleeping. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

const echo: Responder = ({ messages }) => ({
  text: `You said: ${messageText(messages.findLast((message) => message.role === 'user'))}`,
})

/** Listens on `port` of 127.0.0.1; without it on a free one. */
export async function startModelServer(port = 0): Promise<ModelServer> {
  const script: (Reply | Responder)[] = []
  let fallback = echo
  let waiting: { count: number; resolve(): void }[] = []

  const http = createServer(async (request, response) => {
    const body = JSON.parse((await readBody(request)) || '{"model":"","messages":[]}') as ChatRequest
    const recorded: RecordedRequest = { path: request.url ?? '', headers: request.headers, body, cancelled: false }
    response.on('close', () => {
      recorded.cancelled = !response.writableFinished
    })
    server.requests.push(recorded)
    server.onRequest?.(recorded)
    for (const { resolve } of waiting.filter(({ count }) => count <= server.requests.length)) resolve()
    if (request.method === 'GET') return sendModels(response)
    const next = script.shift() ?? fallback
    await send(response, body, typeof next === 'function' ? next(body) : next)
  })
  http.listen(port, '127.0.0.1')
  await once(http, 'listening')
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`

  const server: ModelServer = {
    baseUrl: `http://${host}/v1`,
    host,
    requests: [],
    reply: (...replies) => {
      script.push(...replies)
    },
    always: (responder) => {
      fallback = responder
    },
    async received(count) {
      if (server.requests.length >= count) return
      await new Promise<void>((resolve) => waiting.push({ count, resolve }))
    },
    reset() {
      server.requests.length = 0
      server.onRequest = undefined
      script.length = 0
      fallback = echo
      waiting = []
    },
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server
}

/** `GET /v1/models`, and whatever else is fetched. */
function sendModels(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ object: 'list', data: [{ id: 'scripted', object: 'model' }] }))
}

async function send(response: ServerResponse, request: ChatRequest, reply: Reply): Promise<void> {
  await reply.before
  if (response.destroyed) return
  if (reply.error) {
    const { status, message, headers } = reply.error
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message, type: 'scripted_error', code: null } }))
  } else if (request.stream) await sendStream(response, request, reply)
  else await sendWhole(response, request, reply)
}

async function sendWhole(response: ServerResponse, request: ChatRequest, reply: Reply): Promise<void> {
  await reply.afterFirst
  const calls = toolCalls(reply)
  const message = { role: 'assistant', content: pieces(reply).join('') || null, ...(calls && { tool_calls: calls }) }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      ...head(request, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
      usage: usageOf(request, reply),
    }),
  )
}

async function sendStream(response: ServerResponse, request: ChatRequest, reply: Reply): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (delta: object, more: object = {}) => {
    const choice = { index: 0, delta, finish_reason: null, ...more }
    response.write(`data: ${JSON.stringify({ ...head(request, 'chat.completion.chunk'), choices: [choice] })}\n\n`)
  }
  chunk({ role: 'assistant', content: '' })
  for (const [index, content] of pieces(reply).entries()) {
    chunk({ content })
    if (index > 0) continue
    if (reply.breakOff) return void response.destroy()
    await reply.afterFirst
  }
  await reply.afterLast
  for (const [index, call] of (toolCalls(reply) ?? []).entries()) chunk({ tool_calls: [{ index, ...call }] })
  chunk({}, { finish_reason: finishReason(reply) })
  const usage = { ...head(request, 'chat.completion.chunk'), choices: [], usage: usageOf(request, reply) }
  response.end(`data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`)
}

const head = ({ model }: ChatRequest, object: string) => ({ id: 'chatcmpl-scripted', object, created: 0, model })

const finishReason = (reply: Reply) => (reply.toolCalls?.length ? 'tool_calls' : 'stop')

function pieces({ text, json, toolCalls: calls }: Reply): string[] {
  if (json !== undefined) return [JSON.stringify(json)]
  if (Array.isArray(text)) return text
  if (text === undefined && calls) return []
  return (text ?? '').split(/(?<= )/)
}

let callCount = 0

function toolCalls({ toolCalls: calls }: Reply) {
  return calls?.map(({ name, arguments: args }) => ({
    id: `call_${++callCount}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
}

/** One token for each word, unless the reply says otherwise. */
function usageOf(request: ChatRequest, reply: Reply) {
  const words = (text: string) => text.split(/\s+/).filter(Boolean).length
  const prompt_tokens = reply.usage?.prompt_tokens ?? words(request.messages.map(messageText).join(' '))
  const completion_tokens = reply.usage?.completion_tokens ?? words(pieces(reply).join(''))
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}

/** A message's text, whether it is sent as text or as parts. */
export function messageText(message: ChatMessage | undefined): string {
  if (Array.isArray(message?.content)) return message.content.map((part) => part.text ?? '').join('')
  return message?.content ?? ''
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
