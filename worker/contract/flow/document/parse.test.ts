// @defends color-asks-address
// @defends flow-loops-takes
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { flowDataSchema } from '../../chatflows/chatflows.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { llm, start, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { chatModel } from '../kinds/chatflow/testing/flows.ts'
import { components } from '../testing/components.ts'
import { empty, withInputs } from '../testing/flows.ts'
import { orphanedEdges } from './orphans.ts'
import { parseFlow, parseImportedFlow } from './parse.ts'
import { exportFlow, serializeFlow } from './serialize.ts'

function opened(source: unknown) {
  const result = parseFlow(source)
  if (!result.ok) throw new Error(result.message)
  return result.flow
}

const node = (more: object = {}, data: object = {}) => ({
  id: 'a_0',
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  ...more,
  data: { id: 'a_0', name: 'a', label: 'A', ...data },
})

describe('openFlow', () => {
  it.each([
    ['nodes', 5_000, (at: number) => node({ id: `a_${at}` })],
    ['edges', 20_000, (at: number) => ({ id: `e${at}`, source: 'a_0', target: 'b_0' })],
  ])('accepts the maximum number of %s, and names the field when there are more', (field, most, make) => {
    const flow = (count: number) => ({
      nodes: [],
      edges: [],
      [field]: Array.from({ length: count }, (_, at) => make(at)),
    })
    expect(parseFlow(flow(most)).ok).toBe(true)
    expect(parseFlow(flow(most + 1))).toMatchObject({
      ok: false,
      path: field,
      message: `${field}: A flow may have at most ${most} ${field}`,
    })
    const [issue] = flowDataSchema.safeParse(JSON.stringify(flow(most + 1))).error?.issues ?? []
    expect(issue).toMatchObject({ path: [field], message: `A flow may have at most ${most} ${field}` })
  })

  it('keeps unknown content in its order', () => {
    const text = JSON.stringify({
      zeta: 1,
      description: 'A flow',
      edges: [{ zIndex: 3, id: 'e', source: 'a_0', target: 'b_0', extra: { deep: [null] } }],
      nodes: [
        node(
          { style: { width: 3 }, positionAbsolute: { x: 1, y: 1 } },
          { own: { x: [1] }, inputParams: [{ name: 'p', type: 'string', odd: true }] },
        ),
      ],
    })
    expect(JSON.stringify(opened(text))).toBe(text)
  })

  it('keeps outputs without ids and texts, as in chat flow nodes with several outputs', () => {
    const outputAnchors = [{ name: 'output', label: null, type: 'options', description: null, options: [{ id: 'a' }] }]
    const text = JSON.stringify({ nodes: [node({}, { outputAnchors, inputAnchors: [{ name: 'model' }] })], edges: [] })
    expect(JSON.stringify(opened(text))).toBe(text)
  })

  it('clears the selection without changing its argument', () => {
    const source = { nodes: [node({ selected: true }, { selected: true })], edges: [] }
    expect(opened(source).nodes[0]).toMatchObject({ selected: false, data: { selected: false } })
    expect(source.nodes).toMatchObject([{ selected: true, data: { selected: true } }])
  })

  it('accepts a flow with or without viewport', () => {
    expect(opened({ nodes: [], edges: [] })).toEqual({ nodes: [], edges: [] })
    const viewport = { x: 1, y: 2, zoom: 0.5 }
    expect(opened({ nodes: [], edges: [], viewport }).viewport).toEqual(viewport)
  })

  it.each<[string, unknown, string]>([
    ['no object', 3, ''],
    ['null', null, ''],
    ['no nodes', { edges: [] }, 'nodes'],
    ['a node without a name', { nodes: [node({}, { name: undefined })], edges: [] }, 'nodes.0.data.name'],
    [
      'a position that is not a number',
      { nodes: [node({ position: { x: '1', y: 0 } })], edges: [] },
      'nodes.0.position.x',
    ],
    ['an edge without a target', { nodes: [], edges: [{ id: 'e', source: 'a' }] }, 'edges.0.target'],
    ['a repeated node id', { nodes: [node(), node()], edges: [] }, 'nodes.1.id'],
    [
      'a repeated edge id',
      { nodes: [node()], edges: Array(2).fill({ id: 'e', source: 'a', target: 'b' }) },
      'edges.1.id',
    ],
  ])('names the place of %s', (_, source, path) => {
    const result = parseFlow(source)
    expect(result).toMatchObject({ ok: false, path })
    expect(!result.ok && result.message.startsWith(path || 'flow')).toBe(true)
  })

  it('rejects a flow that is nested too deeply', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(parseFlow(`{"nodes":[],"edges":[],"extra":${deep}}`)).toMatchObject({
      ok: false,
      message: 'The flow is nested too deeply.',
    })
  })

  it('reports text that is not JSON', () => {
    expect(parseFlow('{')).toEqual({ ok: false, message: 'The flow is not valid JSON.', path: '' })
  })
})

