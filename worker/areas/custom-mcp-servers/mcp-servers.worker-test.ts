// @defends variable-adds-headers
// @defends header-mcp-server
/** MCP servers that a workspace added: their headers stay secret, and its flows use their tools. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BLANK_SECRET } from '#contract/credentials/credentials.ts'
import { call as callApi } from '#worker/local/testing/client.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { scriptedMcp } from '#worker/tools/mcp/testing/scripted-mcp.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

const TOKEN = 'Bearer osprey-42'
let scene: Scene
let bob: TestClient
let server: Server
let url: string

beforeAll(async () => {
  const greet = {
    name: 'greet',
    description: 'Greets',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
  }
  const { egress } = scriptedMcp({
    kind: 'http',
    authorization: TOKEN,
    tools: [greet],
    call: (_, args) => ({ content: [{ type: 'text', text: `Hello ${(args as { name: string }).name}` }] }),
  })
  server = createServer(async (request, response) => {
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
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  url = `http://${host}/mcp`
  scene = await openScene({ allowPrivateHosts: host })
  bob = await scene.heddle.signUp()
})
afterAll(async () => {
  await scene.close()
  server.closeAllConnections()
  server.close()
})

const call = (client: TestClient, method: string, path: string, json?: unknown) =>
  callApi(client, method, `/custom-mcp-servers${path}`, json)

const authorized = () => ({
  name: 'Greeter',
  serverUrl: url,
  authType: 'CUSTOM_HEADERS',
  authConfig: { headers: { Authorization: TOKEN } },
})

async function create(change: object = {}): Promise<string> {
  const { status, body } = await call(scene.ann, 'POST', '', { ...authorized(), ...change })
  expect(status).toBe(200)
  return body.id
}

it('never returns a header’s value, and lists the tools of a server that it can reach', async () => {
  const id = await create()
  const answers = [
    await call(scene.ann, 'GET', `/${id}`),
    await call(scene.ann, 'POST', `/${id}/authorize`),
    await call(scene.ann, 'GET', ''),
    await call(scene.ann, 'PUT', `/${id}`, { name: 'Renamed' }),
    await call(scene.ann, 'GET', `/${id}/tools`),
  ]
  for (const { status, text } of answers) {
    expect(status).toBe(200)
    expect(text).not.toContain('osprey')
  }
  expect(answers[0]?.body).toMatchObject({
    status: 'PENDING',
    authConfig: { headers: { Authorization: BLANK_SECRET } },
  })
  expect(answers[1]?.body).toMatchObject({ status: 'AUTHORIZED', statusReason: null, toolCount: 1 })
  expect(answers[3]?.body).toMatchObject({ name: 'Renamed', status: 'AUTHORIZED', toolCount: 1 })
  expect(answers[4]?.body).toEqual([{ name: 'greet', description: 'Greets' }])
})

it('keeps a blank header when a server is saved, and drops it when the server moves to another host', async () => {
  const id = await create()
  const blank = { headers: { Authorization: BLANK_SECRET } }
  await call(scene.ann, 'PUT', `/${id}`, { serverUrl: `${url}?again`, authConfig: blank })
  expect((await call(scene.ann, 'POST', `/${id}/authorize`)).body.status).toBe('AUTHORIZED')
  const moved = await call(scene.ann, 'PUT', `/${id}`, { serverUrl: 'https://thief.example/mcp', authConfig: blank })
  expect(moved.body).toMatchObject({ status: 'PENDING', authConfig: null })
})

it('puts the workspace’s variables into headers, and shows their values nowhere', async () => {
  const [token, other] = [TOKEN.slice('Bearer '.length), 'merlin-7']
  await callApi(scene.ann, 'POST', '/variables', { name: 'greeterToken', value: token, type: 'secret' })
  await callApi(bob, 'POST', '/variables', { name: 'greeterToken', value: other, type: 'secret' })
  const authConfig = { headers: { Authorization: 'Bearer {{$vars.greeterToken}}' } }
  const id = await create({ authConfig })
  expect((await call(scene.ann, 'POST', `/${id}/authorize`)).body.status).toBe('AUTHORIZED')
  const { body, ...rest } = await scene.internally(await scene.save(chain(start(), toolNode(id))), { question: 'Ann' })
  expect(body.text).toBe('Hello Ann')
  expect(JSON.stringify([body, rest])).not.toContain(token)
  const echoed = await scene.internally(await scene.save(chain(start(), toolNode(id))), { question: token })
  expect(JSON.stringify(echoed.body.agentFlowExecutedData)).not.toContain(token)
  const used = await callApi(scene.ann, 'GET', '/usages?kind=variable&asset=greeterToken')
  expect(used.body.data).toMatchObject([{ kind: 'mcpServer', id, name: 'Greeter' }])

  const missing = await create({ authConfig: { headers: { Authorization: '{{$vars.nowhere}}' } } })
  const { body: refused } = await call(scene.ann, 'POST', `/${missing}/authorize`)
  expect(refused.statusReason).toContain('needs the variable “nowhere”. Set it under Variables.')
  const { body: taken } = await callApi(bob, 'POST', '/custom-mcp-servers', { ...authorized(), authConfig })
  const ofBob = await call(bob, 'POST', `/${taken.id}/authorize`)
  expect([ofBob.body.status, ofBob.text]).toEqual(['ERROR', expect.not.stringContaining(other)])
  await call(bob, 'DELETE', `/${taken.id}`)
})

it('refuses a variable that would add a header of its own', async () => {
  const value = 'x\r\nX-Injected: yes'
  await callApi(scene.ann, 'POST', '/variables', { name: 'twoLines', value, type: 'static' })
  const id = await create({ authConfig: { headers: { Authorization: 'Bearer {{$vars.twoLines}}' } } })
  const { body } = await call(scene.ann, 'POST', `/${id}/authorize`)
  expect(body).toMatchObject({ status: 'ERROR', statusReason: expect.stringContaining('would contain a line break') })
})

it.each([
  ['a wrong header', { authConfig: { headers: { Authorization: 'Bearer wrong-heron' } } }, 'HTTP 401'],
  ['a private host', { serverUrl: 'http://127.0.0.1:1/mcp' }, 'private'],
])('tells why it cannot use a server with %s', async (_, change, reason) => {
  const id = await create(change)
  const { status, body, text } = await call(scene.ann, 'POST', `/${id}/authorize`)
  expect([status, body.status, body.toolCount]).toEqual([200, 'ERROR', 0])
  expect(body.statusReason).toContain(reason)
  expect(text).not.toContain('heron')
})

it.each([
  [{ name: '' }, 'name'],
  [{ serverUrl: 'file:///etc/passwd' }, 'serverUrl'],
  [{ serverUrl: 'npx -y server' }, 'serverUrl'],
  [{ authType: 'STDIO' }, 'authType'],
  [{ authConfig: { headers: { 'a b': 'c' } } }, 'authConfig.headers.a b'],
  [{ authConfig: { headers: { a: 'b\nc: d' } } }, 'authConfig.headers.a'],
])('refuses %j and names the field', async (bad, field) => {
  const { status, body } = await call(scene.ann, 'POST', '', { ...authorized(), ...bad })
  expect([status, body.field]).toEqual([400, field])
})

it('keeps servers private to their workspace', async () => {
  const id = await create()
  for (const [method, path] of [
    ['GET', `/${id}`],
    ['GET', `/${id}/tools`],
    ['PUT', `/${id}`],
    ['POST', `/${id}/authorize`],
    ['DELETE', `/${id}`],
  ] as const)
    expect((await call(bob, method, path, method === 'PUT' ? {} : undefined)).status).toBe(404)
  expect((await call(bob, 'GET', '')).body).toEqual([])
  expect((await call(scene.ann, 'DELETE', `/${id}`)).body).toEqual({ raw: [], affected: 1 })
})

const toolNode = (mcpServerId: string) =>
  node('toolAgentflow', 0, {
    toolAgentflowSelectedTool: 'customMcpServerTool',
    toolAgentflowSelectedToolConfig: { mcpServerId, mcpActions: ['greet'] },
    toolInputArgs: [{ inputArgName: 'name', inputArgValue: '{{question}}' }],
  })

it('lets a flow call a tool of the server, and a copy in another workspace not', async () => {
  const id = await create()
  const flow = chain(start(), toolNode(id))
  const { body } = await scene.internally(await scene.save(flow), { question: 'Ann' })
  expect(body.text).toBe('Hello Ann')
  expect(JSON.stringify(body.agentFlowExecutedData)).not.toContain('osprey')
  const copy = { name: 'Copied', type: 'AGENTFLOW', flowData: JSON.stringify(flow) }
  const { body: copied } = await callApi(bob, 'POST', '/chatflows', copy)
  const refused = await callApi(bob, 'POST', `/internal-prediction/${copied.id}`, { question: 'Bob' })
  expect(refused.body.message).toContain('the chosen server no longer exists. Choose another one.')
  const load = { loadMethod: 'listActions', inputs: { mcpServerId: id } }
  const { body: actions } = await callApi(scene.ann, 'POST', '/node-load-method/customMcpServerTool', load)
  expect(actions).toEqual([{ label: 'greet', name: 'greet', description: 'Greets' }])
})
