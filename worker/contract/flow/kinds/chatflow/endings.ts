/** Where a chat flow ends: the nodes that answer. */
import { chosenOutput, outputOptions } from '../../document/anchors.ts'
import type { FlowNode, NodeData } from '../../document/document.ts'
import { type FlowGraph, outgoers, reach, topologicalOrder } from '../../document/graph.ts'

export { chosenOutput }

const ANSWERING: readonly unknown[] = ['Chains', 'Agents', 'Engine']
const ENDING_OUTPUT = 'EndingNode'

/** Returns true for a node whose outputs are alternatives: a run takes one of them. */
export function isDecision({ outputAnchors }: Pick<NodeData, 'outputAnchors'>): boolean {
  return outputOptions({ outputAnchors }).some(({ isAnchor }) => isAnchor === true)
}

/** Returns true for a node that can answer. */
export function mayAnswer({ data }: Pick<FlowNode, 'data'>): boolean {
  return ANSWERING.includes(data.category) || chosenOutput(data) === ENDING_OUTPUT
}

/**
 * Returns the nodes that answer: connected, and with nothing after them. Of several that no decision tells apart the
 * last one counts, as in Flowise.
 */
export function endingNodes(graph: FlowGraph): FlowNode[] {
  const ends = lastNodes(graph)
  const decisions = [...graph.nodes.values()].filter(({ data }) => isDecision(data)).map(({ id }) => id)
  const decided = reach(decisions, (id) => outgoers(graph, id))
  const alternatives = ends.filter(({ id }) => decided.has(id))
  return alternatives.length > 0 ? alternatives : ends.slice(-1)
}

/** Returns every node that could answer, with nothing after it, in the order in which Flowise would come to them. */
export function lastNodes(graph: FlowGraph): FlowNode[] {
  const { order, rest } = topologicalOrder(graph)
  return [...order, ...rest].flatMap((id) => {
    const isEnd = !graph.outgoing.get(id)?.length && (graph.nodes.size === 1 || graph.incoming.get(id)?.length)
    const node = graph.nodes.get(id) as FlowNode
    return isEnd && mayAnswer(node) ? [node] : []
  })
}
