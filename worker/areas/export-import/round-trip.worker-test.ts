/** A workspace with rows of every kind leaves as a file, is emptied, and comes back. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  BUNDLE_KEYS,
  EXPORT_KIND_NAMES,
  type exportAnswerSchema,
  type ImportAnswer,
  type ImportReport,
} from '#contract/export-import/export-import.ts'
import {
  assetUsages,
  assistants,
  chatflows,
  chatMessageFeedback,
  chatMessages,
  customTemplates,
  executions,
  tools,
  variables,
} from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, node, start } from '../../../e2e/support/flows.ts'

type ExportAnswer = z.infer<typeof exportAnswerSchema>

let heddle: TestHeddle
let ann: TestClient
beforeAll(async () => {
  heddle = await startTestHeddle()
  ann = await heddle.signUp()
})
afterAll(() => heddle.close())

const everything = Object.fromEntries(EXPORT_KIND_NAMES.map((kind) => [kind, true]))
const exported = async (): Promise<ExportAnswer> => (await call(ann, 'POST', '/export-import/export', everything)).body

async function take(bundle: object): Promise<ImportReport> {
  const { status, body, text } = await call(ann, 'POST', '/export-import/import', bundle)
  expect([status, text.slice(0, 300)]).toEqual([200, expect.stringContaining('"message":"success"')])
  return (body as ImportAnswer).report
}

async function wipe() {
  const { database } = heddle
  for (const table of [
    assetUsages,
    chatMessageFeedback,
    chatMessages,
    executions,
    assistants,
    customTemplates,
    tools,
  ]) {
    await database.delete(table)
  }
  await database.delete(variables)
  await database.delete(chatflows)
}

const SECRET = 'sk-never-in-a-file'
const model = { name: 'chatOpenAI', inputs: { modelName: 'm', FLOWISE_CREDENTIAL_ID: SECRET } }
const ID = (n: number) => `7c9e6679-7425-40de-944b-${String(n).padStart(12, '0')}`

/** In Flowise's shape: what its export of a workspace holds. */
function flowiseBundle() {
  const tool = { id: ID(1), name: 'weather', description: 'Tells the weather', color: 'linear-gradient(red, blue)' }
  const schema = JSON.stringify([{ id: 1, property: 'city', description: 'Where', type: 'string', required: true }])
  const calling = chain(
    start(),
    node('toolAgentflow', 0, { selectedTool: 'customTool', selectedToolConfig: { selectedTool: ID(1) } }),
    node('executeFlowAgentflow', 0, { executeFlowSelectedFlow: ID(3), executeFlowInput: 'Hi' }),
    directReply('{{ question }}'),
  )
  const flow = (id: string, name: string, type: string, flowData: object) => ({
    ...{ id, name, type },
    flowData: JSON.stringify(flowData, null, 2),
  })
  const empty = { nodes: [], edges: [] }
  const details = { name: 'Helper', instruction: 'Help', chatModel: model, tools: [{ tool: 'customTool', id: ID(1) }] }
  const dates = { createdDate: '2026-01-02T03:04:05.000Z', updatedDate: '2026-01-02T03:04:05.000Z' }
  const template = { description: 'd', badge: '', framework: 'Langchain', usecases: '["Support"]', ...dates }
  const run = {
    nodeId: 'startAgentflow_0',
    nodeLabel: 'Start',
    data: { id: 'startAgentflow_0', name: 'startAgentflow' },
  }
  const messages = { chatflowid: ID(2), chatId: 'chat', sessionId: 'chat', chatType: 'INTERNAL', executionId: ID(20) }
  return {
    AgentFlow: [flow(ID(4), 'Old team', 'MULTIAGENT', empty)],
    AgentFlowV2: [flow(ID(2), 'Calling', 'AGENTFLOW', calling), flow(ID(3), 'Called', 'AGENTFLOW', chain(start()))],
    AssistantCustom: [
      { id: ID(5), details: JSON.stringify(details), credential: ID(50), iconSrc: null, type: 'CUSTOM' },
    ],
    AssistantFlow: [flow(ID(5), 'Helper', 'ASSISTANT', empty)],
    AssistantOpenAI: [{ id: ID(6), details: '{"name":"Open"}', credential: ID(50), iconSrc: 'a.png', type: 'OPENAI' }],
    AssistantAzure: [{ id: ID(7), details: '{"name":"Azure"}', credential: ID(50), iconSrc: null, type: 'AZURE' }],
    ChatFlow: [flow(ID(8), 'Classic', 'CHATFLOW', empty)],
    ChatMessage: [
      { ...messages, id: ID(10), role: 'userMessage', content: 'Hello', createdDate: dates.createdDate },
      { ...messages, id: ID(11), role: 'apiMessage', content: 'Ho', createdDate: dates.createdDate },
    ],
    ChatMessageFeedback: [
      {
        ...{ id: ID(12), chatflowid: ID(2), chatId: 'chat', messageId: ID(11) },
        ...{ rating: 'THUMBS_UP', content: 'Good', createdDate: dates.createdDate },
      },
    ],
    CustomTemplate: [
      { ...template, id: ID(13), name: 'Flow template', type: 'AgentflowV2', flowData: JSON.stringify(calling) },
      { ...template, id: ID(14), name: 'Tool template', type: 'Tool', iconSrc: null, schema, func: 'return 1' },
    ],
    DocumentStore: [],
    DocumentStoreFileChunk: [],
    Execution: [
      {
        ...{ id: ID(20), agentflowId: ID(2), sessionId: 'chat', state: 'FINISHED', ...dates },
        executionData: JSON.stringify([run]),
      },
    ],
    Tool: [{ ...tool, iconSrc: '', schema, func: 'return $city' }],
    Variable: [{ id: ID(15), name: 'city', value: '', type: 'static' }],
  }
}

