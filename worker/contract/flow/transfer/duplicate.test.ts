import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectNodes } from '../document/connect.ts'
import type { FlowDocument } from '../document/document.ts'
import { orphanedEdges } from '../document/orphans.ts'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { loopBackValue } from '../kinds/agentflow/loop.ts'
import {
  condition,
  http,
  iteration,
  llm,
  loop,
  start,
  stickyNote,
  withEdges,
  withNodes,
} from '../kinds/agentflow/testing/flows.ts'
import { chatflow } from '../kinds/chatflow/kind.ts'
import { chatModel, toolAgent, withNodes as withChatNodes } from '../kinds/chatflow/testing/flows.ts'
import type { FlowKind } from '../kinds/types.ts'
import { errorHandleId } from '../params/run-policy.ts'
import { setRunPolicy } from '../params/set-run-policy.ts'
import { empty, nodeOf, withInputs, withParent } from '../testing/flows.ts'
import { copyToClipboard, duplicateNode, pasteNodes } from './duplicate.ts'

function duplicated(flow: FlowDocument, id: string, kind: FlowKind = agentflow) {
  const result = duplicateNode(flow, id, kind)
  if (!result.ok) throw new Error(result.reason)
  return { flow: result.flow, copy: nodeOf(result.flow, result.nodeId) }
}

const renamed = (flow: FlowDocument, id: string, label: string): FlowDocument => ({
  ...flow,
  nodes: flow.nodes.map((node) => (node.id === id ? { ...node, data: { ...node.data, label } } : node)),
})

