/** Imports files through the API, runs and answers them, and exports them as the report announced. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ImportReport } from '#contract/export-import/export-import.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { fitSchema, type JsonSchema } from '../../models/practice/fit-schema.ts'
import { openScene, type Reply, type Scene } from '../predictions/testing/scene.ts'

let scene: Scene
let credential: string
beforeAll(async () => {
  scene = await openScene()
  const key = { name: 'Scripted', credentialName: 'openAIApi', plainDataObj: { openAIApiKey: 'k' } }
  credential = (await scene.call<{ id: string }>('POST', '/credentials', key)).body.id
})
afterAll(() => scene.close())
beforeEach(() => scene.model.reset())

const file = (name: string): FlowDocument =>
  JSON.parse(readFileSync(join(import.meta.dirname, `testing/files/${name}.json`), 'utf8'))

interface Taken {
  report: ImportReport
  /** The ids of the imported flows, in the file's order. */
  ids: string[]
}

async function take(
  flows: Record<string, object>,
  ids: string[] = [],
  choices: Record<string, string> = {},
): Promise<Taken> {
  const AgentFlowV2 = Object.entries(flows).map(([name, flow], index) => ({
    id: ids[index] ?? crypto.randomUUID(),
    name,
    flowData: JSON.stringify(flow),
    type: 'AGENTFLOW',
    ...AS_OPEN,
  }))
  const { status, body } = await scene.call<{ report: ImportReport }>('POST', '/export-import/import', {
    AgentFlowV2,
    choices,
  })
  expect(status).toBe(200)
  return { report: body.report, ids: body.report.flows.map(({ newId }) => newId) }
}

/** As the API of Flowise writes a flow that everyone may call. */
const AS_OPEN = { apikeyid: null, chatbotConfig: null }

/** Points every OpenAI model at the scripted server, with a credential. */
function withModels<Value>(value: Value): Value {
  const text = JSON.stringify(value)
    .replaceAll('"basepath":""', `"basepath":"${scene.model.baseUrl}","FLOWISE_CREDENTIAL_ID":"${credential}"`)
    .replaceAll('"llmModel":"chatAnthropic"', '"llmModel":"chatOpenAI"')
  return JSON.parse(text)
}

/** Follows the report's requests: chooses credentials and saves. */
async function complete(id: string): Promise<void> {
  const { flowData } = (await scene.call<{ flowData: string }>('GET', `/chatflows/${id}`)).body
  const saved = JSON.stringify(withModels(JSON.parse(flowData)))
  expect((await scene.call('PUT', `/chatflows/${id}`, { flowData: saved })).status).toBe(200)
}

async function leaving(id: string): Promise<FlowDocument> {
  const { body } = await scene.call<{ AgentFlowV2: { id: string; flowData: string }[] }>(
    'POST',
    '/export-import/export',
    { agentflowv2: true },
  )
  return JSON.parse(body.AgentFlowV2.find((item) => item.id === id)?.flowData ?? '')
}

const verdicts = ({ flows }: ImportReport) => flows.flatMap(({ nodes }) => nodes.map(({ verdict }) => verdict))

/** Answers every question as a member, until the run has ended. */
async function through(id: string, question: string, answers: ('proceed' | 'reject')[]): Promise<Reply[]> {
  const chatId = crypto.randomUUID()
  const replies = [(await scene.internally(id, { question, chatId })).body]
  for (const type of answers) {
    expect(replies.at(-1)?.action).toBeDefined()
    replies.push((await scene.internally(id, { chatId, humanInput: { type, feedback: 'Please' } })).body)
  }
  return replies
}

