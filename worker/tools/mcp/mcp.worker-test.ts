/** An MCP tool in a flow, with workerd's network and streams. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'
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

const PICTURE = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
const helloTo = (args: unknown) => `Hello ${(args as { name: string }).name}`

async function listen(kind: McpScript['kind']) {
  const { egress } = scriptedMcp({
    kind,
    tools: ['greet', 'draw'].map((name) => ({
      name,
      inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    })),
    call: (name, args) => ({ content: name === 'draw' ? [PICTURE] : [{ type: 'text', text: helloTo(args) }] }),
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

async function flowWith(kind: McpScript['kind'], action: string): Promise<string> {
  const address = `http://${servers.get(kind)?.host}/mcp`
  const tool = node('toolAgentflow', 0, {
    toolAgentflowSelectedTool: 'customMCP',
    toolAgentflowSelectedToolConfig: { mcpServerConfig: JSON.stringify({ url: address }), mcpActions: [action] },
    toolInputArgs: [{ inputArgName: 'name', inputArgValue: '{{question}}' }],
  })
  const json = { name: 'MCP', flowData: JSON.stringify(chain(start(), tool)), type: 'AGENTFLOW' }
  const { id } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json })).json()
  return id
}

it.each(kinds)('a flow calls an MCP tool over %s', async (kind) => {
  const id = await flowWith(kind, 'greet')
  const answer = await ann.fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question: 'Ann' } })
  expect(await answer.json()).toMatchObject({ text: 'Hello Ann' })
})

it('an image from an MCP tool is sent to the chat and stored with the answer', async () => {
  const id = await flowWith('http', 'draw')
  const json = { question: 'Ann', chatId: 'pictures', streaming: true }
  const answer = await ann.fetch(`/api/v1/internal-prediction/${id}`, { method: 'POST', json })
  const picture = { type: 'png', data: 'data:image/png;base64,iVBORw0KGgo=' }
  expect(await answer.text()).toContain(`data:${JSON.stringify({ event: 'artifacts', data: [picture] })}\n`)
  const messages = await (await ann.fetch(`/api/v1/internal-chatmessage/${id}?chatId=pictures&order=ASC`)).json()
  expect(messages).toMatchObject([{ artifacts: null }, { role: 'apiMessage', artifacts: [picture] }])
})
