/** Every URL that a person, a model or a service can pass to a tool goes through egress. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fakeNetwork, redirectTo } from '../ports/testing/fake-network.ts'
import { tools } from './index.ts'
import { contextOf } from './testing/tools.ts'

const PRIVATE = [
  'http://127.0.0.1:8788/api/v1/credentials',
  'http://localhost/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://10.0.0.5/',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/',
  'http://printer.local/',
  'https://user:secret@example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
]
const PUBLIC = 'https://redirect.example.com/'

interface Way {
  name: string
  /** The config with the URL. */
  config?(address: string): Record<string, unknown>
  /** The arguments of a call. Without them, opening the tool sends the request. */
  args?(address: string): Record<string, unknown>
}

const spec = (server: string) =>
  JSON.stringify({ openapi: '3.0.0', servers: [{ url: server }], paths: { '/': { get: { operationId: 'read' } } } })

const ways: Way[] = [
  ...['Get', 'Post', 'Put', 'Patch', 'Delete'].flatMap((method): Way[] => [
    { name: `requests${method}`, args: (url) => ({ url }) },
    { name: `requests${method}`, config: (url) => ({ [`requests${method}Url`]: url }), args: () => ({}) },
  ]),
  { name: 'webScraperTool', args: (input) => ({ input }) },
  { name: 'searXNG', config: (apiBase) => ({ apiBase }), args: () => ({ input: 'x' }) },
  { name: 'openAPIToolkit', config: (openApiLink) => ({ inputType: 'link', openApiLink }) },
  { name: 'openAPIToolkit', config: (server) => ({ openApiFile: spec(server) }), args: () => ({}) },
  {
    name: 'openAPIToolkit',
    config: (selectedServer) => ({ openApiFile: spec('https://example.com'), selectedServer }),
    args: () => ({}),
  },
  {
    name: 'customMCP',
    config: (url) => ({ mcpServerConfig: JSON.stringify({ url }), mcpActions: ['x'] }),
  },
]

const fetched = vi.fn(() => Promise.reject(new Error('not through egress')))
beforeEach(() => void vi.stubGlobal('fetch', fetched))
afterEach(() => void vi.unstubAllGlobals())

async function use({ name, config, args }: Way, address: string, network: ReturnType<typeof fakeNetwork>) {
  const type = tools.find(({ definition }) => definition.name === name)
  const opened = await type?.open(contextOf(name, network, { config: config?.(address) ?? {} }))
  await opened?.[0]?.call(args?.(address) ?? {}, 'key')
}

test.each(ways)('$name cannot reach a private address', async (way) => {
  for (const address of PRIVATE) {
    const network = fakeNetwork({})
    await expect(use(way, address, network), address).rejects.toThrow(/private address|not allowed|not an address/)
    expect(network.seen, address).toEqual([])
  }
  expect(fetched).not.toHaveBeenCalled()
})

test.each(ways)('$name does not follow a redirect to a private address', async (way) => {
  for (const address of ['http://169.254.169.254/', 'http://localhost:8788/', 'http://[::1]/']) {
    const network = {
      seen: [] as ReturnType<typeof fakeNetwork>['seen'],
      async fetch(request: Request) {
        const { url, method } = request
        network.seen.push({ url, method, headers: {}, body: '' })
        return redirectTo(address, 307)
      },
    }
    await expect(use(way, PUBLIC, network)).rejects.toThrow(/private address/)
    expect(network.seen.map(({ url }) => new URL(url).host)).toEqual(network.seen.map(() => 'redirect.example.com'))
    expect(network.seen.length).toBeGreaterThan(0)
  }
  expect(fetched).not.toHaveBeenCalled()
})

/** Tools with a fixed URL, which also use the port. */
const fixed: [name: string, credential: Record<string, string>, args: Record<string, string>][] = [
  ['braveSearchAPI', { braveApiKey: 'k' }, { input: 'x' }],
  ['tavilyAPI', { tavilyApiKey: 'k' }, { query: 'x' }],
  ['serper', { serperApiKey: 'k' }, { input: 'x' }],
  ['serpAPI', { serpApiKey: 'k' }, { input: 'x' }],
  ['googleCustomSearch', { googleCustomSearchApiKey: 'k', googleCustomSearchApiId: 'k' }, { input: 'x' }],
  ['exaSearch', { exaSearchApiKey: 'k' }, { input: 'x' }],
  ['wolframAlpha', { wolframAlphaAppId: 'k' }, { input: 'x' }],
  ['wikipedia', {}, { input: 'x' }],
  ['arxiv', {}, { query: 'x' }],
]

test.each(fixed)('%s sends requests through egress and never shows its key in errors', async (name, keys, args) => {
  const credential = Object.fromEntries(Object.keys(keys).map((field) => [field, 's3cret']))
  const type = tools.find(({ definition }) => definition.name === name)
  for (const answer of [
    () => new Response('no', { status: 500 }),
    () => redirectTo('http://10.0.0.1/'),
    () => Promise.reject(new TypeError('network error')),
  ]) {
    const asked = vi.fn(answer)
    const network = { seen: [], fetch: async () => asked() }
    const [tool] = (await type?.open(contextOf(name, network, { credential }))) ?? []
    const failure = await tool?.call(args, 'key').then(
      () => 'answered',
      (error: unknown) => String(error),
    )
    expect(failure).toMatch(/500|private address|could not be reached/)
    expect(failure).not.toContain('s3cret')
    expect(asked).toHaveBeenCalled()
  }
  expect(fetched).not.toHaveBeenCalled()
})

test('these tests cover every tool', () => {
  const known = [...ways.map(({ name }) => name), ...fixed.map(([name]) => name)]
  const withoutNetwork = ['calculator', 'currentDateTime', 'jsonPathExtractor', 'ChatflowTool', 'agentAsTool']
  // Its own tests check that it only calls Google's servers.
  const own = ['gmail', 'customTool', 'customMcpServerTool']
  const names = tools.map(({ definition }) => definition.name)
  expect(names.filter((name) => ![...known, ...withoutNetwork, ...own].includes(name))).toEqual([])
})
