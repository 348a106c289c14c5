import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inputReference } from '../kinds/chatflow/connections.ts'
import {
  chatModel,
  condition,
  directReply,
  empty,
  humanInput,
  iteration,
  llm,
  loop,
  nodeOf,
  readTool,
  start,
  stickyNote,
  toolAgent,
  withEdges,
  withNodes,
  withParent,
  writeTool,
} from '../testing/flows.ts'
import { checkConnection, connectNodes, createEdge } from './connect.ts'
import type { FlowDocument } from './document.ts'
import { findCycle, graphOf } from './graph.ts'

const agentFlow = withNodes(empty, start, llm, llm, condition, loop, directReply, stickyNote, humanInput)
const connection = (source: string, target: string) => ({ source, target })

describe('checkConnection in agent flows', () => {
  it.each([
    ['startAgentflow_0', 'llmAgentflow_0'],
    ['llmAgentflow_0', 'loopAgentflow_0'],
    ['conditionAgentflow_0', 'directReplyAgentflow_0'],
  ])('allows %s to %s', (source, target) => {
    expect(checkConnection(agentFlow, connection(source, target))).toEqual({ ok: true })
  })

  it.each([
    ['itself', 'llmAgentflow_0', 'llmAgentflow_0', 'A node cannot be connected to itself.'],
    ['a missing node', 'llmAgentflow_0', 'gone_0', 'One of the two nodes is no longer on the canvas.'],
    ['Start', 'llmAgentflow_0', 'startAgentflow_0', 'Start has no input.'],
    ['from Loop', 'loopAgentflow_0', 'llmAgentflow_0', 'Loop 0 has no output.'],
    ['from Direct Reply', 'directReplyAgentflow_0', 'llmAgentflow_0', 'Direct Reply 0 has no output.'],
    ['a sticky note', 'llmAgentflow_0', 'stickyNoteAgentflow_0', 'Sticky notes cannot be connected.'],
  ])('refuses %s', (_, source, target, reason) => {
    expect(checkConnection(agentFlow, connection(source, target))).toEqual({ ok: false, reason })
  })

  it('refuses a cycle, however long', () => {
    const flow = withEdges(agentFlow, 'llmAgentflow_0 > llmAgentflow_1', 'llmAgentflow_1 > conditionAgentflow_0')
    const verdict = checkConnection(flow, connection('conditionAgentflow_0', 'llmAgentflow_0'))
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining('cycle') })
  })

  it('refuses the same connection twice, but allows another output of the same node', () => {
    const flow = withEdges(agentFlow, 'conditionAgentflow_0:0 > llmAgentflow_0')
    const again = { source: 'conditionAgentflow_0', target: 'llmAgentflow_0' }
    const output = (index: number) => ({ ...again, sourceHandle: `conditionAgentflow_0-output-${index}` })
    expect(checkConnection(flow, again)).toEqual({ ok: false, reason: 'These two nodes are already connected.' })
    expect(checkConnection(flow, output(0)).ok).toBe(false)
    expect(checkConnection(flow, output(1)).ok).toBe(true)
    expect(checkConnection(flow, output(7))).toEqual({ ok: false, reason: 'Condition 0 has no such output.' })
    expect(checkConnection(flow, { ...output(1), targetHandle: 'x' })).toEqual({
      ok: false,
      reason: 'LLM 0 has no such input.',
    })
  })

  it('does not cross the border of an iteration', () => {
    const flow = withParent(withNodes(empty, iteration, llm, llm), 'llmAgentflow_0', 'iterationAgentflow_0')
    const refused = { ok: false, reason: 'A connection cannot cross the border of an iteration.' }
    expect(checkConnection(flow, connection('llmAgentflow_0', 'llmAgentflow_1'))).toEqual(refused)
    expect(checkConnection(flow, connection('iterationAgentflow_0', 'llmAgentflow_0'))).toEqual(refused)
    expect(checkConnection(flow, connection('iterationAgentflow_0', 'llmAgentflow_1')).ok).toBe(true)
  })
})

