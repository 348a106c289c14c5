/** Queries on the graph of a flow. Each visits every node and edge at most once. */
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts'

export interface FlowGraph {
  nodes: ReadonlyMap<string, FlowNode>
  /** Outgoing edges of a node, in the document's order. */
  outgoing: ReadonlyMap<string, readonly FlowEdge[]>
  /** Incoming edges of a node, in the document's order. */
  incoming: ReadonlyMap<string, readonly FlowEdge[]>
}

/** Indexes a flow once, so that the queries below need no search. */
export function graphOf(flow: Pick<FlowDocument, 'nodes' | 'edges'>): FlowGraph {
  return {
    nodes: new Map(flow.nodes.map((node) => [node.id, node])),
    outgoing: Map.groupBy(flow.edges, (edge) => edge.source),
    incoming: Map.groupBy(flow.edges, (edge) => edge.target),
  }
}

/** Returns the ids of the direct successors of a node, each once. */
export function outgoers(graph: FlowGraph, nodeId: string): string[] {
  return [...new Set((graph.outgoing.get(nodeId) ?? []).map((edge) => edge.target))]
}

/** Returns the ids of the direct predecessors of a node, each once. */
export function incomers(graph: FlowGraph, nodeId: string): string[] {
  return [...new Set((graph.incoming.get(nodeId) ?? []).map((edge) => edge.source))]
}

/**
 * Returns everything that `next` reaches from `start`, nearest first and each once. Includes `start` only when a path
 * returns to it.
 */
export function* walkGraph(start: Iterable<string>, next: (id: string) => Iterable<string>): Generator<string> {
  const seen = new Set<string>()
  const open = [...start]
  for (const id of open) {
    for (const neighbour of next(id)) {
      if (seen.has(neighbour)) continue
      seen.add(neighbour)
      open.push(neighbour)
      yield neighbour
    }
  }
}

/** Returns everything that `walk` visits. */
export function reach(start: Iterable<string>, next: (id: string) => Iterable<string>): Set<string> {
  return new Set(walkGraph(start, next))
}

/** Returns the ids of the nodes after this one. */
export function downstreamOf(graph: FlowGraph, nodeId: string): Set<string> {
  return reach([nodeId], (id) => outgoers(graph, id))
}

/** Returns the ids of the nodes before this one. */
export function upstreamOf(graph: FlowGraph, nodeId: string): Set<string> {
  return reach([nodeId], (id) => incomers(graph, id))
}

/**
 * Returns node ids in topological order, or in document order where edges do not decide. `rest` contains the nodes on a
 * cycle or behind one.
 */
export function topologicalOrder(graph: FlowGraph): { order: string[]; rest: string[] } {
  const waiting = new Map([...graph.nodes.keys()].map((id) => [id, 0]))
  for (const [id, edges] of graph.incoming) {
    if (waiting.has(id)) waiting.set(id, edges.filter((edge) => graph.nodes.has(edge.source)).length)
  }
  const order = [...waiting].filter(([, count]) => count === 0).map(([id]) => id)
  for (const id of order) {
    for (const { target } of graph.outgoing.get(id) ?? []) {
      const left = waiting.get(target)
      if (left === undefined) continue
      waiting.set(target, left - 1)
      if (left === 1) order.push(target)
    }
  }
  const placed = new Set(order)
  return { order, rest: [...graph.nodes.keys()].filter((id) => !placed.has(id)) }
}

/** Returns the ids of one cycle in the order of its edges, or an empty list. */
export function findCycle(graph: FlowGraph): string[] | undefined {
  const rest = new Set(topologicalOrder(graph).rest)
  const [first] = rest
  if (first === undefined) return undefined
  // Every node of the rest has a predecessor in the rest, so walking back must visit a node twice.
  const trail = new Map<string, number>()
  let id = first
  while (!trail.has(id)) {
    trail.set(id, trail.size)
    id = incomers(graph, id).find((source) => rest.has(source)) as string
  }
  return [...trail.keys()].slice(trail.get(id)).reverse()
}

/**
 * Returns the id of a node's container: each container is a scope. Undefined for top-level nodes, and where the
 * container is missing.
 */
export function containerOf(
  { parentNode }: Pick<FlowNode, 'parentNode'>,
  nodes: ReadonlyMap<string, FlowNode>,
  { isContainer }: { isContainer(data: FlowNode['data']): boolean },
): string | undefined {
  const parent = nodes.get(parentNode ?? '')
  return parent && isContainer(parent.data) ? parent.id : undefined
}

/** Returns the ids of these nodes and all their descendants. */
export function withDescendants(nodes: readonly FlowNode[], ids: Iterable<string>): Set<string> {
  const children = Map.groupBy(nodes, (node) => node.parentNode)
  const roots = [...ids]
  const inside = reach(roots, (id) => (children.get(id) ?? []).map((child) => child.id))
  return new Set([...roots, ...inside])
}
