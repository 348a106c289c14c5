import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { removeNodes } from '../document/remove.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { condition, iteration, llm, start, stickyNote, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { chatModel } from '../kinds/chatflow/testing/flows.ts'
import { setRunPolicy } from '../params/set-run-policy.ts'
import { components } from '../testing/components.ts'
import { empty, nodeOf, withInputs, withParent } from '../testing/flows.ts'
import { diffFlows } from './diff.ts'
import type { Change } from './diff-node.ts'

const LLM = 'llmAgentflow_0'
const model = {
  llmModel: chatModel.name,
  llmModelConfig: { modelName: 'small', secret: 'sk-old-secret', FLOWISE_CREDENTIAL_ID: 'credential-one' },
}
const flow = withInputs(
  withEdges(
    withNodes(empty, start, llm, llm, condition, iteration, stickyNote),
    `startAgentflow_0 > ${LLM}`,
    `${LLM} > conditionAgentflow_0`,
  ),
  LLM,
  model,
)
const changed = (id: string, change: (node: FlowNode) => Partial<FlowNode>): FlowDocument => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? { ...node, ...change(node) } : node)),
})
const withData = (id: string, data: object) => changed(id, (node) => ({ data: { ...node.data, ...data } }))
const settings = (change: object) =>
  withInputs(flow, LLM, { ...model, llmModelConfig: { ...model.llmModelConfig, ...change } })

const diff = (before: FlowDocument, after: FlowDocument) => diffFlows(before, after, { components, kind: agentflow })
const changesOf = (after: FlowDocument): Change[] => {
  const { nodes, edges } = diff(flow, after)
  expect(edges).toEqual([])
  expect(nodes.length).toBeLessThan(2)
  return nodes[0]?.changes ?? []
}

describe('the changes of a node', () => {
  it.each<[string, FlowDocument, Change[]]>([
    ['nothing', flow, []],
    [
      'its name',
      withData(LLM, { label: 'Writer' }),
      [{ kind: 'label', name: 'label', label: 'Name', before: 'LLM 0', after: 'Writer' }],
    ],
    [
      'an input',
      withInputs(flow, LLM, { llmRetries: 3 }),
      [{ kind: 'input', name: 'llmRetries', label: 'Retries', before: 0, after: 3 }],
    ],
    ['a new empty input', withInputs(flow, LLM, { llmMessages: [], unknown: '<p></p>' }), []],
    [
      'an unknown input',
      withInputs(flow, LLM, { unknown: 'x' }),
      [{ kind: 'input', name: 'unknown', label: 'unknown', before: undefined, after: 'x' }],
    ],
    [
      'a setting of the model',
      settings({ modelName: 'large' }),
      [
        {
          kind: 'input',
          name: 'llmModel.modelName',
          label: 'Model: Model name',
          before: 'small',
          after: 'large',
        },
      ],
    ],
    [
      'a secret of the model',
      settings({ secret: 'sk-new-secret' }),
      [{ kind: 'input', name: 'llmModel.secret', label: 'Model: Secret', isSecret: true }],
    ],
    [
      "the model's credential",
      settings({ FLOWISE_CREDENTIAL_ID: 'credential-two' }),
      [
        {
          kind: 'credential',
          name: 'llmModel.FLOWISE_CREDENTIAL_ID',
          label: 'Model: Credential',
          isSecret: true,
        },
      ],
    ],
    [
      'the order of keys',
      withInputs(flow, LLM, { llmModelConfig: Object.fromEntries(Object.entries(model.llmModelConfig).toReversed()) }),
      [],
    ],
    [
      'its own credential',
      withData(LLM, { credential: 'credential-three' }),
      [{ kind: 'credential', name: 'credential', label: 'Credential', isSecret: true }],
    ],
    [
      'how it runs',
      setRunPolicy(flow, LLM, { change: { retries: 2, onError: 'branch' }, kind: agentflow }),
      [
        { kind: 'policy', name: 'retries', label: 'Retries', before: 0, after: 2 },
        { kind: 'policy', name: 'onError', label: 'When it fails', before: 'stop', after: 'branch' },
      ],
    ],
    [
      'its place',
      changed(LLM, () => ({ position: { x: 5.4, y: 9 } })),
      [{ kind: 'position', name: 'position', label: 'Position', before: { x: 300, y: 0 }, after: { x: 5, y: 9 } }],
    ],
    ['less than a pixel', changed(LLM, () => ({ position: { x: 300.4, y: -0.2 } })), []],
    [
      'its container',
      withParent(flow, LLM, 'iterationAgentflow_0'),
      [{ kind: 'container', name: 'container', label: 'Inside', before: undefined, after: 'Iteration 0' }],
    ],
    [
      "a container's size",
      changed('iterationAgentflow_0', () => ({ width: 600 })),
      [
        {
          kind: 'size',
          name: 'size',
          label: 'Size',
          before: { width: 300, height: 250 },
          after: { width: 600, height: 250 },
        },
      ],
    ],
    ['the size of a node with automatic size', changed(LLM, () => ({ width: 260 })), []],
    ['editor state', changed(LLM, (node) => ({ selected: true, data: { ...node.data, color: '#000' } })), []],
    [
      'its version',
      withData(LLM, { version: 2 }),
      [{ kind: 'version', name: 'version', label: 'Version', before: 1.1, after: 2 }],
    ],
  ])('are listed for %s', (_, after, changes) => expect(changesOf(after)).toEqual(changes))

  it('contain no secrets', () => {
    const bare = withInputs(flow, LLM, { llmModel: '', llmModelConfig: '' })
    const versions = [flow, bare, settings({ secret: 'sk-new-secret' }), settings({ FLOWISE_CREDENTIAL_ID: 'other' })]
    for (const before of versions) {
      for (const after of versions) {
        const told = JSON.stringify(diff(before, after).nodes)
        for (const secret of ['sk-old', 'sk-new', 'credential-one']) expect(told).not.toContain(secret)
      }
    }
    expect(diff(bare, flow).nodes[0]?.changes.map(({ label }) => label)).toEqual(['Model', 'Model: settings'])
  })
})

