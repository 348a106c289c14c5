import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import { roles as rolesTable } from '#db/schema/index.ts'
import { putKey, userOf } from '#worker/http/testing/people.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'

const SPEC = {
  openapi: '3.0.0',
  servers: [{ url: 'https://api.example/v1' }],
  paths: { '/items/{id}': { get: { operationId: 'getItem', parameters: [{ name: 'id', in: 'path' }] } } },
}

let web: Server
let host: string
let heddle: TestHeddle
let ann: TestClient

beforeAll(async () => {
  web = createServer(({ url }, response) => response.end(url === '/secret-path' ? JSON.stringify(SPEC) : 'not a spec'))
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: host })
  ann = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  web.close()
})

const get = (path: string, headers: Record<string, string> = {}) => ann.fetch(`/api/v1${path}`, { headers })

describe('the catalogue', () => {
  it('holds node types, chat models and tools, each name once', async () => {
    const all = (await (await get('/nodes')).json()) as ComponentDefinition[]
    const names = all.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['startAgentflow', 'llmAgentflow', 'chatOpenAI']))
    expect(new Set(names).size).toBe(names.length)
    const models = (await (await get('/nodes/category/Chat%20Models')).json()) as ComponentDefinition[]
    expect(models).toEqual(all.filter(({ category }) => category === 'Chat Models'))
    expect(models.length).toBeGreaterThan(3)
  })

  it('is sent once, then confirmed by its ETag', async () => {
    const first = await get('/nodes')
    const etag = first.headers.get('etag') ?? ''
    const second = await get('/nodes', { 'if-none-match': etag })
    expect([second.status, await second.text()]).toEqual([304, ''])
    expect(second.headers.get('etag')).toBe(etag)
    expect((await get('/nodes', { 'if-none-match': 'W/"older"' })).status).toBe(200)
  })

  it('gives one definition by name', async () => {
    expect(await (await get('/nodes/startAgentflow')).json()).toMatchObject({ name: 'startAgentflow', label: 'Start' })
    expect((await get('/nodes/constructor')).status).toBe(404)
  })

  it('is for members only', async () => {
    expect((await heddle.fetch('/api/v1/nodes')).status).toBe(401)
  })
})

type Option = { label: string; name: string; description?: string }

