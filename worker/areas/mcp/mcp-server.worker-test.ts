// @defends anonymous-api-key
// @defends token-mcp-server-read
/** The official MCP client against flows as tools. */

import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FlowMcpServerSettings } from '#contract/mcp/servers.ts'
import { chatflows, rateLimits } from '#db/schema/index.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, directReply, llm, start } from '../../../e2e/support/flows.ts'
import { gate } from '../../../e2e/support/model-server.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let bob: TestClient

beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
})
afterAll(() => scene.close())
beforeEach(async () => {
  scene.model.reset()
  await scene.heddle.database.delete(rateLimits)
})

const echoing = () => chain(start(), directReply('You said: {{question}}'))
const save = (flow = echoing(), more: object = {}) => scene.save(flow, { callers: 'keys', ...more })

const settings = (method: string, path: string, json?: object, client = scene.ann) =>
  scene.call<FlowMcpServerSettings & { message?: string }>(method, `/mcp-server/${path}`, json, client)

async function offer(flowId: string, json: object = {}): Promise<string> {
  const { body } = await settings('POST', flowId, json)
  return body.token as string
}

async function keyOf(owner: TestClient, permissions: string[]): Promise<string> {
  return (await scene.call<{ apiKey: string }>('POST', '/apikey', { keyName: 'k', permissions }, owner)).body.apiKey
}

async function connect(path: string, token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const url = new URL(`${scene.heddle.url}/api/v1/mcp${path}`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }) as never)
  return client
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text

function send(path: string, token: string | undefined, message: unknown, method = 'POST'): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  return scene.heddle.fetch(`/api/v1/mcp${path}`, {
    method,
    headers,
    ...(method === 'POST' && { body: JSON.stringify(message) }),
  })
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

