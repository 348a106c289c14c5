/** Which nodes have run, or may have, when a node's inputs are resolved. */
import type { FlowDocument } from '../document/document.ts'
import { type FlowGraph, graphOf, incomers, reach, walk } from '../document/graph.ts'
import { loopTarget } from '../document/loop.ts'

export interface Upstream {
  /** All nodes before a node. */
  idsOf(nodeId: string): Set<string>
  /** Stops at the first sight of `earlier`: most references are to a node nearby. */
  isBefore(earlier: string, nodeId: string): boolean
}

/**
 * The nodes before a node: along the edges, out of the iterations around it to what comes before those, and through Loop
 * nodes, which bring back what ran in the round before: also what lies below it in the loop. The node itself is among them only when a loop returns to it.
 */
export function upstreamFinder(
  flow: Pick<FlowDocument, 'nodes' | 'edges'>,
  graph: FlowGraph = graphOf(flow),
): Upstream {
  const loops = Map.groupBy(flow.nodes, loopTarget)
  const before = (id: string): string[] => {
    const rounds = (loops.get(id) ?? []).map((loop) => loop.id)
    const around = containersOf(graph, id).flatMap((container) => [
      ...incomers(graph, container),
      ...(loops.get(container) ?? []).map((loop) => loop.id),
    ])
    return [...incomers(graph, id), ...rounds, ...around]
  }
  return {
    idsOf: (nodeId) => reach([nodeId], before),
    isBefore(earlier, nodeId) {
      for (const id of walk([nodeId], before)) if (id === earlier) return true
      return false
    },
  }
}

/** The innermost first. */
function containersOf(graph: FlowGraph, id: string): string[] {
  const found: string[] = []
  let parent = graph.nodes.get(id)?.parentNode
  while (parent !== undefined && !found.includes(parent)) {
    found.push(parent)
    parent = graph.nodes.get(parent)?.parentNode
  }
  return found
}