describe('importFlow', () => {
  const text = JSON.stringify({ nodes: [node()], edges: [] })
  it('accepts a flow and an exported entry with a flow', () => {
    expect(parseImportedFlow('flow.json', text)).toMatchObject({ ok: true, flow: { nodes: [{ id: 'a_0' }] } })
    const entry = JSON.stringify({ id: '1', name: 'x', type: 'AGENTFLOW', flowData: text })
    expect(parseImportedFlow('FLOW.JSON', entry)).toMatchObject({ ok: true, flow: { nodes: [{ id: 'a_0' }] } })
  })
  it.each([
    ['flow.txt', text],
    ['json', text],
    ['flow.json', 'nonsense'],
    ['flow.json', '[]'],
    ['flow.json', '{"nodes":[]}'],
    ['flow.json', '{"flowData":3}'],
  ])('rejects %s with %j', (name, content) => {
    expect(parseImportedFlow(name, content)).toMatchObject({
      ok: false,
      message: 'Invalid Imported File',
      reason: expect.any(String),
    })
  })
})

describe('flowForSave', () => {
  it('puts the chosen credential in its place and removes traces of the run', () => {
    const flow = opened({
      nodes: [
        node(
          { selected: true },
          { inputs: { FLOWISE_CREDENTIAL_ID: 'c1', a: 1 }, status: 'ERROR', error: 'x', selected: true },
        ),
      ],
      edges: [],
    })
    expect(serializeFlow(flow).nodes[0]?.data).toEqual({
      id: 'a_0',
      name: 'a',
      label: 'A',
      inputs: { a: 1 },
      credential: 'c1',
      selected: false,
    })
  })
  it('removes a credential that is no longer chosen', () => {
    const flow = opened({ nodes: [node({}, { credential: 'c1', inputs: { FLOWISE_CREDENTIAL_ID: '' } })], edges: [] })
    expect(serializeFlow(flow).nodes[0]?.data.credential).toBe('')
  })
})

describe('exportFlow', () => {
  const secretFlow = () => {
    const flow = withInputs(withNodes(empty, start, llm), 'llmAgentflow_0', {
      llmModel: chatModel.name,
      llmModelConfig: { modelName: 'm', secret: 's3cret', FLOWISE_CREDENTIAL_ID: 'c1', credential: '' },
      agentTools: [
        {
          tool: chatModel.name,
          toolConfig: { secret: 's3cret', credential: 'c1', nested: [{ FLOWISE_CREDENTIAL_ID: 'c1' }] },
        },
        { tool: 'strange', toolConfig: { secret: 's3cret', keep: 1 } },
      ],
      upload: 'data:text/plain;base64,czNjcmV0',
      folder: 's3cret',
      token: 's3cret',
      list: [{ token: 's3cret', name: 'n' }],
      FLOWISE_CREDENTIAL_ID: 'c1',
    })
    const own = [
      { name: 'upload', type: 'file' },
      { name: 'folder', type: 'folder' },
      { name: 'token', type: 'password' },
      { name: 'list', type: 'array', array: [{ name: 'token', type: 'password' }] },
    ]
    const nodes = flow.nodes.map((each) => ({
      ...each,
      selected: true,
      data: {
        ...each.data,
        credential: 'c1',
        icon: 'x.svg',
        status: 'ERROR',
        filePath: '/tmp',
        selected: true,
        inputParams: [...(each.data.inputParams ?? []), ...own],
      },
    }))
    return { ...flow, nodes, viewport: { x: 0, y: 0, zoom: 1 } }
  }

  it('exports no secrets and credentials at any depth', () => {
    const out = exportFlow(secretFlow(), components)
    expect(JSON.stringify(out)).not.toMatch(/s3cret|czNjcmV0|"c1"|FLOWISE_CREDENTIAL_ID/)
    expect(out.nodes[1]?.data.inputs).toMatchObject({
      llmModelConfig: { modelName: 'm', credential: '' },
      agentTools: [
        { tool: chatModel.name, toolConfig: { nested: [{}] } },
        { tool: 'strange', toolConfig: { keep: 1 } },
      ],
      list: [{ name: 'n' }],
    })
  })

  it('exports no secrets from Start nodes of Flowise files', () => {
    const flow = withInputs(withNodes(empty, start), 'startAgentflow_0', {
      webhookSecret: 's3cret',
      callbackSecret: 's3cret',
      callbackUrl: 'https://example.com',
    })
    const [node] = exportFlow(flow, components).nodes
    expect(JSON.stringify(node)).not.toContain('s3cret')
    expect(node?.data.inputs).toMatchObject({ callbackUrl: 'https://example.com' })
  })

  it('exports only the listed data keys, without selection and viewport', () => {
    const out = exportFlow(secretFlow(), components)
    expect(out).not.toHaveProperty('viewport')
    expect(out.nodes[1]).toMatchObject({ selected: false, data: { selected: false } })
    for (const key of ['credential', 'icon', 'status', 'filePath']) expect(out.nodes[1]?.data).not.toHaveProperty(key)
  })

  it('does not change its argument', () => {
    const flow = secretFlow()
    const before = structuredClone(flow)
    exportFlow(flow, components)
    expect(flow).toEqual(before)
  })

  it('returns the same export after an import and a save', () => {
    const out = exportFlow(withEdges(withNodes(empty, start, llm), 'startAgentflow_0 > llmAgentflow_0'), components)
    expect(exportFlow(serializeFlow(opened(JSON.stringify(out))), components)).toEqual(out)
  })
})