describe('duplicateNode', () => {
  it('puts the copy 50 px beside the original with new ids', () => {
    const flow = withNodes(empty, start, llm, condition)
    const { flow: after, copy } = duplicated(flow, 'conditionAgentflow_0')
    expect(copy).toMatchObject({
      id: 'conditionAgentflow_1',
      position: { x: 600 + 200 + 50, y: 0 },
      data: { id: 'conditionAgentflow_1' },
    })
    expect(copy.data.outputAnchors?.map((anchor) => anchor.id)).toEqual([
      'conditionAgentflow_1-output-0',
      'conditionAgentflow_1-output-1',
    ])
    expect(copy.data.inputParams?.map((param) => param.id)).toEqual(['conditionAgentflow_1-input-conditions-array'])
    expect(after.nodes).toHaveLength(4)
    expect(JSON.stringify(nodeOf(after, 'conditionAgentflow_0'))).toBe(
      JSON.stringify(nodeOf(flow, 'conditionAgentflow_0')),
    )
  })

  it.each([
    ['LLM 0', 'LLM 1'],
    ['Translator', 'Translator 1'],
    ['GPT 4', 'GPT 4 1'],
  ])('suffixes %s with the new number: %s', (label, expected) => {
    expect(duplicated(renamed(withNodes(empty, llm), 'llmAgentflow_0', label), 'llmAgentflow_0').copy.data.label).toBe(
      expected,
    )
  })

  it('shows the number in brackets on nodes of chat flows and none on sticky notes', () => {
    expect(duplicated(withChatNodes(empty, toolAgent), 'toolAgent_0', chatflow).copy.data.label).toBe('Tool Agent (1)')
    expect(duplicated(withNodes(empty, stickyNote), 'stickyNoteAgentflow_0').copy.data.label).toBe('Sticky Note')
  })

  it('drops inputs that are a reference to another node and keeps all others', () => {
    const inputs = {
      llmModel: '{{llmAgentflow_1}}',
      llmMessages: [
        { role: 'user', content: '<p>{{ llmAgentflow_1.output.a }}</p>' },
        { role: 'system', content: 'Hi {{question}}' },
      ],
      llmUserMessage: '{{question}}',
      llmRetries: 0,
    }
    const { copy } = duplicated(withInputs(withNodes(empty, llm, llm), 'llmAgentflow_0', inputs), 'llmAgentflow_0')
    expect(copy.data.inputs).toMatchObject({
      llmModel: '',
      llmMessages: [
        { role: 'user', content: '' },
        { role: 'system', content: 'Hi {{question}}' },
      ],
      llmUserMessage: '{{question}}',
      llmRetries: 0,
    })
  })

  it('drops links of chat flows, in lists too', () => {
    const inputs = {
      model: '{{chatScripted_0.data.instance}}',
      tools: ['{{chatScripted_0.data.instance}}'],
      systemMessage: 'x',
    }
    const { copy } = duplicated(
      withInputs(withChatNodes(empty, toolAgent, chatModel), 'toolAgent_0', inputs),
      'toolAgent_0',
      chatflow,
    )
    expect(copy.data.inputs).toEqual({ model: '', tools: [], systemMessage: 'x', maxIterations: '' })
  })

  it('drops the target of a loop', () => {
    const flow = withNodes(empty, llm, loop)
    const looping = withInputs(flow, 'loopAgentflow_0', {
      loopBackToNode: loopBackValue(nodeOf(flow, 'llmAgentflow_0')),
    })
    expect(duplicated(looping, 'loopAgentflow_0').copy.data.inputs?.loopBackToNode).toBe('')
  })

  it('keeps the credential and drops traces of the last run', () => {
    const flow = withNodes(empty, http)
    const [node] = flow.nodes
    const used = {
      ...flow,
      nodes: [{ ...node, data: { ...node?.data, credential: 'c1', status: 'FINISHED' } }],
    } as FlowDocument
    const { copy } = duplicated(used, 'httpAgentflow_0')
    expect(copy.data.credential).toBe('c1')
    expect(copy.data).not.toHaveProperty('status')
  })

  it('never creates a second Start node', () => {
    expect(duplicateNode(withNodes(empty, start), 'startAgentflow_0', agentflow)).toEqual({
      ok: false,
      reason: 'Only one Start node is allowed.',
    })
    expect(duplicateNode(empty, 'gone_0', agentflow).ok).toBe(false)
  })

  it('copies an iteration with its content', () => {
    let flow = withParent(
      withParent(withNodes(empty, iteration, llm, llm), 'llmAgentflow_0', 'iterationAgentflow_0'),
      'llmAgentflow_1',
      'iterationAgentflow_0',
    )
    flow = withEdges(flow, 'llmAgentflow_0 > llmAgentflow_1')
    flow = withInputs(flow, 'llmAgentflow_1', { llmModel: '{{llmAgentflow_0}}' })
    const { flow: after } = duplicated(flow, 'iterationAgentflow_0')
    expect(nodeOf(after, 'llmAgentflow_3')).toMatchObject({
      parentNode: 'iterationAgentflow_1',
      data: { inputs: { llmModel: '{{llmAgentflow_2}}' } },
    })
    expect(after.edges[1]).toMatchObject({
      source: 'llmAgentflow_2',
      target: 'llmAgentflow_3',
      sourceHandle: `llmAgentflow_2-output-${llm.name}`,
      targetHandle: 'llmAgentflow_3',
      id: 'llmAgentflow_2-llmAgentflow_2-output-llmAgentflow-llmAgentflow_3-llmAgentflow_3',
    })
  })
})