describe('approvals', () => {
  const calls = { toolCalls: [{ name: 'calculator', arguments: { input: '2 + 2' } }] }

  it.each<[string, ('proceed' | 'reject')[]]>([
    ['used and sent', ['proceed', 'proceed']],
    ['refused, answered and sent', ['reject', 'proceed']],
    ['used, sent back, used and sent', ['proceed', 'reject', 'proceed', 'proceed']],
  ])('runs a tool call that is %s', async (_name, answers) => {
    const original = file('Approvals')
    const { report, ids } = await take({ Approvals: original })
    expect(verdicts(report)).not.toContain('unsupported')
    expect(report.flows[0]?.notes.join()).toContain('approved by members of the workspace')
    const [id] = ids as [string]
    expect(await leaving(id)).toEqual(original)

    const before = await scene.ask(id, { question: 'Where is it?' })
    expect(before.body.message).toContain('Order Desk')
    expect(report.flows[0]?.nodes[1]?.reasons.join()).toContain('Choose a credential')
    await complete(id)
    scene.model.always(({ messages }) => (messages.at(-1)?.role === 'tool' ? { text: 'It is on its way' } : calls))
    if (answers[0] === 'reject') scene.model.reply(calls, { text: 'It is on its way' })
    const replies = await through(id, 'Where is it?', answers)
    const last = replies.at(-1)
    expect(last?.action).toBeUndefined()
    expect(last?.text).toContain('It is on its way')
    expect((await scene.row(last?.executionId ?? '')).state).toBe('FINISHED')
  })
})

it('asks a person in a model’s words and takes the chosen branch', async () => {
  const { ids } = await take({ Triage: file('Triage') })
  const [id] = ids as [string]
  await complete(id)
  const replies = () => {
    scene.model.reply(
      { json: { output: 'A question on delivery' } },
      { text: 'By Monday' },
      { text: 'Shall it go out?' },
    )
  }
  replies()
  const yes = await through(id, 'When does it come?', ['proceed'])
  expect(yes[0]?.text).toContain('Shall it go out?')
  expect(yes[1]).toMatchObject({ text: 'By Monday' })
  replies()
  const no = await through(id, 'When does it come?', ['reject'])
  expect(no[1]).toMatchObject({ text: 'A colleague will call you.' })
})

it('runs an iteration with a decision, a loop with state, and a tool of an old file', async () => {
  const flows = { Parts: file('Parts'), Rounds: file('Rounds'), Reckoning: file('Reckoning') }
  const { report, ids } = await take(flows)
  expect(verdicts(report)).not.toContain('unsupported')
  const [parts, rounds, reckoning] = ids as [string, string, string]
  expect((await scene.ask(rounds, { question: 'Go' })).body.text).toBe('Rounds: 4')
  expect((await scene.ask(reckoning, { question: 'Go' })).body.text).toBe('It is 42')
  await complete(parts)
  scene.model.always(() => ({ text: 'A first part' }))
  expect((await scene.ask(parts, { question: 'one' })).body.text).toBe('A first part\nskipped\nskipped')
})

it('keeps calls between flows under new ids', async () => {
  const target = 'a4d5c1de-7a52-4be6-8f66-0a2d6f1f0001'
  const other = file('Reckoning')
  const flows = { Reckoning: other, Calls: file('Calls') }
  await take({ Reckoning: other }, [target])
  const { report, ids } = await take(flows, [target], { [`AgentFlowV2/${target}`]: 'new' })
  const [reckoning, calls] = ids as [string, string]
  expect(reckoning).not.toBe(target)
  const ofCalls = report.flows.find(({ newId }) => newId === calls)
  expect(JSON.stringify(ofCalls?.nodes)).not.toContain('belongs to another workspace')
  const { nodes } = await leaving(calls)
  expect(nodes[1]?.data.inputs?.executeFlowSelectedFlow).toBe(reckoning)
  expect(JSON.stringify(nodes[2]?.data.inputs)).toContain(`"selectedChatflow":"${reckoning}"`)
  await complete(calls)
  scene.model.reply({ toolCalls: [{ name: 'other_flow', arguments: { input: 'again' } }] }, { text: 'Both say 42' })
  const { body } = await scene.ask(calls, { question: 'How many?' })
  expect(body.text).toBe('Both say 42')
  expect(JSON.stringify(scene.model.requests[0]?.body.messages)).toContain('It is 42')
  expect(JSON.stringify(scene.model.requests[1]?.body.messages.at(-1))).toContain('It is 42')
})

const beside = join(import.meta.dirname, '../../../../shared/samples/flowise/agentflows')
const besideFiles = existsSync(beside) ? readdirSync(beside) : []

/** Replaces what no test can reach: models, tools, document stores, and code that needs a database. */
function reachable(flow: FlowDocument): FlowDocument {
  const nodes = flow.nodes.map((node) => {
    const inputs = Object.fromEntries(
      Object.entries(node.data.inputs ?? {}).map(([name, value]) => [name, reachableInput(name, value)]),
    )
    return { ...node, data: { ...node.data, inputs } }
  })
  return { ...flow, nodes }
}