describe('the MCP server of a flow', () => {
  it('is one tool that takes a question', async () => {
    const flowId = await save()
    const token = await offer(flowId, { toolName: 'tea', description: 'Knows tea' })
    const client = await connect(`/${flowId}`, token)
    expect(client.getServerVersion()).toMatchObject({ name: 'heddle' })
    expect((await client.listTools()).tools).toMatchObject([
      {
        name: 'tea',
        description: 'Knows tea',
        inputSchema: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
      },
    ])
    const result = await client.callTool({ name: 'tea', arguments: { question: 'Green? {{$vars.key}}' } })
    expect(textOf(result)).toBe('You said: Green? {{$vars.key}}')
    expect(result.isError).toBeUndefined()
    await client.close()
  })

  it('takes the form of a flow that starts with one, with the types of its fields', async () => {
    const formInputTypes = [
      { type: 'string', label: 'Your name', name: 'name' },
      { type: 'number', label: 'Cups', name: 'cups' },
      { type: 'options', label: 'Kind', name: 'kind', addOptions: [{ option: 'green' }, { option: 'black' }] },
    ]
    const flow = chain(
      start({ startInputType: 'formInput', formTitle: 'Tea', formInputTypes }),
      directReply('{{$form.name}}: {{$form.cups}} {{$form.kind}}'),
    )
    const flowId = await save(flow)
    const client = await connect(`/${flowId}`, await offer(flowId, { toolName: 'order' }))
    const [tool] = (await client.listTools()).tools
    expect(tool?.inputSchema.properties?.form).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Your name' },
        cups: { type: 'number', description: 'Cups' },
        kind: { type: 'string', description: 'Kind', enum: ['green', 'black'] },
      },
      required: ['name', 'cups', 'kind'],
    })
    const form = { name: 'Ann', cups: 2, kind: 'green' }
    expect(textOf(await client.callTool({ name: 'order', arguments: { form } }))).toBe('Ann: 2 green')
    await expect(client.callTool({ name: 'order', arguments: { question: 'q' } })).rejects.toThrow('"form"')
    await client.close()
  })

  it('tells the model why a run failed', async () => {
    scene.model.always(() => ({ error: { status: 400, message: 'No such model' } }))
    const flowId = await save(chain(start(), llm(scene.model.baseUrl)))
    const client = await connect(`/${flowId}`, await offer(flowId, { toolName: 'ask' }))
    const result = await client.callTool({ name: 'ask', arguments: { question: 'q' } })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('No such model')
    await client.close()
  })

  it('refuses everyone without its own token, as JSON-RPC', async () => {
    const flowId = await save(echoing(), { callers: 'everyone' })
    const other = await offer(await save())
    const key = await keyOf(scene.ann, ['agentflows:view'])
    await offer(flowId)
    for (const token of [undefined, 'nonsense', other, key]) {
      const response = await send(`/${flowId}`, token, ping)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32001 } })
    }
    await expect(connect(`/${flowId}`, other)).rejects.toThrow()
  })

  it('says to its client alone that it is off', async () => {
    const flowId = await save()
    const token = await offer(flowId)
    expect((await send(`/${flowId}`, token, ping)).status).toBe(200)
    await settings('DELETE', flowId)
    for (const [id, sent, status] of [
      [flowId, token, 404],
      [flowId, 'nonsense', 401],
      [crypto.randomUUID(), token, 401],
    ] as const) {
      const response = await send(`/${id}`, sent, ping)
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { code: -32001 } })
    }
    await settings('PUT', flowId, { enabled: true })
    expect((await send(`/${flowId}`, token, ping)).status).toBe(200)
  })

  it('answers POST alone, and says what it does not know', async () => {
    const flowId = await save()
    const token = await offer(flowId)
    for (const method of ['GET', 'DELETE']) {
      const response = await send(`/${flowId}`, token, undefined, method)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
    const answerTo = async (message: object) => {
      const response = await send(`/${flowId}`, token, { jsonrpc: '2.0', id: 7, ...message })
      return { status: response.status, ...(await response.json()) }
    }
    expect(await answerTo({ method: 'resources/list' })).toMatchObject({ status: 200, id: 7, error: { code: -32601 } })
    expect(await answerTo({ method: 'tools/call', params: { name: 'other' } })).toMatchObject({
      status: 200,
      error: { code: -32602 },
    })
    expect(await answerTo({ method: 5 })).toMatchObject({ status: 400, error: { code: -32600 } })
    const noted = await send(`/${flowId}`, token, { jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([noted.status, await noted.text()]).toEqual([202, ''])
  })

  it('is counted against the limit that the owner of the flow set', async () => {
    const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: 'Slow down' }
    const flowId = await save(echoing(), { apiConfig: JSON.stringify({ rateLimit }) })
    const token = await offer(flowId, { toolName: 'tea' })
    const message = { ...ping, method: 'tools/call', params: { name: 'tea', arguments: { question: 'q' } } }
    expect((await send(`/${flowId}`, token, message)).status).toBe(200)
    const response = await send(`/${flowId}`, token, message)
    expect([response.status, response.headers.has('retry-after')]).toEqual([429, true])
    expect(await response.text()).toContain('Slow down')
  })

  it('stops the run when its client leaves', async () => {
    const held = gate()
    scene.model.reply({ text: 'late', before: held.opened })
    const flowId = await save(chain(start(), llm(scene.model.baseUrl)))
    const authorization = `Bearer ${await offer(flowId, { toolName: 'tea' })}`
    const params = { name: 'tea', arguments: { question: 'q' } }
    const body = JSON.stringify({ ...ping, method: 'tools/call', params })
    const headers = { authorization, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(`${scene.heddle.url}/api/v1/mcp/${flowId}`, { method: 'POST', headers })
    call.on('error', () => {})
    call.end(body)
    await scene.model.received(1)
    call.socket?.resetAndDestroy()
    await expect.poll(() => scene.model.requests[0]?.cancelled, { timeout: 10_000 }).toBe(true)
    held.open()
  })
})

describe('the settings of a flow’s MCP server', () => {
  it('show the token once, and no call returns its hash', async () => {
    const flowId = await save()
    expect((await settings('GET', flowId)).body).toEqual({
      enabled: false,
      toolName: 'test',
      description: 'Runs “Test”',
    })
    const { token } = (await settings('POST', flowId)).body
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await settings('PUT', flowId, { toolName: 'tea' })).body).toEqual({
      enabled: true,
      toolName: 'tea',
      description: 'Runs “Test”',
    })
    const { body: refreshed } = await settings('POST', `${flowId}/refresh`)
    expect(refreshed.token).not.toBe(token)
    expect((await send(`/${flowId}`, token, ping)).status).toBe(401)
    expect((await send(`/${flowId}`, refreshed.token, ping)).status).toBe(200)

    const [row] = await scene.heddle.database.select().from(chatflows).where(eq(chatflows.id, flowId))
    const hash = row?.mcpServer?.tokenHash as string
    await scene.call('PUT', `/chatflows/${flowId}`, { isPublic: true })
    const answers = await Promise.all([
      scene.call('GET', `/mcp-server/${flowId}`),
      scene.call('GET', `/chatflows/${flowId}`),
      scene.call('GET', '/chatflows'),
      scene.call('GET', '/chatflows?page=1&limit=100&search=Test'),
      scene.call('PUT', `/chatflows/${flowId}`, { category: 'c' }),
      scene.call('GET', `/chatflows/${flowId}/versions`),
      scene.call('GET', `/public-chatflows/${flowId}`),
      scene.call('GET', `/public-chatbotConfig/${flowId}`),
      scene.call('POST', '/export-import/export', { agentflow: true, agentflowv2: true, chatflow: true }),
    ])
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain(hash)
      expect(JSON.stringify(answer.body)).not.toContain('mcpServer')
    }
  })

  it('are hidden from another workspace, and kept from members who may not edit the flow', async () => {
    const flowId = await save()
    await offer(flowId)
    for (const [method, path] of [
      ['GET', flowId],
      ['POST', flowId],
      ['PUT', flowId],
      ['DELETE', flowId],
      ['POST', `${flowId}/refresh`],
    ] as const) {
      expect((await settings(method, path, method === 'GET' ? undefined : {}, bob)).status).toBe(404)
    }
    const key = await keyOf(scene.ann, ['agentflows:view', 'chatflows:update'])
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await scene.heddle.fetch(`/api/v1/mcp-server/${flowId}`, { method: 'PUT', headers, body: '{}' })
    expect(response.status).toBe(403)
  })

  it('refuse a name that clients would not take', async () => {
    const { status, body } = await settings('POST', await save(), { toolName: 'two words' })
    expect([status, body.message]).toEqual([400, 'toolName: Use up to 64 letters, digits, _ and -'])
  })
})

