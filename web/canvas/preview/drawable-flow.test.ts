import { expect, it } from 'vitest'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import { agentflowKind } from '../../canvas/kinds/agentflow/index.ts'
import { viewEdges } from '../../canvas/surface/to-xyflow.ts'
import { toDrawableFlow } from './drawable-flow.ts'

const node = (id: string) => ({
  id,
  type: 'customNode',
  position: { x: 0, y: 0 },
  data: { id, name: id.replace(/_0$/, ''), label: id },
})
const edge = (id: string, sourceHandle: string | undefined, target: string) => ({
  id,
  source: 'chain_0',
  ...(sourceHandle && { sourceHandle }),
  target,
  targetHandle: `${target}-input-model-BaseLanguageModel`,
})

it('draws every edge of a chat flow', () => {
  const flow: FlowDocument = {
    nodes: [node('chain_0'), node('agent_0'), node('tool_0')],
    edges: [
      edge('a', 'chain_0-output-chain-Chain|Runnable', 'agent_0'),
      edge('b', 'chain_0-output-prediction-string', 'agent_0'),
      edge('c', undefined, 'tool_0'),
    ],
  }
  const drawn = toDrawableFlow(flow)
  expect(viewEdges(flow, { nodes: [], edges: [] }, agentflowKind)).toEqual([])
  expect(viewEdges(drawn, { nodes: [], edges: [] }, agentflowKind).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  expect(drawn.nodes[0]?.data.outputAnchors).toMatchObject([{ label: 'chain' }, { label: 'prediction' }, {}])
})
