/** A connection to an MCP server, through egress. */
import type { MCPClient } from '@ai-sdk/mcp'
import { errorMessage } from '#contract/errors.ts'
import type { Egress } from '../../ports/types.ts'

export interface McpServer {
  url: string
  headers: Record<string, string>
}

export interface McpPorts {
  egress: Egress
  signal: AbortSignal
}

interface McpConnection {
  client: MCPClient
  /** Sets the `idempotency-key` header for the next call of this tool. */
  carryKey(tool: string, key: string): void
  close(): Promise<void>
}

const START_TIMEOUT_MS = 30_000
const CLOSE_TIMEOUT_MS = 5_000
/** A stream may be idle while the model thinks. */
const STREAM_TIMEOUT_MS = 900_000
const MAX_BYTES = 10 * 1024 * 1024

/** Connects with streamable HTTP, or with SSE if the server rejects that. @throws Error that names the server's host */
export async function connect(server: McpServer, ports: McpPorts): Promise<McpConnection> {
  try {
    return await open('http', server, ports)
  } catch (error) {
    ports.signal.throwIfAborted()
    if (!isUnsupported(error)) throw connectionError(error, server)
    try {
      return await open('sse', server, ports)
    } catch {
      ports.signal.throwIfAborted()
      throw connectionError(error, server)
    }
  }
}

async function open(type: 'http' | 'sse', { url, headers }: McpServer, ports: McpPorts): Promise<McpConnection> {
  const { createMCPClient } = await import('@ai-sdk/mcp')
  const keys = new Map<string, string>()
  const client = await createMCPClient({
    // Egress handles redirects, and workerd does not support `error`.
    transport: { type, url, headers, redirect: 'follow', fetch: fetchThrough(ports, type, keys) },
    initializationOptions: { signal: ports.signal, timeout: START_TIMEOUT_MS },
    clientName: 'Heddle',
    onUncaughtError: () => {},
  })
  let closing: Promise<void> | undefined
  return {
    client,
    carryKey: (tool, key) => void keys.set(tool, key),
    close: () => {
      closing ??= client.close().catch(() => {})
      return closing
    },
  }
}

function fetchThrough({ egress, signal }: McpPorts, type: 'http' | 'sse', keys: Map<string, string>) {
  return async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? 'GET'
    // Declines the stream for server-initiated messages, which would occupy one of the few connections.
    if (type === 'http' && method === 'GET') return new Response(null, { status: 405 })
    const headers = new Headers(init.headers)
    const key = keyOf(init.body, keys)
    if (key) headers.set('idempotency-key', key)
    const both = init.signal ? AbortSignal.any([init.signal, signal]) : signal
    const timeoutMs = method === 'DELETE' ? CLOSE_TIMEOUT_MS : STREAM_TIMEOUT_MS
    return egress.fetch(
      input instanceof Request ? input.url : input,
      { ...init, headers, signal: both },
      { timeoutMs, maxBytes: MAX_BYTES },
    )
  }
}

/** Returns the idempotency key for a request body. Each tool has at most one call in progress. */
function keyOf(body: unknown, keys: Map<string, string>): string | undefined {
  if (keys.size === 0 || typeof body !== 'string') return undefined
  const { method, params } = JSON.parse(body) as { method?: string; params?: { name?: string } }
  return method === 'tools/call' ? keys.get(params?.name ?? '') : undefined
}

/** Returns true if the server responded but does not support this transport. */
function isUnsupported(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { statusCode?: number }
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500 && statusCode !== 401 && statusCode !== 403
}

function connectionError(error: unknown, { url }: McpServer): Error {
  const { statusCode, responseBody } = (error ?? {}) as { statusCode?: number; responseBody?: string }
  const reason = statusCode
    ? `HTTP ${statusCode}${responseBody ? `: ${responseBody.slice(0, 300)}` : ''}`
    : errorMessage(error)
  const { host } = new URL(url)
  // What the network reports begins with the host.
  const at = reason.startsWith(host) ? '' : ` at ${host}`
  return new Error(`Could not connect to the MCP server${at}: ${reason}`, { cause: error })
}
