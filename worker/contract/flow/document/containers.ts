/** Iterations hold other nodes: each is a scope of its own, and so is the flow outside of them. */
import type { FlowDocument, FlowNode } from './document.ts'
import { graphOf, upstreamOf } from './graph.ts'
import { ITERATION } from './node-kinds.ts'

/** The id of the iteration that a node lies in: its scope. Undefined for the flow itself, and where the iteration is gone. */
export function containerOf({ parentNode }: FlowNode, nodes: ReadonlyMap<string, FlowNode>): string | undefined {
  return nodes.get(parentNode ?? '')?.data.name === ITERATION ? parentNode : undefined
}

/** What a Loop node may go back to: the nodes of its own scope that lead to it. */
export function loopChoices(flow: FlowDocument, loopId: string): FlowNode[] {
  const graph = graphOf(flow)
  const loop = graph.nodes.get(loopId)
  if (!loop) return []
  const before = upstreamOf(graph, loopId)
  const container = containerOf(loop, graph.nodes)
  return flow.nodes.filter((node) => before.has(node.id) && containerOf(node, graph.nodes) === container)
}
