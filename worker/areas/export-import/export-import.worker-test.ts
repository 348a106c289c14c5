import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type * as z from 'zod'
import {
  BUNDLE_KEYS,
  EXPORT_KIND_NAMES,
  type exportAnswerSchema,
  type ImportReport,
} from '#contract/export-import/export-import.ts'
import type { FlowDocument, FlowNode } from '#contract/flow/document/document.ts'
import { chatflows, flowVersions } from '#db/schema/index.ts'
import { call } from '#worker/local/testing/client.ts'
import { startTestHeddle, type TestClient, type TestHeddle } from '#worker/local/testing/heddle.ts'
import { chain, directReply, edge, llm, node, start } from '../../../e2e/support/flows.ts'

type ExportAnswer = z.infer<typeof exportAnswerSchema>

let heddle: TestHeddle
let ann: TestClient
let bob: TestClient

beforeAll(async () => {
  heddle = await startTestHeddle({ platformType: 'cloud' })
  ann = await heddle.signUp()
  bob = await heddle.signUp()
})
afterAll(() => heddle.close())

const everything = Object.fromEntries(EXPORT_KIND_NAMES.map((kind) => [kind, true]))

async function exported(client: TestClient, asked: object = everything): Promise<ExportAnswer> {
  return (await call(client, 'POST', '/export-import/export', asked)).body
}

const take = (client: TestClient, bundle: object, query = '') =>
  call(client, 'POST', `/export-import/import${query}`, bundle)

async function save(client: TestClient, name: string, flow: FlowDocument, type = 'AGENTFLOW'): Promise<string> {
  return (await call(client, 'POST', '/chatflows', { name, type, flowData: JSON.stringify(flow) })).body.id
}

const echoFlow = () => chain(start(), directReply('You said: {{ question }}'))

function callingFlow(flowId: string): FlowDocument {
  const calling = node('executeFlowAgentflow', 0, { executeFlowSelectedFlow: flowId, executeFlowInput: 'Hi' })
  return chain(start(), calling)
}

/** Replaces ids, which differ between installations, by numbers. */
function withoutIds(bundle: object): unknown {
  const numbers = new Map<string, number>()
  const text = JSON.stringify(bundle).replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size)
    return `id ${numbers.get(id)}`
  })
  return JSON.parse(text)
}

it('exports from a second workspace what was imported from the first', async () => {
  const echo = await save(ann, 'Echo', echoFlow())
  await save(ann, 'Calling', callingFlow(echo))
  await save(ann, 'Classic', { nodes: [], edges: [] }, 'CHATFLOW')
  await call(ann, 'POST', '/variables', { name: 'city', value: 'Ghent' })
  const asked = await call(ann, 'POST', `/internal-prediction/${echo}`, { question: 'Hello', chatId: 'c1' })
  expect(asked.body.text).toBe('You said: Hello')

  const first = await exported(ann)
  expect(first.FileDefaultName).toBe('ExportData.json')
  expect(Object.keys(first).sort()).toEqual(['FileDefaultName', ...BUNDLE_KEYS].sort())
  expect(first.AgentFlowV2.map(Object.keys)).toEqual(Array(2).fill(['id', 'name', 'flowData', 'type', 'callers']))
  expect(first.Variable).toEqual([{ id: expect.any(String), name: 'city', value: '', type: 'static' }])
  expect(JSON.stringify(first)).not.toContain('workspaceId')

  const { status, body } = await take(bob, first)
  expect([status, body.message]).toEqual([200, 'success'])
  expect((body.report as ImportReport).imported).toMatchObject({
    AgentFlowV2: 2,
    ChatFlow: 1,
    Variable: 1,
    ChatMessage: 2,
    Execution: 1,
  })
  expect(body.report.leftOut).toEqual([])
  const second = await exported(bob)
  const ids = (bundle: ExportAnswer) => bundle.AgentFlowV2.map(({ id }) => id)
  expect(ids(second)).not.toEqual(ids(first))
  expect(withoutIds(second)).toEqual(withoutIds(first))

  const calling = second.AgentFlowV2.find(({ name }) => name === 'Calling')
  const called = second.AgentFlowV2.find(({ name }) => name === 'Echo')
  expect(calling?.flowData).toContain(String(called?.id))
  expect(calling?.flowData).not.toContain(echo)
  expect((await call(bob, 'POST', `/internal-prediction/${called?.id}`, { question: 'Ho' })).body.text).toBe(
    'You said: Ho',
  )
  const [run] = second.Execution
  expect((await call(bob, 'GET', `/executions/${run?.id}`)).body).toMatchObject({
    state: 'FINISHED',
    agentflow: { name: 'Echo' },
  })
  expect((await call(bob, 'GET', `/chatmessage/${called?.id}`)).body).toHaveLength(4)
})

