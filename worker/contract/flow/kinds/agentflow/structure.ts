/** Structural rules of agent flows: one Start node that leads to all others, and loops within one iteration. */
import type { FlowNode } from '../../document/document.ts'
import type { FlowGraph } from '../../document/graph.ts'
import { aboutFlow, aboutNode, error, labelOf, type NodeProblem, type Problem } from '../../rules/problem.ts'
import { containerOf } from './containers.ts'
import { loopTarget } from './loop.ts'
import { LOOP, START } from './nodes.ts'

/** Each loop stores the nodes that it repeats, so memory grows with their product. */
const MAX_LOOPS = 500

/** Returns the problems that keep an agent flow from running. */
export function structureProblems(graph: FlowGraph): Problem[] {
  const nodes = [...graph.nodes.values()]
  return [
    ...startProblems(nodes),
    ...nodes.flatMap((node) => aboutNode(node, [...placeProblems(node, graph), ...loopProblems(node, graph)])),
    ...loopCountProblems(nodes, graph),
  ]
}

function startProblems(nodes: FlowNode[]): Problem[] {
  const [first, ...more] = nodes.filter(({ data }) => data.name === START)
  if (!first) return [aboutFlow(error('Add a Start node'))]
  return more.flatMap((node) => aboutNode(node, [error('Only one Start node is allowed')]))
}

/** Inside an iteration, each item starts at the nodes without an incoming edge. */
function placeProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const isInside = containerOf(node, graph.nodes) !== undefined
  if (node.data.name === START) return isInside ? [error('The Start node cannot be inside an iteration')] : []
  if (isInside || graph.incoming.has(node.id)) return []
  return [error('This node isn’t connected. Connect it or delete it')]
}

function loopProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  if (node.data.name !== LOOP) return []
  const param = 'loopBackToNode'
  const id = loopTarget(node)
  if (id === undefined) return [{ ...error('Loop Back To is required'), param }]
  const target = graph.nodes.get(id)
  if (!target) return [{ ...error('The node to loop back to no longer exists. Choose another one'), param }]
  const scopeOf = (each: FlowNode) => containerOf(each, graph.nodes)
  if (scopeOf(target) === scopeOf(node)) return []
  const issue = `${labelOf(target)} is not in the same iteration. Loop back to a node beside this one`
  return [{ ...error(issue), param }]
}

function loopCountProblems(nodes: FlowNode[], graph: FlowGraph): Problem[] {
  const loops = nodes.filter(({ data }) => data.name === LOOP)
  const scopes = Map.groupBy(loops, (node) => containerOf(node, graph.nodes))
  const most = Math.max(0, ...[...scopes.values()].map(({ length }) => length))
  return most > MAX_LOOPS ? [aboutFlow(error(`There are ${most} Loop nodes, at most ${MAX_LOOPS} are allowed`))] : []
}