describe('pasteNodes', () => {
  it('keeps the group together, with its edges and references', () => {
    let flow = withEdges(
      withNodes(empty, start, llm, llm, loop),
      'startAgentflow_0 > llmAgentflow_0',
      'llmAgentflow_0 > llmAgentflow_1',
      'llmAgentflow_1 > loopAgentflow_0',
    )
    flow = withInputs(flow, 'llmAgentflow_1', {
      llmUserMessage: 'Use {{ llmAgentflow_0.output.x }} and {{startAgentflow_0}}',
    })
    flow = withInputs(flow, 'loopAgentflow_0', { loopBackToNode: loopBackValue(nodeOf(flow, 'llmAgentflow_0')) })
    const pasted = pasteNodes(
      flow,
      copyToClipboard(
        flow,
        flow.nodes.map((node) => node.id),
      ),
      { kind: agentflow, position: { x: 1000, y: 500 } },
    )
    expect(pasted.ids).toEqual(['llmAgentflow_2', 'llmAgentflow_3', 'loopAgentflow_1'])
    expect(pasted.ids.map((id) => nodeOf(pasted.flow, id).position)).toEqual([
      { x: 1000, y: 500 },
      { x: 1300, y: 500 },
      { x: 1600, y: 500 },
    ])
    expect(nodeOf(pasted.flow, 'llmAgentflow_3').data.inputs?.llmUserMessage).toBe(
      'Use {{ llmAgentflow_2.output.x }} and {{startAgentflow_0}}',
    )
    expect(nodeOf(pasted.flow, 'loopAgentflow_1').data.inputs?.loopBackToNode).toBe('llmAgentflow_2-LLM 2')
    expect(pasted.flow.edges.slice(3).map((edge) => [edge.source, edge.target])).toEqual([
      ['llmAgentflow_2', 'llmAgentflow_3'],
      ['llmAgentflow_3', 'loopAgentflow_1'],
    ])
  })

  it('moves a node out of an iteration that is not copied', () => {
    const flow = withParent(withNodes(empty, llm, iteration), 'llmAgentflow_0', 'iterationAgentflow_0')
    const { nodes } = copyToClipboard(flow, ['llmAgentflow_0'])
    expect(nodes[0]).toMatchObject({ position: { x: 300, y: 0 } })
    expect(nodes[0]).not.toHaveProperty('parentNode')
    expect(nodes[0]).not.toHaveProperty('extent')
  })

  it('pastes into an empty flow unchanged, including Start', () => {
    const flow = withEdges(withNodes(empty, start, llm), 'startAgentflow_0 > llmAgentflow_0')
    const pasted = pasteNodes(empty, copyToClipboard(flow, ['startAgentflow_0', 'llmAgentflow_0']), {
      kind: agentflow,
      position: { x: 0, y: 0 },
    })
    expect(pasted.flow.edges).toEqual(flow.edges)
    expect(pasted.flow.nodes.map((node) => node.data.label)).toEqual(['Start', 'LLM 0'])
  })
})

it('copies an error branch with its target', () => {
  const failing = setRunPolicy(withNodes(empty, llm, llm), 'llmAgentflow_0', {
    change: { onError: 'branch' },
    kind: agentflow,
  })
  const flow = connectNodes(
    failing,
    {
      source: 'llmAgentflow_0',
      sourceHandle: errorHandleId('llmAgentflow_0'),
      target: 'llmAgentflow_1',
    },
    agentflow,
  )
  const pasted = pasteNodes(flow, copyToClipboard(flow, ['llmAgentflow_0', 'llmAgentflow_1']), {
    kind: agentflow,
    position: { x: 0, y: 0 },
  })
  expect(pasted.flow.edges.at(-1)).toMatchObject({
    source: 'llmAgentflow_2',
    sourceHandle: errorHandleId('llmAgentflow_2'),
    target: 'llmAgentflow_3',
  })
  expect(orphanedEdges(pasted.flow, agentflow)).toEqual([])
})

it('gives every copy an id of its own and loses no edge', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 20 }), fc.array(fc.nat(30)), (steps, chosen) => {
      let flow: FlowDocument = withEdges(
        withNodes(empty, start, llm, condition, http),
        'startAgentflow_0 > llmAgentflow_0',
        'llmAgentflow_0 > conditionAgentflow_0',
        'conditionAgentflow_0:1 > httpAgentflow_0',
      )
      const at = (index: number) => flow.nodes[index % flow.nodes.length]?.id as string
      for (const step of steps) {
        const result = duplicateNode(flow, at(step), agentflow)
        if (result.ok) flow = result.flow
      }
      const clipboard = copyToClipboard(flow, chosen.map(at))
      const { flow: after } = pasteNodes(flow, clipboard, { kind: agentflow, position: { x: 0, y: 0 } })
      expect(new Set(after.nodes.map((node) => node.id)).size).toBe(after.nodes.length)
      expect(after.nodes.filter((node) => node.data.name === start.name)).toHaveLength(1)
      expect(orphanedEdges(after, agentflow)).toEqual([])
    }),
  )
})