describe('the MCP server of a workspace', () => {
  it('has the flows that the key may run and that are offered', async () => {
    const name = `w_${crypto.randomUUID().slice(0, 8)}`
    const first = await save()
    const second = await save()
    const closed = await save(echoing(), { callers: 'members' })
    const unoffered = await save()
    await offer(first, { toolName: name })
    await offer(second, { toolName: name })
    await offer(closed, { toolName: `${name}_closed` })
    await offer(unoffered, { toolName: `${name}_off` })
    await settings('DELETE', unoffered)

    const client = await connect('', await keyOf(scene.ann, ['agentflows:view']))
    const tools = (await client.listTools()).tools.map((tool) => tool.name).filter((each) => each.startsWith(name))
    expect(tools.toSorted()).toEqual([first, second].map((id) => `${name}_${id.slice(0, 8)}`).toSorted())
    const result = await client.callTool({ name: tools[0] as string, arguments: { question: 'q' } })
    expect(textOf(result)).toBe('You said: q')
    await expect(client.callTool({ name: `${name}_closed`, arguments: { question: 'q' } })).rejects.toThrow('no tool')
    await client.close()
  })

  it('has nothing of another workspace, and nothing that its key may not run', async () => {
    const flowId = await save(echoing(), { callers: 'keys' })
    const toolName = `t_${crypto.randomUUID().slice(0, 8)}`
    const token = await offer(flowId, { toolName })
    const toolsOf = async (key: string) => (await (await connect('', key)).listTools()).tools
    expect(await toolsOf(await keyOf(bob, ['agentflows:view']))).toEqual([])
    const weak = await toolsOf(await keyOf(scene.ann, ['variables:view']))
    expect(weak.map(({ name }) => name)).not.toContain(toolName)
    for (const wrong of [undefined, 'nonsense', token]) {
      const response = await send('', wrong, ping)
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ error: { code: -32001 } })
    }
    const withSession = await scene.ann.fetch('/api/v1/mcp', { method: 'POST', json: ping })
    expect(withSession.status).toBe(401)
  })
})
