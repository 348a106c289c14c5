// @defends tool-workspace-wrote
/** Tools that a workspace writes itself: kept for it alone, tried out, and called by its flows. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call as callApi } from '#worker/local/testing/client.ts'
import type { TestClient } from '#worker/local/testing/heddle.ts'
import { chain, node, start } from '../../../e2e/support/flows.ts'
import { openScene, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let bob: TestClient

beforeAll(async () => {
  scene = await openScene()
  bob = await scene.heddle.signUp()
})
afterAll(() => scene.close())

const call = (client: TestClient, method: string, path: string, json?: unknown) =>
  callApi(client, method, `/tools${path}`, json)

const schema = JSON.stringify([
  { id: 0, property: 'city', description: 'Where', type: 'string', required: true },
  { id: 1, property: 'days', description: '', type: 'number', required: false },
])
const weather = {
  name: 'get_weather',
  description: 'Tells the weather',
  color: '#123456',
  iconSrc: null,
  schema,
  func: 'return "Sunny in " + $city',
}

async function create(change: Partial<typeof weather> = {}): Promise<string> {
  const { status, body } = await call(scene.ann, 'POST', '', { ...weather, ...change })
  expect(status).toBe(200)
  return body.id
}

it('creates, lists, reads, updates and deletes tools', async () => {
  const id = await create()
  const { body: made } = await call(scene.ann, 'GET', `/${id}`)
  expect(made).toMatchObject({ ...weather, id })
  const { body: changed } = await call(scene.ann, 'PUT', `/${id}`, { func: 'return 2' })
  expect(changed).toMatchObject({ ...weather, id, func: 'return 2' })
  expect((await call(scene.ann, 'GET', '')).body).toEqual([{ ...changed, usageCount: 0 }])
  expect((await call(scene.ann, 'GET', '?page=1&limit=5')).body).toEqual({
    data: [{ ...changed, usageCount: 0 }],
    total: 1,
  })
  expect((await call(scene.ann, 'DELETE', `/${id}`)).body).toEqual({ raw: [], affected: 1 })
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect((await call(scene.ann, method, `/${id}`, method === 'PUT' ? {} : undefined)).status).toBe(404)
})

it('keeps tools private to their workspace', async () => {
  const id = await create({ name: 'hers' })
  for (const method of ['GET', 'PUT', 'DELETE'])
    expect((await call(bob, method, `/${id}`, method === 'PUT' ? { func: '' } : undefined)).status).toBe(404)
  expect((await call(bob, 'GET', '')).body).toEqual([])
  const listed = { loadMethod: 'listTools', inputs: {} }
  const options = async (client: TestClient) =>
    (await callApi(client, 'POST', '/node-load-method/customTool', listed)).body
  expect(await options(scene.ann)).toContainEqual({ label: 'hers', name: id, description: weather.description })
  expect(await options(bob)).toEqual([])
})

it.each([
  [{ name: '' }, 'name'],
  [{ description: undefined }, 'description'],
  [{ schema: '{"a":1}' }, 'schema'],
  [{ schema: '[{"property":"a b","type":"string"}]' }, 'schema'],
  [{ func: 5 }, 'func'],
  [{ name: 'a\u0000b' }, 'name'],
])('refuses %j and names the field', async (bad, field) => {
  const { status, body } = await call(scene.ann, 'POST', '', { ...weather, ...bad })
  expect([status, body.field]).toEqual([400, field])
})

it('tries a function with arguments, and tells what it logged', async () => {
  const func = 'console.log("asked for", $city); return { city: $city, days: $days }'
  const { body } = await call(scene.ann, 'POST', '/test', { schema, func, arguments: { city: 'Ghent' } })
  expect(body).toEqual({ result: { city: 'Ghent', days: null }, error: null, logs: ['asked for Ghent'] })
})

it.each([
  ['console.log("before"); throw new Error("no such city")', 'no such city', ['before']],
  ['console.log("before"); await fetch("http://127.0.0.1:1/")', 'private', ['before']],
  ['return process.env', 'process', []],
  ['return require("child_process")', 'not available', []],
  ['for (;;) {}', 'ran too long', []],
])('answers with the error of: %s', async (func, message, logs) => {
  const { status, body } = await call(scene.ann, 'POST', '/test', { schema, func, arguments: { city: 'Ghent' } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ result: null, logs })
  expect(body.error).toContain(message)
})

it('shows no value of a secret variable', async () => {
  await scene.call('POST', '/variables', { name: 'hidden_key', value: 'heron-0815', type: 'secret' })
  const func = 'console.log($vars.hidden_key); return "key " + $vars.hidden_key'
  const { text } = await call(scene.ann, 'POST', '/test', { func })
  expect(text).toContain('key ')
  expect(text).not.toContain('heron')
})

it('refuses arguments that the parameters do not allow', async () => {
  const { body } = await call(scene.ann, 'POST', '/test', { schema, func: 'return 1', arguments: { city: 5 } })
  expect(body.error).toContain('The arguments are invalid: #/city')
})

const toolNode = (selectedTool: string) =>
  node('toolAgentflow', 0, {
    toolAgentflowSelectedTool: 'customTool',
    toolAgentflowSelectedToolConfig: { toolAgentflowSelectedTool: 'customTool', selectedTool },
    toolInputArgs: [{ inputArgName: 'city', inputArgValue: '{{question}}' }],
  })

it('runs in a Tool node, with the run’s variables', async () => {
  await scene.call('POST', '/variables', { name: 'weather_key', value: 'zebra-4711' })
  const id = await create({ func: 'return ["Sunny in", $city, "for", $vars.weather_key, $flow.sessionId].join(" ")' })
  const flowId = await scene.save(chain(start(), toolNode(id)))
  const { body: listed } = await call(scene.ann, 'GET', '')
  expect(listed.find((tool: { id: string }) => tool.id === id).usageCount).toBe(1)
  const { body } = await scene.internally(flowId, { question: 'Ghent', chatId: 'chat-1' })
  expect(body.text).toBe('Sunny in Ghent for zebra-4711 chat-1')
  const args = { loadMethod: 'listToolInputArgs', currentNode: { id: 't', inputs: toolNode(id).data.inputs } }
  const { body: options } = await callApi(scene.ann, 'POST', '/node-load-method/toolAgentflow', args)
  expect(options.map(({ name }: { name: string }) => name)).toEqual(['city', 'days'])
})

it('fails the step clearly once it was deleted, or in another workspace', async () => {
  const id = await create()
  const flow = chain(start(), toolNode(id))
  const flowId = await scene.save(flow)
  const { body: copied } = await callApi(bob, 'POST', '/chatflows', {
    name: 'Copied',
    type: 'AGENTFLOW',
    flowData: JSON.stringify(flow),
  })
  await call(scene.ann, 'DELETE', `/${id}`)
  const asked = [
    await scene.internally(flowId, { question: 'Ghent' }),
    await callApi(bob, 'POST', `/internal-prediction/${copied.id}`, { question: 'Ghent' }),
  ]
  for (const { body } of asked)
    expect(body.message).toContain('Custom Tool: the chosen tool no longer exists. Choose another one.')
})

it('the checklist misses a tool once it was deleted, and no sooner', async () => {
  const id = await create()
  const flowId = await scene.save(chain(start(), toolNode(id)))
  const missed = async () => JSON.stringify((await callApi(scene.ann, 'GET', `/validation/${flowId}`)).body)
  expect(await missed()).not.toContain('no longer exists')
  await call(scene.ann, 'DELETE', `/${id}`)
  expect(await missed()).toContain('Custom Tool: The chosen tool no longer exists. Choose another one')
})

it('an agent calls a custom tool, and the call is in the trace', async () => {
  const id = await create()
  const called = { toolCalls: [{ name: 'get_weather', arguments: { city: 'Ghent' } }] }
  scene.model.always(({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'It is sunny.' } : called))
  const config = { agentModel: 'chatOpenAICustom', modelName: 'scripted', basepath: scene.model.baseUrl }
  const agent = node('agentAgentflow', 0, {
    agentModel: 'chatOpenAICustom',
    agentModelConfig: config,
    agentTools: [{ agentSelectedTool: 'customTool', agentSelectedToolConfig: { selectedTool: id } }],
  })
  const { body } = await scene.internally(await scene.save(chain(start(), agent)), { question: 'How is the weather?' })
  expect(body.text).toBe('It is sunny.')
  expect((body.agentFlowExecutedData ?? []).at(-1)?.data.output?.usedTools).toMatchObject([
    { tool: 'get_weather', toolInput: { city: 'Ghent' }, toolOutput: 'Sunny in Ghent' },
  ])
})
