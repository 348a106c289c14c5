/** Structural rules of agent flows: one Start node that leads to all others, and loops that have a target. */
import type { FlowNode } from '../../document/document.ts'
import type { FlowGraph } from '../../document/graph.ts'
import { aboutFlow, aboutNode, error, type NodeProblem, type Problem } from '../../rules/problem.ts'
import { containerOf } from './containers.ts'
import { LOOP_PARAM, loopTarget } from './loop.ts'
import { LOOP, START } from './nodes.ts'

/** Returns the problems that keep an agent flow from running. */
export function structureProblems(graph: FlowGraph): Problem[] {
  const nodes = [...graph.nodes.values()]
  return [
    ...startProblems(nodes),
    ...nodes.flatMap((node) => aboutNode(node, [...placeProblems(node, graph), ...loopProblems(node)])),
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

function loopProblems(node: FlowNode): NodeProblem[] {
  const isMissing = node.data.name === LOOP && loopTarget(node) === undefined
  return isMissing ? [{ ...error('Choose where to loop back'), param: LOOP_PARAM }] : []
}
