/** Imports hostile files: each is rejected at a named place, or handled without failing. */
import { describe, expect, test } from 'vitest'
import { HeddleError } from '#contract/errors.ts'
import { diffFlows } from '#contract/flow/diff/diff.ts'
import { MAX_EDGES, MAX_NODES } from '#contract/flow/document/check-document.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { parseFlow } from '#contract/flow/document/parse.ts'
import { exportFlow } from '#contract/flow/document/serialize.ts'
import { agentflow } from '#contract/flow/kinds/agentflow/kind.ts'
import { flowProblems } from '#contract/flow/rules/problems.ts'
import { importReport } from '#contract/flow/transfer/report.ts'
import { componentDefinitions } from '../../nodes/catalogue.ts'
import { catalogue } from '../../nodes/registry.ts'
import { requireCompiler } from '../../runs/compilers.ts'

const components = componentDefinitions()

interface Odd {
  inputs?: unknown
  parentNode?: string
  [key: string]: unknown
}

/** `data` of the node; the properties of a container are outside of it. */
const node = (id: string, name: string, { parentNode, ...data }: Odd = {}) => ({
  id,
  type: 'agentFlow',
  position: { x: 0, y: 0 },
  ...(parentNode === undefined ? {} : { parentNode }),
  data: { id, name, label: id, inputs: {}, ...data },
})
const start = (more: Odd = {}) => node('startAgentflow_0', 'startAgentflow', more)
const edge = (source: string, target: string) => ({
  id: `${source}>${target}`,
  source,
  target,
  sourceHandle: `${source}-output-x`,
  targetHandle: target,
})
const many = <Item>(length: number, make: (index: number) => Item) => Array.from({ length }, (_, index) => make(index))

function opened(document: unknown): FlowDocument {
  const result = parseFlow(typeof document === 'string' ? document : JSON.stringify(document))
  if (!result.ok) throw new Error(result.message)
  return result.flow
}

function compileProblem(flow: FlowDocument): string {
  try {
    requireCompiler('AGENTFLOW')(flow, catalogue)
    return ''
  } catch (error) {
    if (error instanceof HeddleError) return error.message
    throw error
  }
}

const prototypes = `{"__proto__":{"polluted":1},"nodes":[
  {"id":"__proto__","type":"agentFlow","position":{"x":0,"y":0},"data":{"id":"__proto__","name":"startAgentflow",
    "label":"constructor","inputs":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}},
  {"id":"toString","type":"agentFlow","position":{"x":0,"y":0},"data":{"id":"toString","name":"hasOwnProperty",
    "label":"valueOf","inputs":{}}}],"edges":[{"id":"__proto__","source":"__proto__","target":"toString"}]}`

