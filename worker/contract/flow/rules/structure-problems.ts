/** What cannot be right about where a node stands: in or out of containers, loops, what leads to it and where its failures go. */

import type { FlowNode } from '../document/document.ts'
import { downstreamOf, type FlowGraph } from '../document/graph.ts'
import { hasErrorBranch } from '../document/handles.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import { containerOf } from '../kinds/agentflow/containers.ts'
import { loopTarget } from '../kinds/agentflow/loop.ts'
import { ITERATION, LOOP, START } from '../kinds/agentflow/nodes.ts'
import { isErrorHandle, runPolicyOf } from '../params/run-policy.ts'
import type { NodeProblem } from './problems.ts'

/** The problems of one node, without those of its inputs. */
export function structureProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  if (isStickyNote(node.data)) return []
  return [
    ...placeProblems(node, graph),
    ...borderProblems(node, graph),
    ...loopProblems(node, graph),
    ...joinProblems(node, graph),
    ...errorBranchProblems(node, graph),
  ]
}

function placeProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const { id, data } = node
  if (data.name === START && containerOf(node, graph.nodes)) return [error('The Start node cannot lie in an iteration')]
  if (data.name !== ITERATION) return []
  const isEmpty = ![...graph.nodes.values()].some((child) => child.parentNode === id && !isStickyNote(child.data))
  return isEmpty ? [warning('Nothing lies in this iteration. Put the nodes into it that run for each item')] : []
}

/** Of the connections that leave a node. */
function borderProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const container = containerOf(node, graph.nodes)
  return (graph.outgoing.get(node.id) ?? []).flatMap(({ target: id }) => {
    const target = graph.nodes.get(id)
    if (!target || containerOf(target, graph.nodes) === container) return []
    const name = target.data.label || id
    return [error(`The connection to ${name} crosses the border of an iteration. Connect the iteration itself`)]
  })
}

function loopProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const id = node.data.name === LOOP ? loopTarget(node) : undefined
  if (id === undefined) return []
  const target = graph.nodes.get(id)
  const param = 'loopBackToNode'
  if (!target || isStickyNote(target.data)) {
    return [{ ...error('The node to loop back to is not there any more'), param }]
  }
  const name = target.data.label || id
  if (containerOf(target, graph.nodes) !== containerOf(node, graph.nodes)) {
    return [{ ...error(`${name} does not lie in the same iteration. Loop back to a node beside this one`), param }]
  }
  if (downstreamOf(graph, id).has(node.id)) return []
  return [{ ...warning(`${name} does not lead here, so nothing is repeated. Loop back to an earlier node`), param }]
}

function joinProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const entering = graph.incoming.get(node.id)?.length ?? 0
  if (runPolicyOf(node.data).join === 'all' || entering > 1) return []
  return [warning('This node starts at the first of its connections to arrive, but has no two of them')]
}

function errorBranchProblems(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const leaving = graph.outgoing.get(node.id) ?? []
  if (!hasErrorBranch(node) || leaving.some(({ sourceHandle }) => isErrorHandle(sourceHandle))) return []
  return [warning('A failure goes on at the error output, but nothing is connected there. Connect it, or stop the run')]
}

const error = (issue: string): NodeProblem => ({ issue, severity: 'error' })
const warning = (issue: string): NodeProblem => ({ issue, severity: 'warning' })