describe('load methods', () => {
  const ask = (component: string, json: object) =>
    ann.fetch(`/api/v1/node-load-method/${component}`, { method: 'POST', json })
  const load = async (loadMethod: string, more: object = {}, component = 'llmAgentflow'): Promise<Option[]> =>
    (await ask(component, { loadMethod, ...more })).json()
  const names = async (...args: Parameters<typeof load>) => (await load(...args)).map(({ name }) => name)
  const make = async (name: string, type: string) => {
    const flowData = JSON.stringify({ nodes: [], edges: [] })
    const answer = await ann.fetch('/api/v1/chatflows', { method: 'POST', json: { name, type, flowData } })
    return (await answer.json()).id as string
  }

  it('return models, tools, state keys and earlier nodes', async () => {
    const start = {
      id: 'startAgentflow_0',
      name: 'startAgentflow',
      label: 'Start',
      inputs: { startState: [{ key: 'mood', value: 'x' }, { value: 'no key' }, null] },
    }
    const previousNodes = [start]
    expect(await names('listModels')).toContain('chatOpenAI')
    expect(await names('listTools')).toEqual(expect.arrayContaining(['calculator', 'gmail', 'customMCP']))
    expect(await names('listEmbeddings')).toContain('openAIEmbeddings')
    const stores = await names('listVectorStores')
    expect(stores).toEqual(expect.arrayContaining(['pinecone', 'qdrant', 'supabase']))
    // It is part of a document store.
    expect(stores).not.toContain('libsqlShelf')
    expect(await load('listRuntimeStateKeys', { previousNodes })).toEqual([{ label: 'mood', name: 'mood' }])
    expect(await load('listPreviousNodes', { previousNodes })).toEqual([
      { label: 'Start', name: 'startAgentflow_0-Start', description: 'startAgentflow_0' },
    ])
  })

  it('return nothing when they are unknown or have no data yet', async () => {
    for (const method of ['listSecrets', 'constructor', 'listStores']) expect(await load(method)).toEqual([])
    expect(await load('constructor', {}, 'openAPIToolkit')).toEqual([])
  })

  it('return the roles of the organization, by name, to people who draw flows', async () => {
    const roles = await load('listRoles', {}, 'humanInputAgentflow')
    expect(roles.map(({ label, name }) => [label, name])).toContainEqual(['Editor', 'Editor'])
    const { activeOrganizationId, activeWorkspaceId } = await userOf(ann)
    const role = { permissions: [], createdDate: new Date().toISOString() }
    await heddle.database.insert(rolesTable).values([
      { ...role, id: 'r1', organizationId: activeOrganizationId, name: 'Finance', formerNames: ['Money'] },
      { ...role, id: 'r2', organizationId: (await userOf(await heddle.signUp())).activeOrganizationId, name: 'Theirs' },
    ])
    const options = await load('listRoles', {}, 'humanInputAgentflow')
    expect(options).toContainEqual({ label: 'Money (now Finance)', name: 'Money' })
    const seen = await names('listRoles', {}, 'humanInputAgentflow')
    expect(seen).toContain('Finance')
    expect(seen).not.toContain('Theirs')
    const key = await putKey(heddle, { workspaceId: activeWorkspaceId, permissions: ['variables:view'] })
    const refused = await heddle.fetch('/api/v1/node-load-method/humanInputAgentflow', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ loadMethod: 'listRoles' }),
    })
    expect(refused.status).toBe(403)
  })

  it('return the runnable flows of the workspace, without the one being edited', async () => {
    const own = await make('Own', 'AGENTFLOW')
    for (const type of ['MULTIAGENT', 'ASSISTANT']) await make(`Kept ${type}`, type)
    const alpha = await make('Alpha', 'AGENTFLOW')
    const beta = await make('Beta', 'CHATFLOW')
    const bob = await heddle.signUp()
    await bob.fetch('/api/v1/chatflows', {
      method: 'POST',
      json: { name: 'Bobs', type: 'AGENTFLOW', flowData: '{"nodes":[],"edges":[]}' },
    })
    expect(await load('listFlows', { chatflowId: own }, 'executeFlowAgentflow')).toEqual([
      { label: 'Alpha', name: alpha, description: 'Agent flow' },
      { label: 'Beta', name: beta, description: 'Chat flow' },
    ])
    for (const [method, component] of [
      ['listAgentflows', 'agentAsTool'],
      ['listChatflows', 'ChatflowTool'],
    ] as const)
      expect(await names(method, { chatflowId: own }, component)).toEqual([alpha, beta])
    const { activeWorkspaceId } = await userOf(ann)
    const key = await putKey(heddle, { workspaceId: activeWorkspaceId, permissions: ['chatflows:view'] })
    const seen = await heddle.fetch('/api/v1/node-load-method/executeFlowAgentflow', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ loadMethod: 'listFlows' }),
    })
    expect(await seen.json()).toEqual([{ label: 'Beta', name: beta, description: 'Chat flow' }])
  })

  it('return the arguments of a chosen tool, or the reason why there are none', async () => {
    const choose = (name: string, config: object = {}) => ({
      currentNode: {
        id: 'toolAgentflow_0',
        inputs: { toolAgentflowSelectedTool: name, toolAgentflowSelectedToolConfig: config },
      },
    })
    const args = (name: string, config?: object) => names('listToolInputArgs', choose(name, config), 'toolAgentflow')
    expect(await args('calculator')).toEqual(['input'])
    const openApiFile = JSON.stringify(SPEC)
    expect(await args('openAPIToolkit', { inputType: 'file', openApiFile })).toEqual(['PathParameters'])
    expect(await load('listToolInputArgs', {}, 'toolAgentflow')).toEqual([])
    const answer = await ask('toolAgentflow', { loadMethod: 'listToolInputArgs', ...choose('serper') })
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'Serper: choose a credential' }])
  })

  it('load methods of a component get its values with workspace variables resolved', async () => {
    const json = { name: 'specPath', type: 'static', value: 'secret-path' }
    expect((await ann.fetch('/api/v1/variables', { method: 'POST', json })).ok).toBe(true)
    const openApiLink = `http://${host}/{{$vars.specPath}}`
    const inputs = { inputType: 'link', openApiLink }
    expect(await names('listEndpoints', { inputs }, 'openAPIToolkit')).toEqual(['getItem'])
    expect(await names('listServers', { inputs }, 'openAPIToolkit')).toEqual(['https://api.example/v1'])
  })

  it('report the error of the service', async () => {
    const broken = { inputType: 'link', openApiLink: `http://${host}/other` }
    const answer = await ask('openAPIToolkit', { loadMethod: 'listEndpoints', inputs: broken })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ message: expect.stringContaining('not an OpenAPI specification') })
    const inside = { inputType: 'link', openApiLink: 'http://127.0.0.1:1/spec' }
    const refused = await ask('openAPIToolkit', { loadMethod: 'listEndpoints', inputs: inside })
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining('private address') })
  })

  it('load methods that use secrets or the network need permission to edit flows', async () => {
    const { activeWorkspaceId: workspaceId } = await userOf(ann)
    const key = await putKey(heddle, { workspaceId, permissions: ['agentflows:view'] })
    const as = (json: object) => ({
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    const inputs = { mcpServerConfig: `{"url": "http://${host}/{{$vars.specPath}}"}` }
    const own = await heddle.fetch('/api/v1/node-load-method/customMCP', as({ loadMethod: 'listActions', inputs }))
    expect(own.status).toBe(403)
    const chosen = { toolAgentflowSelectedTool: 'customMCP', toolAgentflowSelectedToolConfig: inputs }
    const args = { loadMethod: 'listToolInputArgs', currentNode: { inputs: chosen } }
    expect((await heddle.fetch('/api/v1/node-load-method/toolAgentflow', as(args))).status).toBe(403)
    const plain = await heddle.fetch('/api/v1/node-load-method/toolAgentflow', as({ loadMethod: 'listTools' }))
    expect(plain.status).toBe(200)
  })

  it.each(['documentStores:view', 'documentStores:create', 'documentStores:update'])(
    'load methods of models and credential types are for %s, those that use the network are not',
    async (permission) => {
      const { activeWorkspaceId: workspaceId } = await userOf(ann)
      const key = await putKey(heddle, { workspaceId, permissions: [permission] })
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      for (const path of ['/nodes', '/components-credentials'])
        expect((await heddle.fetch(`/api/v1${path}`, { headers })).status).toBe(200)
      const status = async (component: string, loadMethod: string) => {
        const body = JSON.stringify({ loadMethod })
        return (await heddle.fetch(`/api/v1/node-load-method/${component}`, { method: 'POST', headers, body })).status
      }
      expect(await status('chatModelRerank', 'listModels')).toBe(200)
      expect(await status('customMCP', 'listActions')).toBe(403)
    },
  )
})

