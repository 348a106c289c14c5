/** A server that speaks OpenAI's Assistants API, version 2, for tests: create, read, list, update and delete. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

type Stored = Record<string, unknown> & { id: string }

export interface AssistantsServer {
  host: string
  baseUrl: string
  /** In the order of their creation. */
  assistants: Map<string, Stored>
  /** `<method> <path and query>`, with the headers that say who asks. */
  requests: { line: string; authorization?: string; apiKey?: string; beta?: string }[]
  /** Answers every call with this error instead. */
  failing?: { status: number; message: string }
  close(): Promise<void>
}

const KNOWN = ['model', 'name', 'description', 'instructions', 'tools', 'tool_resources', 'temperature', 'top_p']

export async function startAssistantsServer(): Promise<AssistantsServer> {
  const assistants = new Map<string, Stored>()
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const { method = '', url = '', headers } = request
    const { 'api-key': apiKey, 'openai-beta': beta } = headers as Record<string, string>
    self.requests.push({ line: `${method} ${url}`, authorization: headers.authorization, apiKey, beta })
    const [status, answer] = self.failing
      ? [self.failing.status, error(self.failing.message)]
      : answerTo(assistants, { method, path: new URL(url, 'http://x').pathname, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: AssistantsServer = {
    host,
    baseUrl: `http://${host}/v1`,
    assistants,
    requests: [],
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}

interface Call {
  method: string
  path: string
  body: string
}

function answerTo(assistants: Map<string, Stored>, { method, path, body }: Call): [number, unknown] {
  const [, id] = /^\/v1\/assistants(?:\/([^/]+))?$/.exec(path) ?? []
  const found = id === undefined ? undefined : assistants.get(id)
  if (id !== undefined && !found) return [404, error(`No assistant found with id '${id}'.`)]
  if (method === 'GET') return [200, found ?? { object: 'list', data: [...assistants.values()], has_more: false }]
  if (method === 'DELETE') {
    assistants.delete(id as string)
    return [200, { id, object: 'assistant.deleted', deleted: true }]
  }
  const given = JSON.parse(body) as Record<string, unknown>
  const unknown = Object.keys(given).find((key) => !KNOWN.includes(key))
  if (unknown) return [400, error(`Unknown parameter: '${unknown}'.`)]
  const saved = { object: 'assistant', ...found, ...given, id: id ?? `asst_${assistants.size + 1}` }
  assistants.set(saved.id, saved)
  return [200, saved]
}

const error = (message: string) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } })

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
