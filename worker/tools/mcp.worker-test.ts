/** A tool of an MCP server in a flow, where workerd's own network and streams are used. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing.ts'
import { chain, node, start } from '../../e2e/support/flows.ts'
import { type McpScript, scriptedMcp } from './testing/scripted-mcp.ts'

const kinds = ['http', 'stream', 'sse'] as const
const servers = new Map<string, { server: Server; host: string }>()
let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  for (const kind of kinds) servers.set(kind, await listen(kind))
  const hosts = [...servers.values()].map(({ host }) => host)
  heddle = await startTestHeddle({ allowPrivateHosts: hosts.join(',') })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  for (const { server } of servers.values()) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(kind: McpScript['kind']) {
  const { egress } = scriptedMcp({
    kind,
    tools: [{ name: 'greet', inputSchema: { type: 'object', properties: { name: { type: 'string' } } } }],
    call: (_name, args) => ({ content: [{ type: 'text', text: `Hello ${(args as { name: string }).name}` }] }),
  })
  const server = createServer(async (request, response) => {
    const chunks = await request.toArray()
    const answer = await egress.fetch(`http://${request.headers.host}${request.url}`, {
      method: request.method,
      headers: request.headers as Record<string, string>,
      body: chunks.length > 0 ? Buffer.concat(chunks) : undefined,
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) Readable.fromWeb(answer.body as never).pipe(response)
    else response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it.each(kinds)('over %s', async (kind) => {
  const address = `http://${servers.get(kind)?.host}/mcp`
  const tool = node('toolAgentflow', 0, {
    toolAgentflowSelectedTool: 'customMCP',
    toolAgentflowSelectedToolConfig: { mcpServerConfig: JSON.stringify({ url: address }), mcpActions: '["greet"]' },
    toolInputArgs: [{ inputArgName: 'name', inputArgValue: '{{question}}' }],
  })
  const json = { name: 'MCP', flowData: JSON.stringify(chain(start(), tool)), type: 'AGENTFLOW' }
  const { id } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json })).json()
  const answer = await ann.fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question: 'Ann' } })
  expect(await answer.json()).toMatchObject({ text: 'Hello Ann' })
})