function reachableInput(name: string, value: unknown): unknown {
  if (/^(llm|agent|conditionAgent|humanInput)Model$/.test(name)) return 'chatOpenAICustom'
  if (/^(llm|agent|conditionAgent|humanInput)ModelConfig$/.test(name))
    return { modelName: 'scripted', basepath: scene.model.baseUrl }
  if (name === 'agentTools' && Array.isArray(value)) return [{ agentSelectedTool: 'calculator' }]
  if (name === 'agentKnowledgeDocumentStores') return ''
  if (name === 'toolAgentflowSelectedTool') return 'currentDateTime'
  if (name === 'toolInputArgs') return ''
  return name === 'customFunctionJavascriptFunction' ? 'return "A table"' : value
}

describe.runIf(existsSync(beside))('sample flows outside the repository', () => {
  it('are found', () => {
    expect(besideFiles.length).toBeGreaterThanOrEqual(7)
  })

  it.each(besideFiles.map((name) => [basename(name, '.json'), name]))(
    'imports %s and runs it to its end',
    async (_, name) => {
      const original: FlowDocument = JSON.parse(readFileSync(join(beside, name), 'utf8'))
      const { ids } = await take({ [name]: original })
      const [id] = ids as [string]
      const flowData = JSON.stringify(reachable(original))
      expect((await scene.call('PUT', `/chatflows/${id}`, { flowData })).status).toBe(200)
      scene.model.always(({ response_format }) => {
        const schema = response_format?.json_schema?.schema as JsonSchema | undefined
        return schema ? { json: fitSchema(schema, firstChoice(schema)) } : { text: 'A scripted answer' }
      })
      const chatId = crypto.randomUUID()
      let { status, body } = await scene.ask(id, { question: 'How many?', chatId })
      if (body.action) ({ status, body } = await scene.ask(id, { chatId, humanInput: { type: 'proceed' } }))
      expect({ status, message: body.message }).toEqual({ status: 200, message: undefined })
      expect(body.action).toBeUndefined()
      expect(body.text.trim()).not.toBe('')
      expect((await scene.row(body.executionId)).state).toBe('FINISHED')
    },
  )
})

function firstChoice({ properties = {} }: JsonSchema): string {
  const choices = Object.values(properties as Record<string, JsonSchema>).map((property) => property.enum)
  return String(choices.find(Array.isArray)?.[0] ?? 'A scripted answer')
}

it('imports, saves and exports a chat flow whose outputs have no ids', async () => {
  const original: FlowDocument = JSON.parse(
    readFileSync(join(import.meta.dirname, 'testing/chatflows/Two Outputs.json'), 'utf8'),
  )
  const flowData = JSON.stringify(original)
  const item = { id: crypto.randomUUID(), name: 'Two Outputs', flowData, type: 'CHATFLOW' }
  const { status, body } = await scene.call<{ report: ImportReport }>('POST', '/export-import/import', {
    ChatFlow: [item],
  })
  expect(status).toBe(200)
  const id = body.report.flows[0]?.newId
  expect((await scene.call('PUT', `/chatflows/${id}`, { flowData })).status).toBe(200)
  expect((await scene.call('POST', '/chatflows', { ...item, name: 'Again' })).status).toBe(200)
  const exported = await scene.call<{ ChatFlow: { id: string; flowData: string }[] }>('POST', '/export-import/export', {
    chatflow: true,
  })
  expect(JSON.parse(exported.body.ChatFlow.find((flow) => flow.id === id)?.flowData ?? '')).toEqual(original)
})

it.each(['Unknown Node', 'Programs'])(
  'stores and exports unsupported content of %s, and names it in the run and the checklist',
  async (name) => {
    const original = file(name)
    const { report, ids } = await take({ [name]: original })
    const [id] = ids as [string]
    const missing = report.flows[0]?.nodes.find(({ verdict }) => verdict === 'unsupported')
    expect(missing).toBeDefined()
    expect(await leaving(id)).toEqual(original)
    const checklist = await scene.call<{ label: string }[]>('GET', `/validation/${id}`)
    expect(JSON.stringify(checklist.body)).toContain(missing?.label)
    await complete(id)
    const { status, body } = await scene.ask(id, { question: 'Go' })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body.message).toContain(missing?.label)
  },
)
