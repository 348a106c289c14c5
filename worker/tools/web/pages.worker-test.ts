/** Web tools in workerd: its network, its text decoder and lazily loaded parsers. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'

let web: Server
let address: string
let heddle: TestHeddle
let ann: TestClient

const seen: { method?: string; url?: string; body: string; key?: unknown }[] = []

beforeAll(async () => {
  web = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method, url, headers } = request
    seen.push({ method, url, body, key: headers['idempotency-key'] })
    if (url === '/page') {
      response.setHeader('content-type', 'text/html; charset=windows-1252')
      return response.end(
        Buffer.from('<title>Caf\xe9</title><nav>menu</nav><h1>Hello</h1><p>a <a href="/b">b</a></p>', 'latin1'),
      )
    }
    if (url === '/api.yaml') return response.end(yaml())
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ made: JSON.parse(body).name }))
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  address = `http://${host}`
  heddle = await startTestHeddle({ allowPrivateHosts: host })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  web.closeAllConnections()
  web.close()
})

const yaml = () => `
openapi: 3.0.0
servers: [{ url: /v1 }]
paths:
  /items:
    post:
      operationId: makeItem
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
`

/** Returns the answer of a flow that calls the tool once. */
async function use(tool: string, config: object, args: Record<string, string>): Promise<string> {
  const toolNode = node('toolAgentflow', 0, {
    toolAgentflowSelectedTool: tool,
    toolAgentflowSelectedToolConfig: config,
    toolInputArgs: Object.entries(args).map(([inputArgName, inputArgValue]) => ({ inputArgName, inputArgValue })),
  })
  const json = { name: tool, flowData: JSON.stringify(chain(start(), toolNode)), type: 'AGENTFLOW' }
  const { id } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json })).json()
  const answer = await ann.fetch(`/api/v1/prediction/${id}`, { method: 'POST', json: { question: 'cup' } })
  return (await answer.json()).text
}

it('a flow reads a web page', async () => {
  expect(await use('webScraperTool', {}, { input: `${address}/page` })).toBe(
    `# Café\n${address}/page\n\n# Hello\n\na [b](${address}/b)`,
  )
})

it('a flow calls an operation of a YAML specification', async () => {
  const config = { inputType: 'link', openApiLink: `${address}/api.yaml`, selectedEndpoints: '["makeItem"]' }
  expect(await use('openAPIToolkit', config, { RequestBody: '{"name": "{{question}}"}' })).toBe('{"made":"cup"}')
  expect(seen.at(-1)).toMatchObject({
    method: 'POST',
    url: '/v1/items',
    body: '{"name":"cup"}',
    key: expect.any(String),
  })
})

it('a flow runs an operation’s custom code in the sandbox', async () => {
  const customCode = 'const answer = await (await fetch($url, $options)).json()\nreturn answer.made + "!"'
  const config = { inputType: 'link', openApiLink: `${address}/api.yaml`, customCode }
  expect(await use('openAPIToolkit', config, { RequestBody: '{"name": "jug"}' })).toBe('jug!')
})