/** Without the dates of import, and with the value of Flowise's empty texts. */
const comparable = ({ FileDefaultName: _, ...bundle }: ExportAnswer) =>
  JSON.parse(JSON.stringify(bundle).replace(/"updatedDate":"[^"]*"/g, '"updatedDate":""'))

it('brings back every kind, equal but for the secrets that the report lists', async () => {
  const report = await take(flowiseBundle())
  expect(report.leftOut).toEqual([])
  expect(report.items.filter(({ needs }) => needs).map(({ key, needs }) => `${key}: ${needs}`)).toEqual([
    'AssistantCustom: Choose its credential',
    'AssistantOpenAI: Choose its credential',
    'AssistantAzure: Choose its credential',
    'Variable: Set its value',
  ])
  const before = await exported()
  const known = BUNDLE_KEYS.filter((key) => !key.startsWith('DocumentStore'))
  expect(known.filter((key) => before[key].length === 0)).toEqual([])
  expect(JSON.stringify(before)).not.toContain(SECRET)
  expect(JSON.stringify(before)).not.toContain(ID(50))
  expect(before.CustomTemplate[1]).toMatchObject({ name: 'Tool template', func: 'return 1' })
  expect(before.CustomTemplate[1]).not.toHaveProperty('flowData')

  await wipe()
  expect((await exported()).AgentFlowV2).toEqual([])
  const { FileDefaultName: _, ...bundle } = before
  const back = await take(bundle)
  expect(back.leftOut).toEqual([])
  expect(back.items.every(({ found, choice }) => found === 'none' && choice === 'new')).toBe(true)
  expect(comparable(await exported())).toEqual(comparable(before))

  const again = await take(bundle)
  expect(again.items.map(({ name, found, choice }) => [name, found, choice])).toEqual(
    again.items.map(({ name }) => [name, 'same', 'skip']),
  )
  expect(Object.values(again.imported).filter((count) => count > 0)).toEqual([])
  expect(comparable(await exported())).toEqual(comparable(before))
})

it('replaces what it is told to, and keeps who may call a flow and the values that files lack', async () => {
  const { FileDefaultName: _, ...bundle } = await exported()
  await call(ann, 'PUT', `/variables/${ID(15)}`, { value: 'Ghent' })
  const [flow] = bundle.AgentFlowV2 as { id: string; flowData: string }[]
  await call(ann, 'PUT', `/chatflows/${ID(2)}`, { name: 'Renamed', callers: 'members' })
  await heddle.database.update(tools).set({ func: 'return 2' })
  await heddle.database.update(assistants).set({ details: '{"name":"Changed"}', credential: 'mine' })
  const changed = { ...bundle, Variable: [{ ...bundle.Variable[0], type: 'runtime' }] }
  const keys = [`AgentFlowV2/${ID(2)}`, `Tool/${ID(1)}`, `AssistantOpenAI/${ID(6)}`, `Variable/${ID(15)}`]
  const report = await take({ ...changed, choices: Object.fromEntries(keys.map((key) => [key, 'replace'])) })
  const chosen = report.items.filter(({ choice }) => choice === 'replace').map(({ key, id }) => `${key}/${id}`)
  expect(chosen.sort()).toEqual([...keys].sort())

  expect((await call(ann, 'GET', `/chatflows/${flow?.id}`)).body).toMatchObject({
    ...{ name: 'Calling', callers: 'members', version: 3 },
  })
  expect(await heddle.database.select().from(tools)).toMatchObject([{ id: ID(1), func: 'return $city' }])
  const rows = await heddle.database.select().from(assistants)
  expect(rows.find(({ id }) => id === ID(6))).toMatchObject({ details: '{"name":"Open"}', credential: 'mine' })
  expect(await heddle.database.select().from(variables)).toMatchObject([{ type: 'runtime', value: 'Ghent' }])
})

it('points flows, assistants and templates to the new ids of what they use', async () => {
  const bundle = flowiseBundle()
  await heddle.database.update(tools).set({ func: 'return 3' })
  const report = await take({
    ...bundle,
    choices: Object.fromEntries([2, 3].map((n) => [`AgentFlowV2/${ID(n)}`, 'new'])),
  })
  const newTool = (await heddle.database.select().from(tools)).find(({ id }) => id !== ID(1))
  const [calling, called] = [2, 3].map((n) => report.flows.find(({ id }) => id === ID(n))?.newId)
  const { flowData } = (await call(ann, 'GET', `/chatflows/${calling}`)).body
  expect(newTool).toMatchObject({ func: 'return $city' })
  expect(flowData).toContain(newTool?.id)
  expect(flowData).toContain(called)
  expect(flowData).not.toContain(ID(3))
})

const samples = join(import.meta.dirname, '../../../../shared/samples/flowise')

describe.runIf(existsSync(samples))('the sample files of Flowise', () => {
  it('come back from a file as they were', async () => {
    await wipe()
    const read = (folder: string) =>
      readdirSync(join(samples, folder)).map((name, index) => ({
        ...{ name: name.slice(0, -'.json'.length), index },
        content: JSON.parse(readFileSync(join(samples, folder, name), 'utf8')),
      }))
    const flows = (folder: string, base: number) =>
      read(folder).map(({ name, index, content }) => ({
        id: ID(base + index),
        name,
        flowData: JSON.stringify(content),
      }))
    const Tool = read('tools').map(({ index, content: { id: _, ...tool } }) => ({ id: ID(900 + index), ...tool }))
    const report = await take({ AgentFlowV2: flows('agentflows', 100), ChatFlow: flows('chatflows', 500), Tool })
    expect(report.leftOut).toEqual([])
    const before = await exported()
    await wipe()
    const { FileDefaultName: _, ...bundle } = before
    await take(bundle)
    expect(comparable(await exported())).toEqual(comparable(before))
    expect(before.Tool).toHaveLength(Tool.length)
  })
})
