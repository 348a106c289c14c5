import { describe, expect, it } from 'vitest'
import { agentflow } from '../kinds/agentflow/kind.ts'
import { condition, llm, start, withEdges, withNodes } from '../kinds/agentflow/testing/flows.ts'
import { empty } from '../testing/flows.ts'
import type { FlowEdge } from './document.ts'
import { orphanedEdges } from './orphans.ts'

const nodes = withNodes(empty, start, llm, condition).nodes
const edge = (more: Partial<FlowEdge>): FlowEdge => ({
  id: 'e',
  source: 'startAgentflow_0',
  sourceHandle: `startAgentflow_0-output-${start.name}`,
  target: 'llmAgentflow_0',
  targetHandle: 'llmAgentflow_0',
  ...more,
})
describe('orphanedEdges', () => {
  it.each<[string, FlowEdge, boolean]>([
    ['a valid edge', edge({}), false],
    ['a missing source', edge({ source: 'gone_0' }), true],
    ['a missing target', edge({ target: 'gone_0', targetHandle: 'gone_0' }), true],
    ['a handle of another node', edge({ targetHandle: 'llmAgentflow_1' }), true],
    ['an output of another node', edge({ sourceHandle: `llmAgentflow_0-output-${llm.name}` }), true],
    ['no handles', edge({ sourceHandle: null, targetHandle: null }), true],
    ['a removed output', edge({ source: 'conditionAgentflow_0', sourceHandle: 'conditionAgentflow_0-output-5' }), true],
    ['a node without input', edge({ target: 'startAgentflow_0', targetHandle: 'startAgentflow_0' }), true],
  ])('decides whether an edge is orphaned: %s', (_, one, orphaned) =>
    expect(orphanedEdges({ nodes, edges: [one] }, agentflow)).toEqual(orphaned ? [one] : []),
  )

  it('finds none among new edges', () => {
    expect(
      orphanedEdges(
        withEdges(
          { nodes, edges: [] },
          'startAgentflow_0 > conditionAgentflow_0',
          'conditionAgentflow_0:1 > llmAgentflow_0',
        ),
        agentflow,
      ),
    ).toEqual([])
  })
})
