import { describe, expect, it } from 'vitest'
import { createNode } from '../../document/create.ts'
import { empty } from '../../testing/flows.ts'
import { agentflow } from './kind.ts'
import { checkPlacement } from './new-nodes.ts'
import { condition, humanInput, iteration, llm, loop, start, stickyNote, withNodes } from './testing/flows.ts'

const at = { nodes: [], position: { x: 1, y: 2 } }

describe('new nodes', () => {
  it('hold what their definition declares', () => {
    const node = createNode(llm, at, agentflow)
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

  it.each([
    [start, 'Start'],
    [stickyNote, 'Sticky Note'],
    [loop, 'Loop 0'],
  ])('labels %#', (definition, label) => expect(createNode(definition, at, agentflow).data.label).toBe(label))

  it.each([
    [start, 'agentFlow'],
    [stickyNote, 'stickyNote'],
    [iteration, 'iteration'],
  ])('wraps %#', (definition, type) => expect(createNode(definition, at, agentflow).type).toBe(type))

  it('gives declared outputs numbered handles, and none to a node that hides them', () => {
    expect(createNode(condition, at, agentflow).data.outputAnchors?.map((anchor) => anchor.id)).toEqual([
      'conditionAgentflow_0-output-0',
      'conditionAgentflow_0-output-1',
    ])
    expect(createNode(loop, at, agentflow).data.outputAnchors).toEqual([])
  })

  it('gives iterations a size and children their parent', () => {
    expect(createNode(iteration, at, agentflow)).toMatchObject({
      width: 300,
      height: 250,
      style: { width: 300, height: 250 },
    })
    expect(createNode(llm, { ...at, parentNode: 'iterationAgentflow_0' }, agentflow)).toMatchObject({
      parentNode: 'iterationAgentflow_0',
      extent: 'parent',
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
