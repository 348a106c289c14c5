import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { GenerateAnswer } from '#contract/generator/generator.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, start } from '../../../e2e/support/flows.ts'
import { gate, type ModelServer, messageText, startModelServer } from '../../../e2e/support/model-server.ts'

let model: ModelServer
let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  model = await startModelServer()
  heddle = await startTestHeddle({ platformType: 'cloud', allowPrivateHosts: model.host })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(async () => {
  await heddle.close()
  await model.close()
})
beforeEach(() => model.reset())

const scripted = () => ({ name: 'chatOpenAICustom', inputs: { modelName: 'scripted', basepath: model.baseUrl } })

async function generate(body: object, client = ann) {
  const response = await client.fetch('/api/v1/agentflowv2-generator/generate', { method: 'POST', json: body })
  return { status: response.status, body: await response.json() }
}

const step = (id: string, type: string, inputs: [string, string][] = []) => ({
  id,
  type: `${type}Agentflow`,
  label: id,
  inside: '',
  inputs: inputs.map(([name, value]) => ({ name, value })),
})
const plan = {
  steps: [
    step('begin', 'start'),
    step('think', 'llm'),
    step('say', 'directReply', [['directReplyMessage', '{{think}}!']]),
  ],
  links: [
    { from: 'begin', output: 0, to: 'think' },
    { from: 'think', output: 0, to: 'say' },
  ],
}

it('generates a flow with the chosen model that can be saved and run', async () => {
  model.reply({ json: plan })
  const { status, body } = await generate({ question: 'Think, then say it loudly', selectedChatModel: scripted() })
  expect([status, body.problems]).toEqual([200, []])
  expect(body.usage.total_tokens).toBeGreaterThan(100)
  const asked = model.requests[0]?.body
  expect(asked?.response_format?.type).toBe('json_schema')
  expect(messageText(asked?.messages.at(-1))).toBe('Think, then say it loudly')

  const { nodes, edges } = body as GenerateAnswer
  const saved = { name: 'Drawn', type: 'AGENTFLOW', flowData: JSON.stringify({ nodes, edges }) }
  const { id } = await (await ann.fetch('/api/v1/chatflows', { method: 'POST', json: saved })).json()
  const run = await ann.fetch(`/api/v1/internal-prediction/${id}`, { method: 'POST', json: { question: 'Hi' } })
  expect((await run.json()).text).toBe('You said: Hi!')
})

it('sends mistakes back once, and answers 422 when they remain', async () => {
  model.reply({ text: 'A flow? Sure.' }, { json: plan })
  expect((await generate({ question: 'Draw', selectedChatModel: scripted() })).status).toBe(200)
  expect(messageText(model.requests[1]?.body.messages.at(-1))).toContain('This plan cannot be used:\n- it is not JSON')

  model.reset()
  const flows = async () => (await ann.fetch('/api/v1/chatflows')).json()
  const before = await flows()
  model.always(() => ({ json: { steps: [step('a', 'llm')], links: [{ from: 'a', output: 0, to: 'a' }] } }))
  const { status, body } = await generate({ question: 'Draw', selectedChatModel: scripted() })
  expect([status, model.requests.length]).toEqual([422, 2])
  expect(body.problems.join()).toContain('cannot be connected to itself')
  expect(body.usage.total_tokens).toBeGreaterThan(0)
  expect(await flows()).toEqual(before)
})

it('changes the given draft', async () => {
  const draft = chain(start())
  model.reply({
    json: {
      steps: [{ ...step('startAgentflow_0', 'start'), label: 'start 0' }, step('think', 'llm')],
      links: [{ from: 'startAgentflow_0', output: 0, to: 'think' }],
    },
  })
  const { body } = await generate({
    question: 'Add a model',
    selectedChatModel: scripted(),
    flowData: JSON.stringify(draft),
  })
  expect(body.nodes.map(({ id }: { id: string }) => id)).toEqual(['startAgentflow_0', 'llmAgentflow_0'])
  expect(messageText(model.requests[0]?.body.messages.at(-1))).toContain('"startAgentflow_0"')
})

it('works with the practice model, without any key', async () => {
  const { status, body } = await generate({ question: 'Greet people', selectedChatModel: { name: 'practiceModel' } })
  expect([status, body.problems]).toEqual([200, []])
  expect(body.nodes.length).toBeGreaterThan(2)
})

it('opens credentials of its own workspace only', async () => {
  const hosts = [new URL(model.baseUrl).host]
  const json = { name: 'Key', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'sk-scripted' }, hosts }
  const made = await (await ann.fetch('/api/v1/credentials', { method: 'POST', json })).json()
  const keyed = {
    question: 'Draw',
    selectedChatModel: { name: 'chatOpenAI', inputs: { modelName: 'm', basepath: model.baseUrl }, credential: made.id },
  }
  model.always(() => ({ json: plan }))
  const { body } = await generate(keyed)
  expect(model.requests[0]?.headers.authorization).toBe('Bearer sk-scripted')
  const config = body.nodes[1].data.inputs.llmModelConfig
  expect(config).toMatchObject({ llmModel: 'chatOpenAI', FLOWISE_CREDENTIAL_ID: made.id })
  expect(await generate(keyed, bob)).toMatchObject({ status: 400, body: { field: 'selectedChatModel' } })
})

it.each([
  ['no words', { question: ' ' }, 'question'],
  ['a model that does not exist', { selectedChatModel: { name: 'chatMagic' } }, 'selectedChatModel'],
  ['a draft that is none', { flowData: '{"nodes":[]}' }, 'flowData.edges'],
])('refuses %s', async (_name, more, field) => {
  const request = { question: 'Draw', selectedChatModel: scripted(), ...more }
  expect(await generate(request)).toMatchObject({ status: 400, body: { field } })
  expect(model.requests).toEqual([])
})

it("reports the provider's error when the model call fails", async () => {
  model.always(() => ({ error: { status: 401, message: 'Wrong key' } }))
  const { status, body } = await generate({ question: 'Draw', selectedChatModel: scripted() })
  expect([status, body.message]).toEqual([422, expect.stringContaining('Wrong key')])
})

it('stops the model call when the client disconnects', async () => {
  const held = gate()
  model.reply({ json: plan, afterFirst: held.opened })
  const body = JSON.stringify({ question: 'Draw', selectedChatModel: scripted() })
  const headers = {
    origin: heddle.url,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-xsrf-token': ann.cookies.get('XSRF-TOKEN'),
    cookie: [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  }
  const call = request(`${heddle.url}/api/v1/agentflowv2-generator/generate`, { method: 'POST', headers })
  call.on('error', () => {})
  call.end(body)
  await model.received(1)
  call.socket?.resetAndDestroy()
  await expect.poll(() => model.requests[0]?.cancelled).toBe(true)
  held.open()
})
