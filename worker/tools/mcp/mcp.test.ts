import { describe, expect, test } from 'vitest'
import { createOpenComponents } from '../../nodes/components.ts'
import { noFlows } from '../../nodes/testing/steps.ts'
import { ownTools } from '../testing/own-tools.ts'
import type { CallableTool } from '../types.ts'
import { customMcp, listMcpTools } from './mcp.ts'
import { type McpScript, scriptedMcp } from './testing/scripted-mcp.ts'

const add = {
  name: 'math.add',
  description: 'Adds two numbers',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' }, note: { type: 'string', pattern: '(a+)+$' } },
    required: ['a', 'b'],
  },
}
const read = { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
const text = (words: string) => ({ content: [{ type: 'text', text: words }] })

const script = (additionalParam: Partial<McpScript> = {}): McpScript => ({
  kind: 'http',
  tools: [add, read],
  call: (name, args) => text(`${name} ${JSON.stringify(args)}`),
  ...additionalParam,
})
const configOf = (mcpActions: unknown = ['math.add', 'read'], additionalParam: Record<string, unknown> = {}) => ({
  mcpServerConfig: JSON.stringify({ url: 'https://mcp.example.com/mcp', ...additionalParam }),
  mcpActions,
})

async function open(server: ReturnType<typeof scriptedMcp>, config: Record<string, unknown> = configOf()) {
  const none = () => Promise.reject(new Error('not in this test'))
  return customMcp.open({
    config,
    credential: {},
    egress: server.egress,
    sandbox: { run: none },
    clock: { now: () => new Date(0), sleep: none },
    flows: noFlows,
    own: ownTools(),
    signal: new AbortController().signal,
  })
}

const closeAll = (tools: CallableTool[]) => Promise.all(tools.map((tool) => tool.close?.()))

describe.each(['http', 'stream', 'sse'] as const)('an MCP server over %s', (kind) => {
  test('provides tools, handles calls and is disconnected', async () => {
    const server = scriptedMcp(script({ kind }))
    const tools = await open(server)
    expect(tools).toMatchObject([
      { name: 'math_add', description: 'Adds two numbers', hasEffect: true },
      { name: 'read', description: 'read', hasEffect: false },
    ])
    expect(tools[0]?.parameters).toMatchObject({ type: 'object', required: ['a', 'b'] })
    expect(await tools[0]?.call({ a: 1, b: 2 }, 'key-1')).toBe('math.add {"a":1,"b":2}')
    expect(await tools[1]?.call({}, 'key-2')).toBe('read {}')
    const keys = server.seen.filter(({ rpc }) => rpc === 'tools/call').map(({ headers }) => headers['idempotency-key'])
    expect(keys).toEqual(['key-1', 'key-2'])
    await closeAll(tools)
    if (kind === 'sse') expect(server.isConnected()).toBe(false)
    else expect(server.seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })
})

test('no stream for server messages is opened', async () => {
  const server = scriptedMcp(script())
  await closeAll(await open(server))
  expect(server.seen.map(({ method }) => method)).not.toContain('GET')
})

test('every request carries the headers of the config', async () => {
  const authorization = 'Bearer secret'
  const server = scriptedMcp(script({ authorization }))
  const tools = await open(server, configOf(undefined, { headers: { Authorization: authorization } }))
  await tools[0]?.call({ a: 1, b: 1 }, 'k')
  await closeAll(tools)
  expect(new Set(server.seen.map(({ headers }) => headers.authorization))).toEqual(new Set([authorization]))
})

test('an authorization error is reported without trying another transport', async () => {
  const server = scriptedMcp(script({ authorization: 'Bearer secret' }))
  await expect(open(server)).rejects.toThrow('mcp.example.com: HTTP 401: who are you?')
  expect(server.seen.map(({ method }) => method)).not.toContain('GET')
})

test('only the selected actions become tools, stored as a list or as JSON', async () => {
  const server = scriptedMcp(script())
  const tools = await open(server, configOf('["read"]'))
  expect(tools.map(({ name }) => name)).toEqual(['read'])
  await closeAll(tools)
})

test.each([
  [[], 'choose at least one'],
  ['', 'choose at least one'],
  [['gone'], 'no longer offers the action "gone"'],
])('actions %j', async (actions, message) => {
  await expect(open(scriptedMcp(script()), configOf(actions))).rejects.toThrow(message)
})

describe('the result of an MCP call', () => {
  test.each([
    [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [{ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] }, 'An image'],
    [
      {
        content: [
          { type: 'text', text: 'Here it is' },
          { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        ],
      },
      'Here it is',
    ],
    [{ content: [{ type: 'resource', resource: { uri: 'file:///x', text: 'inside' } }] }, 'inside'],
    [
      { content: [{ type: 'resource_link', uri: 'https://x.example/', name: 'x' }] },
      '[resource_link https://x.example/]',
    ],
    [{ content: [], structuredContent: { n: 1 } }, '{"n":1}'],
  ])('converts the result %j to text', async (result, words) => {
    const tools = await open(scriptedMcp(script({ call: () => result })))
    expect(await tools[1]?.call({}, 'k')).toBe(words)
    await closeAll(tools)
  })

  test('contains images as artifacts', async () => {
    const content = [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }]
    const tools = await open(scriptedMcp(script({ call: () => ({ content }) })))
    const shown: unknown[] = []
    const show = (made: readonly unknown[]) => void shown.push(...made)
    const step = { question: '', charge() {}, cite() {}, show, globals: () => ({}) }
    await tools[1]?.call({}, 'k', step)
    expect(shown).toEqual([{ type: 'png', data: 'data:image/png;base64,AAAA' }])
    await closeAll(tools)
  })

  test('is an error with the server’s message when the call fails', async () => {
    const tools = await open(scriptedMcp(script({ call: () => ({ ...text('no such city'), isError: true }) })))
    await expect(tools[1]?.call({}, 'k')).rejects.toThrow(new Error('no such city'))
    await closeAll(tools)
  })
})

test('regular expressions of a server are not run on model output', async () => {
  const tools = await open(scriptedMcp(script()))
  expect(JSON.stringify(tools[0]?.parameters)).not.toContain('pattern')
  await closeAll(tools)
})

describe('an invalid MCP config', () => {
  test.each([
    ['', 'must be JSON'],
    ['[1]', 'must be JSON'],
    ['{"command":"npx","args":["-y","x"]}', 'local programs ("command") are not supported'],
    ['{"url":"nowhere"}', '"url" must be the server'],
    ['{}', '"url" must be the server'],
  ])('rejects the configuration %s', async (mcpServerConfig, message) => {
    const server = scriptedMcp(script())
    await expect(open(server, { mcpServerConfig, mcpActions: ['read'] })).rejects.toThrow(message)
    expect(server.seen).toEqual([])
  })
})

test.each([
  ['mcp.example.com could not be reached', 'Could not connect to the MCP server: mcp.example.com could not be reached'],
  ['No memory left', 'Could not connect to the MCP server at mcp.example.com: No memory left'],
])('the error names a server that cannot be reached once: %s', async (reason, message) => {
  const egress = { fetch: () => Promise.reject(new Error(reason)) }
  const ports = { egress, signal: new AbortController().signal }
  await expect(listMcpTools(configOf(), ports)).rejects.toThrow(message)
})

test('the canvas gets all pages of tools, sorted by name', async () => {
  const tools = ['c', 'a', 'b'].map((name) => ({ name, description: `does ${name}`, inputSchema: { type: 'object' } }))
  const server = scriptedMcp(script({ tools, pageSize: 2 }))
  const ports = { egress: server.egress, signal: new AbortController().signal }
  expect(await listMcpTools(configOf([]), ports)).toEqual([
    { label: 'a', name: 'a', description: 'does a' },
    { label: 'b', name: 'b', description: 'does b' },
    { label: 'c', name: 'c', description: 'does c' },
  ])
  expect(server.seen.at(-1)?.method).toBe('DELETE')
})

test.each([
  ['that repeats itself', '5'],
  ['without end', undefined],
])('a list of tools %s is rejected', async (_, repeated) => {
  let page = 0
  const server = scriptedMcp(script())
  const endless: typeof server.egress = {
    async fetch(input, init) {
      const { id, method } = JSON.parse(String(init?.body || '{}')) as { id?: number; method?: string }
      if (method !== 'tools/list') return server.egress.fetch(input, init)
      page += 1
      return Response.json({ jsonrpc: '2.0', id, result: { tools: [read], nextCursor: repeated ?? String(page) } })
    },
  }
  const ports = { egress: endless, signal: new AbortController().signal }
  await expect(listMcpTools(configOf([]), ports)).rejects.toThrow('list of tools is too long')
  expect(page).toBeLessThanOrEqual(100)
})

test('large results and errors are truncated', async () => {
  const huge = 'x'.repeat(3_000_000)
  const tools = await open(scriptedMcp(script({ call: () => text(huge) })))
  expect(String(await tools[1]?.call({}, 'k')).length).toBeLessThan(510_000)
  await closeAll(tools)
  const failing = await open(scriptedMcp(script({ call: () => ({ ...text(huge), isError: true }) })))
  await expect(failing[1]?.call({}, 'k')).rejects.toThrow(/^.{1,510000}$/s)
  await closeAll(failing)
})

test('unknown content parts are shown as a placeholder', async () => {
  const tools = await open(scriptedMcp(script({ call: () => ({ content: [{ type: 'text' }] }) })))
  await expect(tools[1]?.call({}, 'k')).rejects.toThrow()
  await closeAll(tools)
})

test.each([
  ['{"mcpServers":{"a":{"url":"https://mcp.example.com/mcp"}}}', 'Enter the config of a single server'],
  ['{"url":"https://mcp.example.com/mcp","headers":["x"]}', '"headers" must be an object'],
  ['{"url":"https://mcp.example.com/mcp","headers":{"a b":"c"}}', '"a b" is not a valid header'],
  ['{"url":"https://mcp.example.com/mcp","headers":{"x":"a\\nb"}}', '"x" is not a valid header'],
])('config %s', async (mcpServerConfig, message) => {
  const server = scriptedMcp(script())
  await expect(open(server, { mcpServerConfig, mcpActions: ['read'] })).rejects.toThrow(message)
  expect(server.seen).toEqual([])
})

test('errors do not reveal a key in the server’s URL', async () => {
  const egress = { fetch: async () => new Response('no', { status: 500 }) }
  const config = { mcpServerConfig: '{"url":"https://mcp.example.com/mcp?key=s3cret"}' }
  await expect(listMcpTools(config, { egress, signal: new AbortController().signal })).rejects.not.toThrow(/s3cret/)
})

test('the connection is closed when another tool of the node fails to open', async () => {
  const server = scriptedMcp(script())
  const components = createOpenComponents({
    readCredential: async () => undefined,
    egress: server.egress,
    sandbox: { run: () => Promise.reject(new Error('no sandbox')) },
    flows: noFlows,
    own: ownTools(),
    clock: { now: () => new Date(0), sleep: async () => {} },
  })
  const agentTools = [
    { agentSelectedTool: 'customMCP', agentSelectedToolConfig: configOf() },
    { agentSelectedTool: 'unheard' },
  ]
  const step = components({ id: 'agent_0', inputs: { agentTools } }, new AbortController().signal)
  await expect(step.tools('agentTools', 'agentSelectedTool')).rejects.toThrow('Unknown tool "unheard"')
  expect(server.seen.at(-1)?.method).toBe('DELETE')
})
