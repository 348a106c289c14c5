import { describe, expect, it } from 'vitest'
import {
  chatModel,
  condition,
  empty,
  http,
  humanInput,
  iteration,
  llm,
  loop,
  start,
  stickyNote,
  toolAgent,
  withNodes,
} from '../testing/flows.ts'
import { checkPlacement, createNode } from './create.ts'
import { nextNodeId } from './ids.ts'

const at = { nodes: [], position: { x: 1, y: 2 } }

describe('nextNodeId', () => {
  it.each([
    [[], 'llm_0'],
    [['llm_0', 'llm_1'], 'llm_2'],
    [['llm_1'], 'llm_0'],
    [['agent_0'], 'llm_0'],
  ])('with %j there gives %s', (ids, expected) => {
    expect(
      nextNodeId(
        'llm',
        ids.map((id) => ({ id })),
      ),
    ).toBe(expected)
  })
})

describe('createNode', () => {
  it('is a whole agent-flow node', () => {
    const node = createNode(llm, at)
    expect(node).toMatchObject({ id: 'llmAgentflow_0', type: 'agentFlow', position: { x: 1, y: 2 }, selected: false })
    expect(node.data).toMatchObject({
      id: 'llmAgentflow_0',
      label: 'LLM 0',
      name: 'llmAgentflow',
      version: 1.1,
      color: '#64B5F6',
      inputAnchors: [],
      outputAnchors: [{ id: 'llmAgentflow_0-output-llmAgentflow', label: 'LLM', name: 'llmAgentflow' }],
      outputs: {},
    })
    expect(node.data).not.toHaveProperty('credential')
    expect(node.data.inputParams?.[3]).toMatchObject({
      id: 'llmAgentflow_0-input-llmMemoryType-options',
      display: false,
    })
  })

  it('keeps false and 0 as defaults, and fills in the empty text for none', () => {
    expect(createNode(llm, at).data.inputs).toMatchObject({ llmEnableMemory: false, llmRetries: 0, llmModel: '' })
  })

  it('gives each node its own defaults', () => {
    const [a, b] = [createNode(condition, at), createNode(condition, at)]
    expect(a.data.inputs?.conditions).toEqual(b.data.inputs?.conditions)
    expect(a.data.inputs?.conditions).not.toBe(b.data.inputs?.conditions)
  })

  it('puts the credential first', () => {
    const { data } = createNode(http, at)
    expect(data.inputParams?.[0]).toMatchObject({
      name: 'credential',
      type: 'credential',
      id: 'httpAgentflow_0-input-credential-credential',
      display: true,
    })
    expect(data).toMatchObject({ credential: '', inputs: { body: 'text' } })
  })

  it.each([
    [start, 'Start'],
    [stickyNote, 'Sticky Note'],
    [loop, 'Loop 0'],
    [toolAgent, 'Tool Agent'],
  ])('labels %#', (definition, label) => expect(createNode(definition, at).data.label).toBe(label))

  it.each([
    [start, 'agentFlow'],
    [stickyNote, 'stickyNote'],
    [iteration, 'iteration'],
    [toolAgent, 'customNode'],
  ])('wraps %#', (definition, type) => expect(createNode(definition, at).type).toBe(type))

  it('gives declared outputs numbered handles, and none to a node that hides them', () => {
    expect(createNode(condition, at).data.outputAnchors?.map((anchor) => anchor.id)).toEqual([
      'conditionAgentflow_0-output-0',
      'conditionAgentflow_0-output-1',
    ])
    expect(createNode(loop, at).data.outputAnchors).toEqual([])
  })

  it('gives iterations a size and children their parent', () => {
    expect(createNode(iteration, at)).toMatchObject({ width: 300, height: 250, style: { width: 300, height: 250 } })
    expect(createNode(llm, { ...at, parentNode: 'iterationAgentflow_0' })).toMatchObject({
      parentNode: 'iterationAgentflow_0',
      extent: 'parent',
    })
  })

  it('splits classic inputs into parameters and anchors', () => {
    const { data } = createNode(toolAgent, at)
    expect(data.inputAnchors?.map((anchor) => anchor.id)).toEqual([
      'toolAgent_0-input-tools-Tool',
      'toolAgent_0-input-model-BaseChatModel | BaseLLM',
    ])
    expect(data.inputParams?.map((param) => param.name)).toEqual(['systemMessage'])
    expect(createNode(chatModel, at).data.outputAnchors?.[0]).toMatchObject({
      id: 'chatScripted_0-output-chatScripted-ChatScripted|BaseChatModel|BaseLanguageModel',
      type: 'ChatScripted | BaseChatModel | BaseLanguageModel',
    })
  })
})

describe('checkPlacement', () => {
  it('allows one Start', () => {
    expect(checkPlacement(empty, start).ok).toBe(true)
    expect(checkPlacement(withNodes(empty, start), start)).toEqual({
      ok: false,
      reason: 'Only one Start node is allowed.',
    })
  })
  it.each([iteration, start])('refuses $label in iterations', (component) => {
    expect(checkPlacement(empty, component, 'iterationAgentflow_0').ok).toBe(false)
  })
  it.each([llm, humanInput, loop])('allows $label in iterations', (component) => {
    expect(checkPlacement(empty, component, 'iterationAgentflow_0').ok).toBe(true)
  })
})
