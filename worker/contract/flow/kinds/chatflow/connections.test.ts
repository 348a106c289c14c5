import { describe, expect, it } from 'vitest'
import { checkConnection, connectNodes } from '../../document/connect.ts'
import { createNode } from '../../document/create.ts'
import type { FlowEdge } from '../../document/document.ts'
import { orphanedEdges } from '../../document/orphans.ts'
import { removeEdges, removeNodes } from '../../document/remove.ts'
import { variableSuggestions } from '../../references/suggestions.ts'
import { empty, nodeOf } from '../../testing/flows.ts'
import { inputReference } from './connections.ts'
import { chatflow } from './kind.ts'
import { chatModel, readTool, toolAgent, withNodes, writeTool } from './testing/flows.ts'

describe('new nodes of chat flows', () => {
  const at = { nodes: [], position: { x: 1, y: 2 } }

  it('splits inputs into parameters and anchors', () => {
    const { data } = createNode(toolAgent, at, chatflow)
    expect(data.inputAnchors?.map((anchor) => anchor.id)).toEqual([
      'toolAgent_0-input-tools-Tool',
      'toolAgent_0-input-model-BaseChatModel | BaseLLM',
    ])
    expect(data.inputParams?.map((param) => param.name)).toEqual(['systemMessage', 'maxIterations'])
    expect(createNode(chatModel, at, chatflow).data.outputAnchors?.[0]).toMatchObject({
      id: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
      type: 'ChatScripted | BaseChatModel | BaseLanguageModel',
    })
  })

  it('keep the label of their component', () => {
    expect(createNode(toolAgent, at, chatflow)).toMatchObject({ type: 'customNode', data: { label: 'Tool Agent' } })
  })
})

describe('checkConnection', () => {
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
    expect(checkConnection(flow, model(), chatflow).ok).toBe(true)
    const wrong = { ...model(), targetHandle: 'toolAgent_0-input-tools-Tool' }
    expect(checkConnection(flow, wrong, chatflow)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('takes Tool'),
    })
  })

  it('takes one connection unless the input is a list', () => {
    const one = connectNodes(flow, model(), chatflow)
    expect(checkConnection(one, model(1), chatflow)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('only one'),
    })
    const tools = connectNodes(flow, tool('writeFile', 'WriteFile'), chatflow)
    expect(checkConnection(tools, tool('readFile', 'ReadFile'), chatflow).ok).toBe(true)
  })

  it('writes the reference into the input, tools in their order', () => {
    const linked = [model(), tool('writeFile', 'WriteFile'), tool('readFile', 'ReadFile')].reduce(
      (so, link) => connectNodes(so, link, chatflow),
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
    expect(checkConnection(connectNodes(pair, chain(0, 1), chatflow), chain(1, 0), chatflow).ok).toBe(false)
    expect(checkConnection(pair, chain(0, 0), chatflow).ok).toBe(false)
  })
})

const toolFlow = [
  {
    source: 'chatScripted_0',
    sourceHandle: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-model-BaseChatModel | BaseLLM',
  },
  {
    source: 'readFile_0',
    sourceHandle: 'readFile_0-output-readFile-ReadFile|Tool',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-tools-Tool',
  },
  {
    source: 'writeFile_0',
    sourceHandle: 'writeFile_0-output-writeFile-WriteFile|Tool',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-tools-Tool',
  },
].reduce((so, link) => connectNodes(so, link, chatflow), withNodes(empty, toolAgent, chatModel, readTool, writeTool))

describe('links', () => {
  it.each([
    ['the node', removeNodes(toolFlow, ['chatScripted_0'], chatflow)],
    ['the edge', removeEdges(toolFlow, [toolFlow.edges[0]?.id ?? ''], chatflow)],
  ])('become empty without %s', (_, left) => {
    expect(nodeOf(left, 'toolAgent_0').data.inputs).toMatchObject({
      model: '',
      tools: ['{{readFile_0.data.instance}}', '{{writeFile_0.data.instance}}'],
    })
    expect(left.edges).toHaveLength(2)
  })
  it('leave a list', () => {
    const left = removeNodes(toolFlow, ['readFile_0'], chatflow)
    expect(nodeOf(left, 'toolAgent_0').data.inputs?.tools).toEqual(['{{writeFile_0.data.instance}}'])
  })
})

describe('orphanedEdges in chat flows', () => {
  const { nodes } = withNodes(empty, toolAgent, chatModel)
  const link = (more: Partial<FlowEdge>): FlowEdge => ({
    id: 'l',
    source: 'chatScripted_0',
    sourceHandle: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
    target: 'toolAgent_0',
    targetHandle: 'toolAgent_0-input-model-BaseChatModel | BaseLLM',
    ...more,
  })

  it.each<[string, FlowEdge, boolean]>([
    ['a good link', link({}), false],
    [
      'a link whose types have changed',
      link({ sourceHandle: 'chatScripted_0-output-chatScripted-Other|Types' }),
      false,
    ],
    [
      'a link to a parameter that accepts variables',
      link({ targetHandle: 'toolAgent_0-input-systemMessage-string' }),
      false,
    ],
    ['a link to a parameter that accepts none', link({ targetHandle: 'toolAgent_0-input-maxIterations-number' }), true],
    ['an input that is no more', link({ targetHandle: 'toolAgent_0-input-memory-BaseMemory' }), true],
    ['an output that is no more', link({ sourceHandle: 'chatScripted_0-output-other-ChatScripted' }), true],
  ])('judges %s', (_, one, orphaned) => {
    expect(orphanedEdges({ nodes, edges: [one] }, chatflow)).toEqual(orphaned ? [one] : [])
  })
})

it('text of a chat flow is offered the answers of connected nodes, and what a chat has', () => {
  const flow = connectNodes(
    withNodes(empty, toolAgent, chatModel, readTool),
    {
      source: 'chatScripted_0',
      sourceHandle: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
      target: 'toolAgent_0',
      targetHandle: 'toolAgent_0-input-model-BaseChatModel | BaseLLM',
    },
    chatflow,
  )
  expect(variableSuggestions(flow, 'toolAgent_0', { kind: chatflow }).map(({ id }) => id)).toEqual([
    'question',
    'chat_history',
    'file_attachment',
    'chatScripted_0.data.instance',
    '$flow.sessionId',
    '$flow.chatId',
    '$flow.chatflowId',
  ])
})