describe('checkConnection in classic flows', () => {
  const flow = withNodes(empty, toolAgent, chatModel, readTool, writeTool, chatModel)
  const model = (n = 0) => ({
    source: `chatScripted_${n}`,
    sourceHandle: `chatScripted_${n}-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel`,
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-model-BaseChatModel | BaseLLM',
  })
  const tool = (name: string, type: string) => ({
    source: `${name}_0`,
    sourceHandle: `${name}_0-output-${name}-${type}|Tool`,
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-tools-Tool',
  })

  it('needs a base class in common', () => {
    expect(checkConnection(flow, model()).ok).toBe(true)
    const wrong = { ...model(), targetHandle: 'toolAgent_0-input-tools-Tool' }
    expect(checkConnection(flow, wrong)).toMatchObject({ ok: false, reason: expect.stringContaining('takes Tool') })
  })

  it('takes one connection unless the input is a list', () => {
    const one = connectNodes(flow, model())
    expect(checkConnection(one, model(1))).toMatchObject({ ok: false, reason: expect.stringContaining('only one') })
    const tools = connectNodes(flow, tool('writeFile', 'WriteFile'))
    expect(checkConnection(tools, tool('readFile', 'ReadFile')).ok).toBe(true)
  })

  it('writes the reference into the input, tools in their order', () => {
    const linked = [model(), tool('writeFile', 'WriteFile'), tool('readFile', 'ReadFile')].reduce(
      (so, link) => connectNodes(so, link),
      flow,
    )
    expect(nodeOf(linked, 'toolAgent_0').data.inputs).toMatchObject({
      model: inputReference('chatScripted_0'),
      tools: [inputReference('readFile_0'), inputReference('writeFile_0')],
    })
    expect(linked.edges[0]).toEqual({
      ...model(),
      type: 'buttonedge',
      id: 'chatScripted_0-chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel-toolAgent_0-toolAgent_0-input-model-BaseChatModel | BaseLLM',
      data: { label: '' },
    })
  })

  it('refuses a cycle and a link to itself', () => {
    const pair = withNodes(empty, toolAgent, toolAgent)
    const chain = (from: number, to: number) => ({
      source: `toolAgent_${from}`,
      sourceHandle: `toolAgent_${from}-output-toolAgent-Tool`,
      target: `toolAgent_${to}`,
      targetHandle: `toolAgent_${to}-input-tools-Tool`,
    })
    expect(checkConnection(connectNodes(pair, chain(0, 1)), chain(1, 0)).ok).toBe(false)
    expect(checkConnection(pair, chain(0, 0)).ok).toBe(false)
  })
})

describe('createEdge', () => {
  it('is what Flowise writes', () => {
    expect(
      createEdge(agentFlow, {
        source: 'humanInputAgentflow_0',
        sourceHandle: 'humanInputAgentflow_0-output-0',
        target: 'llmAgentflow_0',
        targetHandle: 'llmAgentflow_0',
      }),
    ).toEqual({
      source: 'humanInputAgentflow_0',
      sourceHandle: 'humanInputAgentflow_0-output-0',
      target: 'llmAgentflow_0',
      targetHandle: 'llmAgentflow_0',
      type: 'agentFlow',
      id: 'humanInputAgentflow_0-humanInputAgentflow_0-output-0-llmAgentflow_0-llmAgentflow_0',
      data: { sourceColor: '#6E6EFD', targetColor: '#64B5F6', edgeLabel: 'proceed', isHumanInput: true },
    })
  })

  it.each([
    ['humanInputAgentflow_0', 1, 'reject'],
    ['conditionAgentflow_0', 1, '1'],
    ['llmAgentflow_1', undefined, undefined],
  ])('labels the edge of %s:%s', (source, index, label) => {
    const sourceHandle = index === undefined ? undefined : `${source}-output-${index}`
    const edge = createEdge(agentFlow, { source, target: 'llmAgentflow_0', sourceHandle })
    expect(edge.data?.edgeLabel).toBe(label)
    expect('edgeLabel' in (edge.data ?? {})).toBe(label !== undefined)
  })

  it('lies above the iteration that holds both ends', () => {
    const flow = withParent(withParent(withNodes(empty, llm, llm), 'llmAgentflow_0', 'i'), 'llmAgentflow_1', 'i')
    expect(createEdge(flow, connection('llmAgentflow_0', 'llmAgentflow_1'))).toMatchObject({ zIndex: 9999 })
    expect(createEdge(agentFlow, connection('startAgentflow_0', 'llmAgentflow_1'))).not.toHaveProperty('zIndex')
  })
})

it('never allows a cycle to come about', () => {
  const ids = agentFlow.nodes.map((node) => node.id)
  const end = fc.constantFrom(...ids)
  fc.assert(
    fc.property(fc.array(fc.record({ source: end, target: end }), { maxLength: 40 }), (wanted) => {
      const flow = wanted.reduce<FlowDocument>(
        (so, one) => (checkConnection(so, one).ok ? connectNodes(so, one) : so),
        agentFlow,
      )
      expect(findCycle(graphOf(flow))).toBeUndefined()
    }),
  )
})