it('keeps free ids and saves a version with a note', async () => {
  const id = crypto.randomUUID()
  const item = { id, name: 'Mine', type: 'AGENTFLOW', flowData: JSON.stringify(echoFlow()) }
  const { body } = await take(ann, { AgentFlowV2: [item] })
  expect(body.report.flows).toMatchObject([
    { id, newId: id, nodes: [{ name: 'startAgentflow' }, { name: 'directReplyAgentflow' }] },
  ])
  expect((await call(ann, 'GET', `/chatflows/${id}`)).body).toMatchObject({ name: 'Mine', version: 1, isPublic: null })
  const versions = await heddle.database.select().from(flowVersions).where(eq(flowVersions.flowId, id))
  expect(versions).toMatchObject([{ version: 1, note: 'Imported' }])

  const again = await take(ann, { AgentFlowV2: [item] })
  expect(again.body.report.items).toMatchObject([{ found: 'same', choice: 'skip' }])
  const copied = await take(ann, { AgentFlowV2: [item], choices: { [`AgentFlowV2/${id}`]: 'new' } })
  expect(copied.body.report.flows[0].newId).not.toBe(id)

  const nodesOf = async (flowId: string) =>
    (await call(ann, 'GET', '/chatflows-list')).body.data.find((flow: { id: string }) => flow.id === flowId)?.nodes
  expect([await nodesOf(id), await nodesOf(copied.body.report.flows[0].newId)]).toEqual([2, 2])
  const shorter = { ...item, flowData: JSON.stringify(chain(start())) }
  await take(ann, { AgentFlowV2: [shorter], choices: { [`AgentFlowV2/${id}`]: 'replace' } })
  expect(await nodesOf(id)).toBe(1)
})