/** A file as others write it, and beside the repository more of them where there are any. */
const samples = '../shared/samples/flowise/agentflows'
const found = existsSync(samples) ? readdirSync(samples).map((name) => `${samples}/${name}`) : []
const foreign = JSON.stringify({
  description: 'Answers',
  usecases: ['Support'],
  nodes: [
    {
      id: 'llmAgentflow_0',
      position: { x: -1.5, y: 2 },
      data: {
        id: 'llmAgentflow_0',
        label: 'Translator',
        version: 1,
        name: llm.name,
        type: 'LLM',
        color: '#64B5F6',
        baseClasses: ['LLM'],
        category: 'Agent Flows',
        inputParams: [
          { label: 'Messages', name: 'llmMessages', type: 'array', generateDocStoreDescription: true, display: false },
        ],
        inputAnchors: [],
        inputs: { llmMessages: '', llmModelConfig: { credential: '', cache: '', llmModel: 'chatOpenAI' } },
        outputAnchors: [{ id: `llmAgentflow_0-output-${llm.name}`, label: 'LLM', name: llm.name }],
        outputs: { llmAgentflow: '' },
        selected: false,
      },
      type: 'agentFlow',
      width: 154,
      height: 71,
      selected: false,
      positionAbsolute: { x: -1.5, y: 2 },
      dragging: false,
    },
  ],
  edges: [],
})

it.runIf(existsSync(samples))('finds the sample flows outside the repository', () => {
  expect(found.length).toBeGreaterThanOrEqual(7)
})

it.each([['a flow', foreign], ...found.map((path) => [path, readFileSync(path, 'utf8')])])(
  'opens, saves and exports %s without loss',
  (_, text) => {
    const flow = opened(text)
    expect(flow).toEqual(JSON.parse(text))
    expect(exportFlow(serializeFlow(flow), components)).toEqual(JSON.parse(text))
    expect(orphanedEdges(flow, agentflow)).toEqual([])
  },
)

it.each([
  ['#fff', '#fff'],
  ['#64B5F6', '#64B5F6'],
  ['#64B5F680', '#64B5F680'],
  ['url(http://evil.example/)', undefined],
  ['red;background:url(//evil.example)', undefined],
  ['#12345', undefined],
  ['', undefined],
])('a node whose color is %j is drawn in %j', (color, drawn) => {
  const node = { id: 'a', type: 't', position: { x: 0, y: 0 }, data: { id: 'a', name: 'n', color } }
  const opened = parseFlow({ nodes: [node], edges: [] })
  expect(opened.ok && opened.flow.nodes[0]?.data.color).toBe(drawn)
  expect(opened.ok && [...opened.dropped.keys()]).toEqual(color === '' || drawn ? [] : ['a'])
})
