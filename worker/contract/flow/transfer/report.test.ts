import { describe, expect, it, test } from 'vitest'
import type { FlowDocument } from '../document/document.ts'
import { parseFlow } from '../document/parse.ts'
import { exportFlow, serializeFlow } from '../document/serialize.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { AGENT } from '../kinds/agentflow/nodes.ts'
import { iteration, llm, stickyNote, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { chatModel } from '../kinds/chatflow/testing/flows.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { componentsByName } from '../params/params.ts'
import { components } from '../testing/components.ts'
import { empty, nodeOf, withInputs } from '../testing/flows.ts'
import { importReport, isSupported, type ReportOptions } from './report.ts'

const code: ComponentDefinition = {
  ...llm,
  name: 'code',
  label: 'Code',
  inputs: [
    { label: 'Function', name: 'function', type: 'code' },
    { label: 'Schema', name: 'schema', type: 'code', hideCodeExecute: true },
  ],
}
const options: ComponentDefinition = {
  ...llm,
  name: 'options',
  label: 'Options',
  inputs: [
    {
      label: 'Kind',
      name: 'kind',
      type: 'options',
      options: [
        { label: 'Fast', name: 'fast' },
        { label: 'Soon', name: 'soon', unsupported: true },
      ],
    },
    { label: 'Free', name: 'free', type: 'options', freeSolo: true, options: [] },
    {
      label: 'Stores',
      name: 'stores',
      type: 'array',
      unsupported: true,
      array: [{ label: 'Store', name: 'store', type: 'string' }],
    },
    { label: 'Flow', name: 'flow', type: 'asyncOptions', loadMethod: 'listFlows' },
    { label: 'Only If Fast', name: 'fastOnly', type: 'string', unsupported: true, show: { kind: 'fast' } },
  ],
}
const tools: ComponentDefinition = {
  ...llm,
  name: 'tools',
  label: 'Tools',
  inputs: [
    {
      label: 'Tools',
      name: 'tools',
      type: 'array',
      array: [{ label: 'Tool', name: 'tool', type: 'asyncOptions', loadMethod: 'listTools', loadConfig: true }],
    },
  ],
}
const ruled = { ...iteration, hint: 'Items run in order' }
const all = [...components.filter(({ name }) => name !== ruled.name), ruled, code, options, tools]

/** A flow of one node of that definition, with these inputs over its defaults. */
function oneNode(
  definition: ComponentDefinition,
  inputs: Record<string, unknown> = {},
  data: object = {},
): FlowDocument {
  const flow = withInputs(withNodes(empty, definition), `${definition.name}_0`, inputs)
  return { ...flow, nodes: flow.nodes.map((node) => ({ ...node, data: { ...node.data, ...data } })) }
}

const reportOf = (flow: FlowDocument, more: Partial<ReportOptions> = {}) =>
  importReport(flow, all, { kind: agentflow, ...more }).nodes[0]
const withModel = (config: object) => ({ llmModel: chatModel.name, llmModelConfig: { modelName: 'm', ...config } })
const complete = { modelName: 'm', secret: 's', FLOWISE_CREDENTIAL_ID: 'c1' }

describe('a node without changes', () => {
  test.each([
    ['with its initial values', oneNode(options)],
    ['with a known value', oneNode(options, { kind: 'fast', free: 'anything' })],
    ['with an unknown, empty input', oneNode(llm, { undefined: '', old: false, list: '[]' })],
    ['with ids of this workspace', oneNode(options, { flow: 'f1' })],
    [
      'with a model, its credential and its repeated name',
      oneNode(llm, withModel({ ...complete, llmModel: 'chatScripted' })),
    ],
    ['that is a sticky note', oneNode(stickyNote, { note: 'Read me' })],
    ['that is a sticky note of another framework', oneNode({ ...stickyNote, name: 'stickyNote' })],
    [
      'with code of plain JavaScript',
      oneNode(code, { function: 'return fetch(`x`) // imported', schema: 'require("x")' }),
    ],
  ])('reports a node %s as exact', (_name, flow) => {
    expect(reportOf(flow, { knownIds: new Set(['f1', 'c1']) })).toMatchObject({ verdict: 'exact', reasons: [] })
  })
})

test('a node whose color was not taken is named, with the reason', () => {
  const drawn = oneNode(options, {}, { color: 'url(http://evil.example/)' })
  const opened = parseFlow(drawn)
  if (!opened.ok) throw new Error(opened.message)
  const [report] = importReport(opened.flow, all, { kind: agentflow, dropped: opened.dropped }).nodes
  expect(report).toMatchObject({
    ...{ nodeId: 'options_0', verdict: 'changed' },
    reasons: ['Its color was not taken: a color is #rgb or #rrggbb, nothing else.'],
  })
})

describe('a changed node', () => {
  test.each<[string, FlowDocument, RegExp]>([
    [
      'an older version',
      oneNode(llm, {}, { version: 1 }),
      /^Upgraded from version 1 to version 1.1 of LLM\. New settings/,
    ],
    [
      'a newer version',
      oneNode(llm, {}, { version: 9 }),
      /^Made for version 9; runs as .* Newer settings are ignored\.$/,
    ],
    ['no name', oneNode(llm, {}, { label: '' }), /^This node has no name/],
    ['no version', oneNode(llm, {}, { version: undefined }), /^Upgraded to version/],
    ['unknown inputs', oneNode(llm, { mystery: 1, other: 'x' }), /^Ignored settings: mystery, other$/],
    [
      'unknown inputs in an item',
      oneNode(llm, { llmMessages: [{ role: 'user', tone: 'kind' }] }),
      /^Messages 1: Ignored settings: tone$/,
    ],
    [
      'unknown inputs of a model',
      oneNode(llm, withModel({ ...complete, magic: 7 })),
      /^ChatScripted: Ignored settings: magic$/,
    ],
    [
      'a model without credential',
      oneNode(llm, withModel({ secret: 's' })),
      /^ChatScripted: Choose a credential\. Exports never include them\.$/,
    ],
    [
      'a foreign credential',
      oneNode(llm, withModel({ ...complete, FLOWISE_CREDENTIAL_ID: 'x' })),
      /The one in the file belongs to another\.$/,
    ],
    [
      'a secret that was stripped',
      oneNode(llm, withModel({ FLOWISE_CREDENTIAL_ID: 'c1' })),
      /^ChatScripted: Secret is never exported\. Enter it again/,
    ],
    ['a flow of another workspace', oneNode(options, { flow: 'f2:Name' }), /^Flow f2:Name belongs to another/],
    ['an option that does not exist', oneNode(options, { kind: 'slow' }), /^Kind does not offer slow\./],
    ['other rules at run time', oneNode(ruled), /^Items run in order$/],
    [
      'modules in code',
      oneNode(code, { function: 'const pg = require(\'pg\')\nimport { x } from "typeorm"' }),
      /: pg, typeorm\. Available modules: axios, /,
    ],
    [
      'modules loaded dynamically',
      oneNode(code, { function: 'await import("axios"); require(`zlib`)' }),
      /: axios, zlib\. /,
    ],
    [
      'unavailable modules only',
      oneNode(code, {
        function: "require('axios'); require('node:crypto'); require('timers/promises'); require('fs')",
      }),
      /not available: fs\. /,
    ],
  ])('is reported for %s', (_name, flow, reason) => {
    const report = reportOf(flow, { knownIds: new Set(['c1']) })
    expect(report).toMatchObject({ verdict: 'changed', reasons: [expect.stringMatching(reason)] })
    expect(isSupported(flow.nodes[0] as never, componentsByName(all))).toBe(true)
  })
})

describe('an unsupported node', () => {
  test.each<[string, FlowDocument, RegExp]>([
    ['of an unknown type', oneNode({ ...llm, name: 'magic' }), /^The node type magic is not supported\./],
    ['with an unknown model', oneNode(llm, { llmModel: 'chatMagic' }), /^Model chatMagic is not supported\.$/],
    [
      'with an unknown tool',
      oneNode(tools, { tools: [{ tool: 'gmail', toolConfig: { a: 1 } }] }),
      /^Tools 1: Tool gmail is not/,
    ],
    ['with an unsupported feature', oneNode(options, { stores: [{ store: 's' }] }), /^Stores is not supported yet$/],
    ['with an unsupported option', oneNode(options, { kind: 'soon' }), /^Kind Soon is not supported yet$/],
  ])('is reported when it is %s', (_name, flow, reason) => {
    expect(reportOf(flow)).toMatchObject({ verdict: 'unsupported', reasons: [expect.stringMatching(reason)] })
    expect(isSupported(flow.nodes[0] as never, componentsByName(all))).toBe(false)
  })

  it('is reported for visible inputs only', () => {
    expect(reportOf(oneNode(options, { kind: '', fastOnly: 'x' }))?.verdict).toBe('exact')
    expect(reportOf(oneNode(options, { kind: 'fast', fastOnly: 'x' }))?.verdict).toBe('unsupported')
  })
})

it('reports connections that lead nowhere', () => {
  const flow = withEdges(withNodes(empty, llm, llm), 'llmAgentflow_0 > llmAgentflow_1')
  const cut = { ...flow, nodes: [nodeOf(flow, 'llmAgentflow_0')] }
  expect(importReport(cut, all, { kind: agentflow }).edges).toEqual([
    { edgeId: flow.edges[0]?.id, reason: expect.stringMatching(/^The connection from LLM 0 to llmAgentflow_1 leads/) },
  ])
  expect(importReport(flow, all, { kind: agentflow }).edges).toEqual([])
})

describe('content that exports omit', () => {
  test.each<[string, FlowDocument, string[]]>([
    ['nothing', oneNode(llm), []],
    ['empty values', oneNode(llm, {}, { credential: '', icon: '' }), []],
    ['editor state', oneNode(llm, {}, { icon: 'x.svg' }), ['Not exported: icon (LLM 0)']],
    [
      'secrets at every level',
      oneNode(llm, withModel(complete)),
      ['Not exported: inputs.llmModelConfig.secret (LLM 0), inputs.llmModelConfig.FLOWISE_CREDENTIAL_ID (LLM 0)'],
    ],
    ['the view', { ...oneNode(llm), viewport: { x: 1, y: 2, zoom: 1 } }, ['Not exported: viewport']],
  ])('is noted for %s', (_name, flow, notes) => {
    expect(importReport(flow, all, { kind: agentflow }).notes).toEqual(notes)
  })

  it('names at most 20 nodes', () => {
    const flow = withNodes(empty, ...Array(25).fill(llm))
    const nodes = flow.nodes.map((node) => ({ ...node, data: { ...node.data, status: 'ERROR' } }))
    expect(importReport({ ...flow, nodes }, all, { kind: agentflow }).notes[0]).toMatch(
      /^Not exported: status \(LLM 0, .*LLM 19, …\)$/,
    )
  })
})

describe('tools that wait for an approval', () => {
  const agent: ComponentDefinition = { ...llm, name: AGENT, label: 'Agent', inputs: [] }
  const tool = (requires: unknown) => ({ agentSelectedTool: 'pay', agentSelectedToolRequiresHumanInput: requires })
  const notesOf = (...agents: Record<string, unknown>[]) => {
    const flow = withNodes(empty, ...agents.map(() => agent))
    const nodes = flow.nodes.map((node, index) => ({ ...node, data: { ...node.data, inputs: agents[index] } }))
    return importReport({ ...flow, nodes }, [agent], { kind: agentflow }).notes
  }

  it('are noted once for a flow that does not say who approves', () => {
    const agents = [true, 'true', false].map((requires) => ({ agentTools: [tool(''), tool(requires)] }))
    expect(notesOf(...agents)).toEqual([
      'Tools that require human input are approved by members of the workspace, not by the caller. Change Approvers to let callers approve: Agent 0, Agent 1',
    ])
  })

  it.each<[string, Record<string, unknown>]>([
    ['the file says who approves', { agentApprovers: 'caller', agentTools: [tool(true)] }],
    ['no tool waits', { agentTools: [tool(''), tool(false), null, 'pay'] }],
    ['no tool is chosen', { agentTools: [{ agentSelectedToolRequiresHumanInput: true }] }],
    ['there are no tools', { agentTools: '' }],
  ])('are not noted if %s', (_, inputs) => expect(notesOf(inputs)).toEqual([]))
})

it('exports a file with unknown nodes unchanged', () => {
  const file = {
    description: 'Kept',
    usecases: ['Support'],
    nodes: [
      {
        id: 'magic_0',
        type: 'agentFlow',
        position: { x: 1.5, y: -2 },
        positionAbsolute: { x: 1.5, y: -2 },
        odd: { deep: [null, 0, ''] },
        data: {
          id: 'magic_0',
          label: 'Magic',
          name: 'magic',
          inputs: { spell: 'x', magicModelConfig: { credential: '', modelName: 'm' }, undefined: '' },
          spells: [{ strength: 3 }],
          outputAnchors: [{ id: 'magic_0-output-magic', odd: true }],
        },
      },
      ...exportFlow(oneNode(llm, { mystery: 1 }, { version: 0.5 }), all).nodes,
    ],
    edges: [{ id: 'e', source: 'magic_0', target: 'gone', strange: 1 }],
  }
  const opened = parseFlow(JSON.stringify(file))
  if (!opened.ok) throw new Error(opened.message)
  expect(exportFlow(serializeFlow(opened.flow), all)).toEqual(file)
  expect(importReport(opened.flow, all, { kind: agentflow }).nodes.map(({ verdict }) => verdict)).toEqual([
    'unsupported',
    'changed',
  ])
})