describe('icons', () => {
  it('are images that anybody may load', async () => {
    const answer = await heddle.fetch('/api/v1/node-icon/chatOpenAI')
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
    expect(await answer.text()).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*>OP<\/text><\/svg>$/)
  })

  it('exist for every component, and for nothing else', async () => {
    const all = (await (await get('/nodes')).json()) as ComponentDefinition[]
    const answers = await Promise.all(all.map(({ name }) => heddle.fetch(`/api/v1/node-icon/${name}`)))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    expect((await heddle.fetch('/api/v1/node-icon/constructor')).status).toBe(404)
  })
})

describe('node config', () => {
  const config = async (json: object) => ann.fetch('/api/v1/node-config', { method: 'POST', json })

  it('lists the inputs that a caller could be allowed to override', async () => {
    const inputs = { agentModel: 'chatOpenAI', agentModelConfig: { temperature: 0.5, FLOWISE_CREDENTIAL_ID: 'x' } }
    const list = await (
      await config({ name: 'agentAgentflow', id: 'agentAgentflow_0', label: 'Helper', inputs })
    ).json()
    const about = { node: 'Helper', nodeId: 'agentAgentflow_0' }
    expect(list).toContainEqual({
      ...about,
      label: 'Model',
      name: 'agentModel',
      type: 'asyncOptions',
      schema: { temperature: 'number' },
    })
    const messages = list.find(({ name }: Option) => name === 'agentMessages')
    expect(messages).toMatchObject({ ...about, type: 'array', schema: { role: expect.stringContaining('(system, ') } })
  })

  it('is not found for an unknown node', async () => {
    expect((await config({ name: 'nothing' })).status).toBe(404)
    const answer = await config({})
    expect([answer.status, await answer.json()]).toMatchObject([400, { field: 'name' }])
  })
})

