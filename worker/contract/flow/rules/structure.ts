/**
 * Structural rules of all kinds of flows. The checklist reports their problems, and the engine rejects a flow with any.
 */
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { containerOf, type FlowGraph, findCycle, graphOf } from '../document/graph.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import type { BackEdge, CheckedFlowKind } from '../kinds/types.ts'
import { aboutFlow, aboutNode, error, labelOf, type Problem } from './problem.ts'
import { whyUnsupported } from './unsupported-nodes.ts'

/** The maximum nesting of containers. */
const MAX_NESTING = 20
/** Each loop stores the nodes that it repeats, so memory grows with their product. */
const MAX_LOOPS = 500

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
    ...nodes.flatMap((node) => [
      ...inputProblems(node, graph, kind),
      ...borderProblems(node, graph, kind),
      ...backEdgeProblems(node, graph, kind),
    ]),
    ...loopCountProblems(nodes, graph, kind),
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

function backEdgeProblems(node: FlowNode, graph: FlowGraph, kind: CheckedFlowKind): Problem[] {
  const container = containerOf(node, graph.nodes, kind)
  const edges = kind.backEdges(node)
  const issueOf = ({ target: id, label }: BackEdge, index: number): string | undefined => {
    const target = graph.nodes.get(id)
    if (!target) return 'The node to loop back to no longer exists. Choose another one'
    if (containerOf(target, graph.nodes, kind) !== container) {
      return `${labelOf(target)} is not in the same ${kind.containerNoun}. Loop back to a node beside this one`
    }
    const isTaken = edges.slice(0, index).some((earlier) => earlier.label === label)
    return isTaken ? `Two ways back are labelled “${label}”. Give each its own label` : undefined
  }
  return edges.flatMap((edge, index) => {
    const issue = issueOf(edge, index)
    return issue === undefined ? [] : aboutNode(node, [{ ...error(issue), param: edge.param }])
  })
}

function loopCountProblems(nodes: FlowNode[], graph: FlowGraph, kind: CheckedFlowKind): Problem[] {
  const loops = nodes.flatMap((node) => kind.backEdges(node).map(() => containerOf(node, graph.nodes, kind)))
  const most = Math.max(0, ...[...Map.groupBy(loops, (container) => container).values()].map(({ length }) => length))
  return most > MAX_LOOPS ? [aboutFlow(error(`There are ${most} loops, at most ${MAX_LOOPS} are allowed`))] : []
}
