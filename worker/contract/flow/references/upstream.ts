/** Finds the nodes that may have run when a node's inputs are resolved. */
import type { FlowDocument } from '../document/document.ts'
import { type FlowGraph, graphOf, incomers, reach, walkGraph } from '../document/graph.ts'
import type { FlowKind } from '../kinds/types.ts'

export interface Upstream {
  /** Returns all nodes before a node. */
  idsOf(nodeId: string): Set<string>
  /** Stops as soon as `earlier` is found, since most references are to a node nearby. */
  isBefore(earlier: string, nodeId: string): boolean
}

/**
 * Finds the nodes before a node: along edges, from its containers, and through back edges, which bring the
 * outputs of the previous round. A node is before itself only when a back edge leads to it or to a node before it.
 */
export function upstreamFinder(
  flow: Pick<FlowDocument, 'nodes' | 'edges'>,
  kind: FlowKind,
  graph: FlowGraph = graphOf(flow),
): Upstream {
  const back = flow.nodes.flatMap((node) => kind.backEdges(node).map(({ target }) => ({ target, source: node.id })))
  const byTarget = Map.groupBy(back, ({ target }) => target)
  const rounds = (id: string) => (byTarget.get(id) ?? []).map(({ source }) => source)
  const before = (id: string): string[] => {
    const around = findContainers(graph, id).flatMap((container) => [
      ...incomers(graph, container),
      ...rounds(container),
    ])
    return [...incomers(graph, id), ...rounds(id), ...around]
  }
  return {
    idsOf: (nodeId) => reach([nodeId], before),
    isBefore(earlier, nodeId) {
      for (const id of walkGraph([nodeId], before)) if (id === earlier) return true
      return false
    },
  }
}

/** Innermost first. */
function findContainers(graph: FlowGraph, id: string): string[] {
  const found: string[] = []
  let parent = graph.nodes.get(id)?.parentNode
  while (parent !== undefined && !found.includes(parent)) {
    found.push(parent)
    parent = graph.nodes.get(parent)?.parentNode
  }
  return found
}