describe('a rejected import', () => {
  const rows = async () => (await heddle.database.select().from(chatflows)).length
  const good = () => ({ id: crypto.randomUUID(), name: 'Good', flowData: JSON.stringify(echoFlow()) })

  it.each<[string, () => object, string, number]>([
    [
      'an invalid flow',
      () => ({ AgentFlowV2: [good(), { ...good(), flowData: '{"nodes":1}' }] }),
      'AgentFlowV2.1.flowData',
      400,
    ],
    ['a flow without a name', () => ({ AgentFlowV2: [{ ...good(), name: ' ' }] }), 'AgentFlowV2.0.name', 400],
    ['a kind that is not a list', () => ({ AgentFlowV2: [good()], Variable: {} }), 'Variable', 400],
    ['too many flows', () => ({ AgentFlowV2: Array.from({ length: 501 }, good) }), 'AgentFlowV2', 400],
    ['too many rows', () => ({ AgentFlowV2: [good()], Variable: Array(10_001).fill({}) }), 'Variable', 400],
    ['rows that are not objects', () => ({ AgentFlowV2: [good()], Execution: [5] }), 'Execution.0', 400],
    [
      'flow data that is not text',
      () => ({ AgentFlowV2: [{ ...good(), flowData: echoFlow() }] }),
      'AgentFlowV2.0.flowData',
      400,
    ],
    ['an id that is not text', () => ({ AgentFlowV2: [{ ...good(), id: { $ne: 1 } }] }), 'AgentFlowV2.0.id', 400],
    [
      'a flow that is too large to save',
      () => ({
        AgentFlowV2: [good(), { ...good(), flowData: `{"nodes":[],"edges":[],"x":"${'x'.repeat(9_000_000)}"}` }],
      }),
      'AgentFlowV2.1.flowData',
      400,
    ],
    [
      'a repeated node',
      () => ({
        AgentFlowV2: [good(), { ...good(), flowData: JSON.stringify({ nodes: [start(), start()], edges: [] }) }],
      }),
      'AgentFlowV2.1.flowData',
      400,
    ],
    [
      'a flow that is nested too deeply',
      () => ({
        AgentFlowV2: [{ ...good(), flowData: `{"nodes":[],"edges":[],"x":${'['.repeat(9999)}${']'.repeat(9999)}}` }],
      }),
      'AgentFlowV2.0.flowData',
      400,
    ],
    [
      'rows that are nested too deeply',
      () => ({ AgentFlowV2: [good()], Tool: JSON.parse('['.repeat(999) + ']'.repeat(999)) }),
      'Tool',
      400,
    ],
    [
      'a choice that is not possible',
      () => {
        const item = good()
        return { AgentFlowV2: [item], choices: { [`AgentFlowV2/${item.id}`]: 'replace' } }
      },
      'choices.AgentFlowV2/',
      400,
    ],
    ['a choice that does not exist', () => ({ AgentFlowV2: [good()], choices: { x: 'maybe' } }), 'choices.x', 400],
    ['a NUL character', () => ({ AgentFlowV2: [{ ...good(), name: 'a\0b' }] }), 'AgentFlowV2.0.name', 400],
  ])('changes nothing for %s', async (_name, bundle, field, expected) => {
    const before = await rows()
    const { status, body } = await take(ann, bundle())
    expect([status, body.field]).toEqual([expected, expect.stringContaining(field)])
    expect(await rows()).toBe(before)
  })

  it('is named by the field whose text has 10 MB', async () => {
    const long = 'x'.repeat(10_000_000)
    for (const [bundle, field] of [
      [{ AgentFlowV2: [{ ...good(), name: long }] }, 'AgentFlowV2.0.name'],
      [{ AgentFlowV2: [{ ...good(), id: long }] }, 'AgentFlowV2.0.id'],
    ] as const) {
      const { status, body } = await take(ann, bundle)
      expect([status, body.field]).toEqual([400, field])
    }
  })

  it('returns the same report for a dry run and writes nothing', async () => {
    const before = await rows()
    const lost = { id: 'Weather', storeId: 'gone', docId: 'gone', chunkNo: 1, pageContent: 'Rain', metadata: '{}' }
    const bundle = { AgentFlowV2: [good()], DocumentStoreFileChunk: [lost] }
    const dry = await take(ann, bundle, '?dryRun=true')
    expect(dry.body.report.leftOut).toMatchObject([{ key: 'DocumentStoreFileChunk', names: ['Weather'], count: 1 }])
    expect(await rows()).toBe(before)
    expect((await take(ann, bundle)).body.report).toEqual(dry.body.report)
    expect(await rows()).toBe(before + 1)
  })
})

