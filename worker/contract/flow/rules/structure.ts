/**
 * Structural rules of all kinds of flows. The checklist reports their problems, and the engine rejects a flow with any.
 */
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { containerOf, type FlowGraph, findCycle, graphOf } from '../document/graph.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { CheckedFlowKind } from '../kinds/types.ts'
import { aboutNode, error, labelOf, type Problem } from './problem.ts'
import { whyUnsupported } from './unsupported-nodes.ts'

/** The maximum nesting of containers. */
const MAX_NESTING = 20

/** Returns every problem that prevents a run. All are errors. */
export function structureProblems(flow: Pick<FlowDocument, 'nodes' | 'edges'>, kind: CheckedFlowKind): Problem[] {
  const graph = runningPart(flow)
  const nodes = [...graph.nodes.values()]
  // Nodes whose containers contain each other have no place in a run, so nothing else is checked.
  const nesting = nodes.flatMap((node) => nestingProblems(node, graph, kind))
  if (nesting.length > 0) return nesting
  return [
    ...kind.structureProblems(graph),
    ...cycleProblems(graph, kind),
    ...nodes.flatMap((node) => [...inputProblems(node, graph, kind), ...borderProblems(node, graph, kind)]),
  ]
}

export const unknownTypeIssue = (name: string): string =>
  `The node type ${name} is not available here${whyUnsupported(name)}`

export const danglingEdgeIssue = (from: string, to: string): string =>
  `A connection from ${from} to ${to} leads nowhere. Remove it`

/** Returns the graph without sticky notes and edges without both ends. */
function runningPart(flow: Pick<FlowDocument, 'nodes' | 'edges'>): FlowGraph {
  const nodes = flow.nodes.filter(({ data }) => !isStickyNote(data))
  const ids = new Set(nodes.map(({ id }) => id))
  return graphOf({ nodes, edges: flow.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) })
}

function nestingProblems(node: FlowNode, graph: FlowGraph, kind: CheckedFlowKind): Problem[] {
  const seen = new Set<string>()
  let outer = containerOf(node, graph.nodes, kind)
  while (outer !== undefined && !seen.has(outer) && seen.size <= MAX_NESTING) {
    seen.add(outer)
    outer = containerOf(graph.nodes.get(outer) as FlowNode, graph.nodes, kind)
  }
  if (outer === undefined) return []
  const { containerNoun } = kind
  const issue = seen.has(outer)
    ? `It is inside an ${containerNoun} that contains itself. Move it out`
    : `It is nested in more than ${MAX_NESTING} ${containerNoun}s. Move it out`
  return aboutNode(node, [error(issue)])
}

function cycleProblems(graph: FlowGraph, { cycleAdvice }: CheckedFlowKind): Problem[] {
  const cycle = findCycle(graph)?.flatMap((id) => graph.nodes.get(id) ?? [])
  if (!cycle?.[0]) return []
  const path = [...cycle, cycle[0]].map(labelOf).join(' → ')
  const issue = [`The connections form a cycle (${path}). Remove one of them`, cycleAdvice].filter(Boolean).join('. ')
  return aboutNode(cycle[0], [error(issue)])
}

function inputProblems(node: FlowNode, graph: FlowGraph, kind: CheckedFlowKind): Problem[] {
  const [first] = graph.incoming.get(node.id) ?? []
  if (!first || kind.ports(node).inputs.length > 0) return []
  const from = labelOf(graph.nodes.get(first.source) as FlowNode)
  return aboutNode(node, [error(danglingEdgeIssue(from, labelOf(node)))])
}

function borderProblems(node: FlowNode, graph: FlowGraph, kind: CheckedFlowKind): Problem[] {
  const container = containerOf(node, graph.nodes, kind)
  return (graph.outgoing.get(node.id) ?? []).flatMap(({ target: id }) => {
    const target = graph.nodes.get(id) as FlowNode
    if (containerOf(target, graph.nodes, kind) === container) return []
    const { containerNoun: noun } = kind
    const issue = `The connection to ${labelOf(target)} crosses the border of an ${noun}. Connect the ${noun} itself`
    return aboutNode(node, [error(issue)])
  })
}
