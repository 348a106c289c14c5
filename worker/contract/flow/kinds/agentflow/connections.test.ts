import { describe, expect, it } from 'vitest'
import { checkConnection, createEdge } from '../../document/connect.ts'
import { empty, withParent } from '../../testing/flows.ts'
import { agentflow } from './kind.ts'
import {
  condition,
  directReply,
  humanInput,
  iteration,
  llm,
  loop,
  start,
  stickyNote,
  withEdges,
  withNodes,
} from './testing/flows.ts'

const agentFlow = withNodes(empty, start, llm, llm, condition, loop, directReply, stickyNote, humanInput)
const connection = (source: string, target: string) => ({ source, target })

describe('checkConnection', () => {
  it.each([
    ['startAgentflow_0', 'llmAgentflow_0'],
    ['llmAgentflow_0', 'loopAgentflow_0'],
    ['conditionAgentflow_0', 'directReplyAgentflow_0'],
  ])('allows %s to %s', (source, target) => {
    expect(checkConnection(agentFlow, connection(source, target), agentflow)).toEqual({ ok: true })
  })

  it.each([
    ['itself', 'llmAgentflow_0', 'llmAgentflow_0', 'A node cannot be connected to itself.'],
    ['a missing node', 'llmAgentflow_0', 'gone_0', 'One of the two nodes is no longer on the canvas.'],
    ['Start', 'llmAgentflow_0', 'startAgentflow_0', 'Start has no input.'],
    ['from Loop', 'loopAgentflow_0', 'llmAgentflow_0', 'Loop 0 has no output.'],
    ['from Direct Reply', 'directReplyAgentflow_0', 'llmAgentflow_0', 'Direct Reply 0 has no output.'],
    ['a sticky note', 'llmAgentflow_0', 'stickyNoteAgentflow_0', 'Sticky notes cannot be connected.'],
  ])('refuses %s', (_, source, target, reason) => {
    expect(checkConnection(agentFlow, connection(source, target), agentflow)).toEqual({ ok: false, reason })
  })

  it('refuses a cycle, however long', () => {
    const flow = withEdges(agentFlow, 'llmAgentflow_0 > llmAgentflow_1', 'llmAgentflow_1 > conditionAgentflow_0')
    const verdict = checkConnection(flow, connection('conditionAgentflow_0', 'llmAgentflow_0'), agentflow)
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining('cycle') })
  })

  it('refuses the same connection twice, but allows another output of the same node', () => {
    const flow = withEdges(agentFlow, 'conditionAgentflow_0:0 > llmAgentflow_0')
    const again = { source: 'conditionAgentflow_0', target: 'llmAgentflow_0' }
    const output = (index: number) => ({ ...again, sourceHandle: `conditionAgentflow_0-output-${index}` })
    expect(checkConnection(flow, again, agentflow)).toEqual({
      ok: false,
      reason: 'These two nodes are already connected.',
    })
    expect(checkConnection(flow, output(0), agentflow).ok).toBe(false)
    expect(checkConnection(flow, output(1), agentflow).ok).toBe(true)
    expect(checkConnection(flow, output(7), agentflow)).toEqual({
      ok: false,
      reason: 'Condition 0 has no such output.',
    })
    expect(checkConnection(flow, { ...output(1), targetHandle: 'x' }, agentflow)).toEqual({
      ok: false,
      reason: 'LLM 0 has no such input.',
    })
  })

  it('does not cross the border of an iteration', () => {
    const flow = withParent(withNodes(empty, iteration, llm, llm), 'llmAgentflow_0', 'iterationAgentflow_0')
    const refused = { ok: false, reason: 'A connection cannot cross the border of an iteration.' }
    expect(checkConnection(flow, connection('llmAgentflow_0', 'llmAgentflow_1'), agentflow)).toEqual(refused)
    expect(checkConnection(flow, connection('iterationAgentflow_0', 'llmAgentflow_0'), agentflow)).toEqual(refused)
    expect(checkConnection(flow, connection('iterationAgentflow_0', 'llmAgentflow_1'), agentflow).ok).toBe(true)
  })
})

describe('createEdge', () => {
  it('is what Flowise writes', () => {
    expect(
      createEdge(
        agentFlow,
        {
          source: 'humanInputAgentflow_0',
          sourceHandle: 'humanInputAgentflow_0-output-0',
          target: 'llmAgentflow_0',
          targetHandle: 'llmAgentflow_0',
        },
        agentflow,
      ),
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
    const edge = createEdge(agentFlow, { source, target: 'llmAgentflow_0', sourceHandle }, agentflow)
    expect(edge.data?.edgeLabel).toBe(label)
    expect('edgeLabel' in (edge.data ?? {})).toBe(label !== undefined)
  })

  it('lies above the iteration that holds both ends', () => {
    const flow = withParent(withParent(withNodes(empty, llm, llm), 'llmAgentflow_0', 'i'), 'llmAgentflow_1', 'i')
    expect(createEdge(flow, connection('llmAgentflow_0', 'llmAgentflow_1'), agentflow)).toMatchObject({ zIndex: 9999 })
    expect(createEdge(agentFlow, connection('startAgentflow_0', 'llmAgentflow_1'), agentflow)).not.toHaveProperty(
      'zIndex',
    )
  })
})