it.each([
  '../../etc/passwd',
  '..\\..\\windows',
  '%2e%2e%2fsecret',
  '/files/a?b#c',
  '\u202Egnp.exe\u202C',
  'مرحبا بالعالم',
  '👩‍👩‍👧‍👦 🇧🇪 é',
  '<img src=x onerror=alert(1)>',
  "'; drop table chatflows; --",
  '__proto__',
])('imports %j as a name, and never as an id', async (odd) => {
  const tool = { id: odd, name: odd, description: odd, schema: '[]', func: 'return 1' }
  const flow = { id: odd, name: odd, flowData: JSON.stringify(echoFlow()) }
  const { status, body, text } = await take(bob, { AgentFlowV2: [flow], Tool: [tool] })
  expect(status, text).toBe(200)
  const report = body.report as ImportReport
  const [row] = await heddle.database
    .select()
    .from(chatflows)
    .where(eq(chatflows.id, report.flows[0]?.newId ?? ''))
  expect(row?.name).toBe(odd)
  expect(row?.id).toMatch(/^[0-9a-f-]{36}$/)
  const tools = (await call(bob, 'GET', '/tools')).body as { id: string; name: string }[]
  const [made] = tools.filter(({ name }) => name === odd)
  expect(made?.id).toMatch(/^[0-9a-f-]{36}$/)
  expect((await exported(bob)).AgentFlowV2).toContainEqual(expect.objectContaining({ name: odd }))
})

it('names unknown keys, including prototype keys', async () => {
  const bundle = JSON.parse(`{"__proto__":{"AgentFlowV2":[]},"constructor":{"x":1},"Evaluation":[{},{}],"Variable":[]}`)
  const { status, body } = await take(ann, bundle)
  expect([status, body.report.notes]).toEqual([
    200,
    [expect.stringMatching(/^Not imported:.*constructor, Evaluation \(2\)/)],
  ])
})

it('imports a flow of 5,000 nodes and reports each', async () => {
  const nodes = Array.from({ length: 4_999 }, (_, number) => directReply('x', number))
  const edges = nodes.slice(1).map((target, index) => edge(nodes[index] as FlowNode, target))
  const item = {
    id: crypto.randomUUID(),
    name: 'Large',
    flowData: JSON.stringify({ nodes: [start(), ...nodes], edges }),
  }
  const { status, body } = await take(ann, { AgentFlowV2: [item] })
  expect([status, body.report?.flows[0].nodes.length]).toEqual([200, 5_000])
  expect((await call(ann, 'GET', `/validation/${item.id}`)).status).toBe(200)
  const { status: ran, body: said } = await call(ann, 'POST', `/internal-prediction/${item.id}`, { question: 'q' })
  expect([ran, said.message]).toEqual([500, expect.stringContaining('This node isn’t connected')])
})

it('adds a file once when it is imported several times at once', async () => {
  const bundle = { AgentFlowV2: [{ id: crypto.randomUUID(), name: 'Twin', flowData: JSON.stringify(echoFlow()) }] }
  const answers = await Promise.all(Array.from({ length: 4 }, () => take(ann, bundle)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(answers.map(({ body }) => body.report.imported.AgentFlowV2).sort()).toEqual([0, 0, 0, 1])
})

it('exports no credential and asks to choose one after the import', async () => {
  const model = { name: 'chatOpenAI', inputs: { modelName: 'm', FLOWISE_CREDENTIAL_ID: 'secret-credential-id' } }
  await save(
    ann,
    'Keyed',
    chain(start(), llm('http://x/v1', 0, { llmModel: model.name, llmModelConfig: model.inputs })),
  )
  const bundle = await exported(ann, { agentflowv2: true })
  expect(JSON.stringify(bundle)).not.toContain('secret-credential-id')
  expect(bundle.Variable).toEqual([])
  const item = bundle.AgentFlowV2.find(({ name }) => name === 'Keyed')
  const { body } = await take(bob, { AgentFlowV2: [item] }, '?dryRun=true')
  expect(body.report.flows[0].nodes[1]).toMatchObject({
    verdict: 'changed',
    reasons: expect.arrayContaining([expect.stringMatching(/Choose a credential/)]),
  })
})

it('imports 200 flows in two round trips', async () => {
  const flows = Array.from({ length: 200 }, (_, index) => ({
    id: crypto.randomUUID(),
    name: `Flow ${index}`,
    flowData: JSON.stringify(echoFlow()),
  }))
  const before = heddle.roundTrips()
  expect((await take(ann, { AgentFlowV2: flows })).status).toBe(200)
  expect(heddle.roundTrips() - before).toBeLessThanOrEqual(3)
})