describe('added and removed nodes and edges', () => {
  const without = removeNodes(flow, [LLM], agentflow)

  it('are listed by name', () => {
    expect(diff(flow, without)).toMatchObject({
      nodes: [{ nodeId: LLM, label: 'LLM 0', mark: 'removed', changes: [] }],
      edges: [
        { label: 'Start → LLM 0', mark: 'removed', source: 'startAgentflow_0', target: LLM },
        { label: 'LLM 0 → Condition 0', mark: 'removed' },
      ],
    })
    expect(diff(without, flow).nodes).toEqual([{ nodeId: LLM, label: 'LLM 0', mark: 'added', changes: [] }])
    expect(diff(without, flow).edges.map(({ mark }) => mark)).toEqual(['added', 'added'])
  })

  it('are kept in the merged document, with a mark', () => {
    const { merged, marks } = diff(flow, without)
    expect(merged.nodes.map(({ id }) => id).toSorted()).toEqual(flow.nodes.map(({ id }) => id).toSorted())
    expect(nodeOf(merged, LLM)).toEqual(nodeOf(flow, LLM))
    expect(marks.get(LLM)).toBe('removed')
    expect(merged.edges.map(({ id }) => marks.get(id))).toEqual(['removed', 'removed'])
  })

  it('are found by the ends of an edge, not by its id', () => {
    const [first, second] = flow.edges
    if (!first || !second) throw new Error('The flow has two edges')
    expect(diff(flow, { ...flow, edges: [{ ...first, id: 'other' }, second] })).toMatchObject({ nodes: [], edges: [] })
    const elsewhere = { ...first, target: 'llmAgentflow_1', targetHandle: 'llmAgentflow_1' }
    const { edges, merged } = diff(flow, { ...flow, edges: [elsewhere, second] })
    expect(edges.map(({ mark, label }) => `${mark} ${label}`)).toEqual(['added Start → LLM 1', 'removed Start → LLM 0'])
    expect(new Set(merged.edges.map(({ id }) => id)).size).toBe(3)
  })
})

describe('the diff of any two flows', () => {
  const kinds = fc.array(fc.constantFrom(llm, condition, iteration, stickyNote), { maxLength: 8 })
  const place = fc.record({ x: fc.integer(), y: fc.integer() })
  const end = fc.constantFrom('llmAgentflow_0', 'llmAgentflow_1', 'conditionAgentflow_0', 'iterationAgentflow_0')
  const anyFlow = fc
    .record({ kinds, places: fc.array(place, { minLength: 8, maxLength: 8 }), wanted: fc.array(fc.tuple(end, end)) })
    .map(({ kinds: definitions, places, wanted }) => {
      const made = withNodes(empty, ...definitions)
      const ids = new Set(made.nodes.map(({ id }) => id))
      const nodes = made.nodes.map((node, index) => ({ ...node, position: places[index] ?? node.position }))
      const edges = wanted.filter(([source, target]) => ids.has(source) && ids.has(target))
      return withEdges({ ...made, nodes }, ...new Set(edges.map(([source, target]) => `${source} > ${target}`)))
    })
  const marked = (list: readonly { mark: string }[], mark: string) => list.filter((one) => one.mark === mark).length

  it('finds no difference between a flow and itself', () => {
    fc.assert(
      fc.property(anyFlow, (one) => {
        const { nodes, edges, merged, marks } = diff(one, structuredClone(one))
        expect({ nodes, edges, marks: marks.size }).toEqual({ nodes: [], edges: [], marks: 0 })
        expect(merged).toEqual(one)
      }),
    )
  })

  it('turns the earlier flow into the later one by its changes', () => {
    fc.assert(
      fc.property(anyFlow, anyFlow, (before, after) => {
        const { nodes, edges, merged, marks } = diff(before, after)
        expect(after.nodes.length).toBe(before.nodes.length + marked(nodes, 'added') - marked(nodes, 'removed'))
        expect(after.edges.length).toBe(before.edges.length + marked(edges, 'added') - marked(edges, 'removed'))
        expect(merged.nodes.filter(({ id }) => marks.get(id) !== 'removed')).toEqual(after.nodes)
        expect(merged.edges.filter(({ id }) => marks.get(id) !== 'removed')).toEqual(after.edges)
        expect(marks.size).toBe(nodes.length + edges.length)
        const back = diff(after, before)
        expect([marked(back.nodes, 'added'), marked(back.nodes, 'changed'), marked(back.edges, 'added')]).toEqual([
          marked(nodes, 'removed'),
          marked(nodes, 'changed'),
          marked(edges, 'removed'),
        ])
      }),
    )
  })
})