describe('a hostile file', () => {
  test.each<[string, unknown, RegExp]>([
    ['prototype keys everywhere', prototypes, /^valueOf: The node type hasOwnProperty is not available here$/],
    [
      'a container inside itself',
      { nodes: [start(), node('i', 'iterationAgentflow', { parentNode: 'i' })], edges: [] },
      /^i: It is inside an iteration that contains itself. Move it out$/,
    ],
    [
      'containers inside each other',
      {
        nodes: [
          start(),
          node('i', 'iterationAgentflow', { parentNode: 'j' }),
          node('j', 'iterationAgentflow', { parentNode: 'i' }),
        ],
        edges: [],
      },
      /^i: It is inside an iteration that contains itself. Move it out\nj: /,
    ],
    [
      'thousands of nested containers',
      {
        nodes: [
          start(),
          ...many(3000, (index) => node(`i${index}`, 'iterationAgentflow', { parentNode: `i${index - 1}` })),
        ],
        edges: [],
      },
      /^i\d+: It is nested in more than 20 iterations. Move it out\n[\s\S]*… and \d+ more$/,
    ],
    [
      'inputs of wrong types',
      {
        nodes: [
          start({
            inputs: { startState: 5, startInputType: ['chatInput'], formInputTypes: { a: 1 } },
            outputAnchors: [{ id: 'a', options: [null, 3] }],
            runPolicy: 'often',
          }),
          node('l', 'llmAgentflow', {
            inputs: {
              llmModel: 7,
              llmModelConfig: [],
              llmMessages: { a: 1 },
              llmUpdateState: 'abc',
              llmStructuredOutput: [null, 3],
            },
          }),
          node('a', 'agentAgentflow', {
            inputs: {
              agentModelConfig: 'no',
              agentTools: [null, 5, { agentSelectedTool: {}, agentSelectedToolConfig: 'x' }],
            },
          }),
          node('c', 'conditionAgentflow', { inputs: { conditions: 'x' } }),
          node('ca', 'conditionAgentAgentflow', { inputs: { conditionAgentScenarios: { length: 5 } } }),
          node('lo', 'loopAgentflow', { inputs: { loopBackToNode: { a: 1 }, maxLoopCount: {} } }),
          node('t', 'toolAgentflow', { inputs: { selectedTool: ['calculator'], selectedToolConfig: 1 } }),
        ],
        edges: [],
      },
      /: This node isn’t connected/,
    ],
    ['edges without nodes', { nodes: [start()], edges: [edge('startAgentflow_0', 'x'), edge('y', 'z')] }, /^$/],
    [
      'five thousand nodes in a row',
      {
        nodes: [start(), ...many(MAX_NODES - 1, (index) => node(`n${index}`, 'directReplyAgentflow'))],
        edges: many(MAX_NODES - 1, (index) => edge(index === 0 ? 'startAgentflow_0' : `n${index - 1}`, `n${index}`)),
      },
      /^$/,
    ],
    [
      'as many unknown nodes and loose edges as fit',
      {
        nodes: many(MAX_NODES, (index) => node(`n${index}`, 'x')),
        edges: many(MAX_EDGES, (index) => edge(`a${index}`, `b${index}`)),
      },
      /^n0: The node type x is not available here\n[\s\S]*… and 4980 more$/,
    ],
  ])('is imported without an error when it has %s', (_name, document, problem) => {
    const flow = opened(document)
    const report = importReport(flow, components, { kind: agentflow })
    expect(report.nodes).toHaveLength(flow.nodes.length)
    expect(Array.isArray(flowProblems(flow, components, { kind: agentflow }))).toBe(true)
    const leaving = exportFlow(flow, components)
    expect(diffFlows(flow, leaving, { components, kind: agentflow }).nodes).toEqual([])
    expect(compileProblem(flow)).toMatch(problem)
    expect(JSON.parse(JSON.stringify(leaving))).toEqual(
      typeof document === 'string' ? JSON.parse(document) : JSON.parse(JSON.stringify(document)),
    )
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

describe('an invalid file', () => {
  const withData = (data: object) => ({ nodes: [start(), node('n', 'x', data as Odd)], edges: [] })
  test.each<[string, unknown]>([
    ['nodes.1.data.inputs', withData({ inputs: 'x' })],
    ['nodes.1.data.inputs', withData({ inputs: [] })],
    ['nodes.1.data.inputParams.0.options', withData({ inputParams: [{ name: 'x', type: 'options', options: 7 }] })],
    ['nodes.1.data.inputParams.0.show', withData({ inputParams: [{ name: 'x', type: 'string', show: 'y' }] })],
    ['nodes.1.data.outputAnchors.0.id', withData({ outputAnchors: [{ id: 5 }] })],
    ['nodes.1.data.credential', withData({ credential: {} })],
    ['nodes.1.data.name', withData({ name: '' })],
    ['nodes.1.id', { nodes: [start(), start()], edges: [] }],
    ['nodes.0.id', { nodes: [{ ...start(), id: '' }], edges: [] }],
    ['nodes.0.position.x', { nodes: [{ ...start(), position: { x: null, y: 0 } }], edges: [] }],
    ['edges.0.source', { nodes: [], edges: [{ id: 'e', source: 5, target: 'x' }] }],
    ['edges.1.id', { nodes: [], edges: [edge('a', 'b'), edge('a', 'b')] }],
    ['viewport.zoom', { nodes: [], edges: [], viewport: { x: 0, y: 0, zoom: '1' } }],
  ])('is rejected at %s', (path, document) => {
    expect(parseFlow(JSON.stringify(document))).toMatchObject({ ok: false, path })
  })
})
