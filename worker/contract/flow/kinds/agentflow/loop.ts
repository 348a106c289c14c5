/** A Loop node refers to its target as `<nodeId>-<label>`. Ids contain no dash, labels may. */
import type { FlowDocument, FlowNode } from '../../document/document.ts'
import { graphOf, upstreamOf } from '../../document/graph.ts'
import type { BackEdge } from '../types.ts'
import { containerOf } from './containers.ts'
import { LOOP } from './nodes.ts'

export const LOOP_PARAM = 'loopBackToNode'

export function loopBackValue(node: Pick<FlowNode, 'id' | 'data'>): string {
  return `${node.id}-${node.data.label}`
}

/** Returns the id of a Loop node's target; undefined for other nodes and while none is chosen. */
export function loopTarget(node: Pick<FlowNode, 'data'>): string | undefined {
  const value = node.data.name === LOOP ? node.data.inputs?.[LOOP_PARAM] : undefined
  return typeof value === 'string' && value !== '' ? value.split('-', 1)[0] : undefined
}

/** Returns the one back edge of a Loop node whose target is chosen. */
export function backEdges(node: Pick<FlowNode, 'data'>): BackEdge[] {
  const target = loopTarget(node)
  return target === undefined ? [] : [{ target, label: '', param: LOOP_PARAM }]
}

export function withBackEdges(
  node: FlowNode,
  [edge]: readonly BackEdge[],
  nodes: ReadonlyMap<string, FlowNode>,
): FlowNode {
  const target = edge && nodes.get(edge.target)
  const value = target ? loopBackValue(target) : ''
  return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, [LOOP_PARAM]: value } } }
}

/** Returns the possible targets of a Loop node: the nodes of its scope that lead to it. */
export function loopChoices(flow: FlowDocument, loopId: string): FlowNode[] {
  const graph = graphOf(flow)
  const loop = graph.nodes.get(loopId)
  if (!loop) return []
  const before = upstreamOf(graph, loopId)
  const container = containerOf(loop, graph.nodes)
  return flow.nodes.filter((node) => before.has(node.id) && containerOf(node, graph.nodes) === container)
}