describe('a custom function', () => {
  const run = (javascriptFunction: string, functionInputVariables?: unknown) =>
    ann.fetch('/api/v1/node-custom-function', { method: 'POST', json: { javascriptFunction, functionInputVariables } })
  const resultOf = async (...args: Parameters<typeof run>) => (await run(...args)).json()

  it('runs with the given values', async () => {
    expect(await resultOf('return $input.length + $count', { input: 'abc', $count: 4 })).toBe(7)
    expect(await resultOf('return { said: $word }', '{"word": "hi"}')).toEqual({ said: 'hi' })
    expect(await resultOf('return "[" + $missing + "]"')).toBe('[]')
    expect(await resultOf('const a = 1')).toBe(null)
    expect(await resultOf('return $vars.specPath')).toBe('secret-path')
  })

  it.each<[string, unknown]>([
    [`return require('crypto').createHmac('sha256', 'k').update('t').digest('hex').length`, 64],
    [`return Buffer.from('é').toString('base64')`, 'w6k='],
    [`return new URL('/a?b=1', 'https://example.com').searchParams.get('b')`, '1'],
    [`await new Promise((done) => setTimeout(done, 5)); return 'later'`, 'later'],
    [`return (1234.5).toLocaleString('de-DE')`, '1.234,5'],
    [`return typeof require('axios').get + typeof require('node-fetch')`, 'functionfunction'],
    [`try { await require('axios').get('http://169.254.169.254/') } catch (e) { return e.code }`, 'ERR_NETWORK'],
  ])('%s has the globals of Node', async (code, expected) => {
    expect(await resultOf(code)).toEqual(expected)
  })

  it.each([
    ['return nothing.at', undefined, 'is not defined'],
    ['return (', undefined, 'SyntaxError'],
    [' ', undefined, 'Write a function first'],
    ['return 1', 'no json', 'functionInputVariables'],
    ['while (true) {}', undefined, 'too long'],
  ])('%s with %j reports the error', async (code, values, message) => {
    const answer = await run(code, values)
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(message)])
  })

  it('reads variables only for those who may see them, and runs only for those who edit flows', async () => {
    const { activeWorkspaceId: workspaceId } = await userOf(ann)
    const send = async (permission: string) => {
      const key = await putKey(heddle, { workspaceId, permissions: [permission] })
      return heddle.fetch('/api/v1/node-custom-function', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ javascriptFunction: 'return Object.keys($vars)' }),
      })
    }
    expect(await (await send('agentflows:update')).json()).toEqual([])
    expect((await send('agentflows:view')).status).toBe(403)
  })
})
