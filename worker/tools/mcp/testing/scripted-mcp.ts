/** Test helper: an MCP server behind the egress port, with the wire format of streamable HTTP and SSE. */
import type { Egress } from '../../../ports/types.ts'

export interface McpSeen {
  method: string
  /** JSON-RPC method of a POST. */
  rpc?: string
  headers: Record<string, string>
  params?: Record<string, unknown>
}

export interface McpScript {
  /** `http`: JSON responses. `stream`: event responses. `sse`: the legacy transport only. */
  kind: 'http' | 'stream' | 'sse'
  tools: Record<string, unknown>[]
  call(name: string, args: unknown): Record<string, unknown> | Promise<Record<string, unknown>>
  /** Required authorization header. */
  authorization?: string
  /** Tools per page. Default: all. */
  pageSize?: number
}

const SESSION = 'session-1'
const VERSION = '2025-06-18'

interface Message {
  id?: number | string
  method: string
  params?: Record<string, unknown>
}

export function scriptedMcp(script: McpScript) {
  const seen: McpSeen[] = []
  let events: ReadableStreamDefaultController<Uint8Array> | undefined

  const egress: Egress = {
    async fetch(input, init) {
      const request = new Request(input, init)
      const text = await request.text()
      const message = text ? (JSON.parse(text) as Message) : undefined
      const headers = Object.fromEntries(request.headers)
      seen.push({ method: request.method, rpc: message?.method, headers, params: message?.params })
      if (script.authorization && headers.authorization !== script.authorization)
        return new Response('who are you?', { status: 401 })
      return script.kind === 'sse' ? bySse(request, message) : byHttp(request, message)
    },
  }

  async function byHttp(request: Request, message: Message | undefined): Promise<Response> {
    if (request.method === 'DELETE') return new Response(null, { status: 204 })
    if (!message) return new Response(null, { status: 405 })
    const isFirst = message.method === 'initialize'
    if (!isFirst && request.headers.get('mcp-session-id') !== SESSION)
      return Response.json(failure(message, -32000, 'Bad Request: no session'), { status: 400 })
    if (message.id === undefined) return new Response(null, { status: 202 })
    const answer = await answerTo(message)
    const session: Record<string, string> = isFirst ? { 'mcp-session-id': SESSION } : {}
    if (script.kind === 'http') return Response.json(answer, { headers: session })
    return new Response(eventOf('message', JSON.stringify(answer)), {
      headers: { ...session, 'content-type': 'text/event-stream' },
    })
  }

  async function bySse(request: Request, message: Message | undefined): Promise<Response> {
    if (request.method === 'GET') {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          events = controller
          controller.enqueue(bytes(eventOf('endpoint', '/messages?session=1')))
        },
        cancel() {
          events = undefined
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    }
    if (!new URL(request.url).pathname.startsWith('/messages')) return new Response('not here', { status: 405 })
    if (message?.id !== undefined) events?.enqueue(bytes(eventOf('message', JSON.stringify(await answerTo(message)))))
    return new Response('Accepted', { status: 202 })
  }

  async function answerTo(message: Message): Promise<object> {
    const { id, method, params = {} } = message
    const result = async () => {
      if (method === 'initialize')
        return {
          protocolVersion: VERSION,
          capabilities: { tools: {} },
          serverInfo: { name: 'scripted', version: '1' },
        }
      if (method === 'tools/list') return pageOf(params.cursor)
      return script.call(String(params.name), params.arguments)
    }
    if (!['initialize', 'tools/list', 'tools/call'].includes(method))
      return failure(message, -32601, `Method not found: ${method}`)
    return { jsonrpc: '2.0', id, result: await result() }
  }

  function pageOf(cursor: unknown) {
    const from = Number(cursor ?? 0)
    const to = from + (script.pageSize ?? script.tools.length)
    return { tools: script.tools.slice(from, to), ...(to < script.tools.length && { nextCursor: String(to) }) }
  }

  return { egress, seen, isConnected: () => events !== undefined }
}

function failure({ id = 0 }: Message, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

function eventOf(event: string, data: string): string {
  return `event: ${event}\ndata: ${data}\n\n`
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
