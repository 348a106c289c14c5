/**
 * A server that speaks OpenAI's Assistants API, version 2, for tests: create, read, list, update and delete assistants,
 * files and vector stores.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Stored = Record<string, unknown> & { id: string }

export interface AssistantsServer {
  host: string
  baseUrl: string
  /** In the order of their creation. */
  assistants: Map<string, Stored>
  files: Map<string, Stored>
  vectorStores: Map<string, Stored & { file_ids: string[] }>
  /** `<method> <path and query>`, with the headers that say who asks. */
  requests: { line: string; authorization?: string; apiKey?: string; beta?: string }[]
  /** Answers every call with this error instead. */
  failing?: { status: number; message: string }
  /** Does what it is asked, and answers after this. */
  held?: Promise<void>
  close(): Promise<void>
}

const KNOWN_FIELDS = ['model', 'name', 'description', 'instructions', 'tools', 'tool_resources', 'temperature', 'top_p']

/** @param port of 127.0.0.1; a free one by default */
export async function startAssistantsServer(port = 0): Promise<AssistantsServer> {
  const assistants = new Map<string, Stored>()
  const [files, vectorStores]: [AssistantsServer['files'], AssistantsServer['vectorStores']] = [new Map(), new Map()]
  const server = createServer(async (request, response) => {
    const body = await bytesOf(request)
    const { method = '', url = '', headers } = request
    const { 'api-key': apiKey, 'openai-beta': beta } = headers as Record<string, string>
    self.requests.push({ line: `${method} ${url}`, authorization: headers.authorization, apiKey, beta })
    if (url.startsWith('/v1/threads/runs') && !self.failing) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(runEvents(self.assistants, body))
      return
    }
    const [status, answer] = self.failing
      ? [self.failing.status, error(self.failing.message)]
      : await answerTo(self, { method, path: new URL(url, 'http://x').pathname, body, type: headers['content-type'] })
    await self.held
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: AssistantsServer = {
    host,
    baseUrl: `http://${host}/v1`,
    assistants,
    files,
    vectorStores,
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}

/** Streams a run whose answer names the assistant and repeats the last message. */
function runEvents(assistants: AssistantsServer['assistants'], body: Buffer): string {
  const { assistant_id, thread } = JSON.parse(String(body)) as {
    assistant_id: string
    thread: { messages: { content: string }[] }
  }
  const said = `${assistants.get(assistant_id)?.name}: ${thread.messages.at(-1)?.content}`
  const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
  const events: [string, object][] = [
    [
      'thread.message.delta',
      { object: 'thread.message.delta', delta: { content: [{ index: 0, type: 'text', text: { value: said } }] } },
    ],
    ['thread.run.completed', { id: 'run_1', object: 'thread.run', thread_id: 'thread_1', status: 'completed', usage }],
  ]
  const texts = events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  return `${texts.join('')}event: done\ndata: [DONE]\n\n`
}

interface Call {
  method: string
  path: string
  body: Buffer
  type: string | undefined
}

async function answerTo(server: AssistantsServer, call: Call): Promise<[number, unknown]> {
  if (call.path.startsWith('/v1/files')) return answerFiles(server, call)
  if (call.path.startsWith('/v1/vector_stores')) return answerStores(server, call)
  return answerAssistants(server.assistants, call)
}

/** Takes multipart forms only, with a purpose, as OpenAI does. */
async function answerFiles(
  { files }: AssistantsServer,
  { method, path, body, type }: Call,
): Promise<[number, unknown]> {
  const id = path.split('/')[3]
  if (method === 'GET') return [200, { object: 'list', data: [...files.values()], has_more: false }]
  if (method === 'DELETE') return [200, { id, object: 'file', deleted: files.delete(id ?? '') }]
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type ?? '' } }).formData()
  const file = form.get('file')
  if (!(file instanceof File) || form.get('purpose') !== 'assistants')
    return [400, error("'file' is a required property")]
  if (file.size === 0) return [400, error('File is empty.')]
  const stored = {
    ...{ id: `file-${files.size + 1}`, object: 'file', filename: file.name, bytes: file.size },
    ...{ purpose: 'assistants', content: await file.text() },
  }
  files.set(stored.id, stored)
  return [200, stored]
}

function answerStores({ files, vectorStores }: AssistantsServer, { method, path, body }: Call): [number, unknown] {
  const [, , , id, part, fileId] = path.split('/')
  const found = id === undefined ? undefined : vectorStores.get(id)
  if (id !== undefined && !found) return [404, error(`No vector store found with id '${id}'.`)]
  const given = body.length > 0 ? JSON.parse(body.toString()) : {}
  const unknown = Object.keys(given).find((key) => !['name', 'expires_after', 'metadata', 'file_ids'].includes(key))
  if (unknown) return [400, error(`Unknown parameter: '${unknown}'.`)]
  if (found && part === 'files' && method === 'GET')
    return [200, { object: 'list', data: found.file_ids.map((each) => ({ id: each, status: 'completed' })) }]
  if (found && part === 'files') {
    found.file_ids = found.file_ids.filter((each) => each !== fileId)
    return [200, { id: fileId, object: 'vector_store.file.deleted', deleted: true }]
  }
  if (found && part === 'file_batches') {
    const missing = given.file_ids.find((each: string) => !files.has(each))
    if (missing) return [400, error(`File ${missing} not found.`)]
    found.file_ids.push(...given.file_ids)
    return [200, { id: 'vsfb_1', object: 'vector_store.file_batch', status: 'in_progress' }]
  }
  if (method === 'GET') return [200, found ?? { object: 'list', data: [...vectorStores.values()], has_more: false }]
  if (method === 'DELETE')
    return [200, { id, object: 'vector_store.deleted', deleted: vectorStores.delete(id as string) }]
  const own = { id: id ?? `vs_${vectorStores.size + 1}`, file_ids: [] }
  const saved = { object: 'vector_store', ...own, ...found, ...given }
  vectorStores.set(saved.id, saved)
  return [200, saved]
}

function answerAssistants(assistants: Map<string, Stored>, { method, path, body }: Call): [number, unknown] {
  const [, id] = /^\/v1\/assistants(?:\/([^/]+))?$/.exec(path) ?? []
  const found = id === undefined ? undefined : assistants.get(id)
  if (id !== undefined && !found) return [404, error(`No assistant found with id '${id}'.`)]
  if (method === 'GET') return [200, found ?? { object: 'list', data: [...assistants.values()], has_more: false }]
  if (method === 'DELETE') {
    assistants.delete(id as string)
    return [200, { id, object: 'assistant.deleted', deleted: true }]
  }
  const given = JSON.parse(body.toString()) as Record<string, unknown>
  const unknown = Object.keys(given).find((key) => !KNOWN_FIELDS.includes(key))
  if (unknown) return [400, error(`Unknown parameter: '${unknown}'.`)]
  const resources = (given.tool_resources ?? {}) as Record<string, object>
  const extra = Object.entries(resources).flatMap(([name, of]) => Object.keys(of).map((key) => `${name}.${key}`))
  const wrong = extra.find((key) => !['code_interpreter.file_ids', 'file_search.vector_store_ids'].includes(key))
  if (wrong) return [400, error(`Unknown parameter: 'tool_resources.${wrong}'.`)]
  const saved = { object: 'assistant', ...found, ...given, id: id ?? `asst_${assistants.size + 1}` }
  assistants.set(saved.id, saved)
  return [200, saved]
}

const error = (message: string) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } })

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
