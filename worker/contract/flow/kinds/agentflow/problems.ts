/** Reports problems of agent flows besides their structure: conditions, triggers, and nodes that will not run. */
import { readStartTrigger } from '../../../triggers/start.ts'
import type { FlowDocument, FlowNode } from '../../document/document.ts'
import { downstreamOf, type FlowGraph, outgoers, reach } from '../../document/graph.ts'
import { isStickyNote } from '../../document/sticky-note.ts'
import type { InputParam } from '../../params/definition.ts'
import { aboutNode, error, labelOf, type NodeProblem, type Problem, warning } from '../../rules/problem.ts'
import { conditionAlerts } from './condition-alerts.ts'
import { conditionItems, conditionItemsInput } from './conditions.ts'
import { containerOf } from './containers.ts'
import { loopTarget } from './loop.ts'
import { CONDITION_AGENT, ITERATION, isAgentFlowNode, isConditionNode, LOOP, START, startNodes } from './nodes.ts'

/** Returns the problems of inputs with rules of their own. */
export function inputProblems(node: FlowNode): NodeProblem[] {
  return conditionAlerts(node).map(({ alert, index }) => ({
    issue: index === undefined ? alert : `Conditions ${index + 1}: ${alert}`,
    param: conditionItemsInput(node.data),
    severity: 'error',
  }))
}

/**
 * Returns true for an input that `inputProblems` or the structural rules check instead of the rule for required inputs.
 */
export function checksInput(node: FlowNode, { name }: Pick<InputParam, 'name'>): boolean {
  if (node.data.name === LOOP) return name === 'loopBackToNode'
  if (!isConditionNode(node.data) || name !== conditionItemsInput(node.data)) return false
  return node.data.name !== CONDITION_AGENT || conditionItems(node).length === 0
}

/** @param found problems of single nodes, so that none is reported twice */
export function flowProblems(flow: FlowDocument, graph: FlowGraph, found: readonly Problem[]): Problem[] {
  return [
    ...flow.nodes.flatMap((node) => aboutNode(node, [...emptyIteration(node, graph), ...idleLoop(node, graph)])),
    ...triggerProblems(flow, found),
    ...unreached(flow, graph),
  ]
}

function emptyIteration({ id, data }: FlowNode, graph: FlowGraph): NodeProblem[] {
  if (data.name !== ITERATION) return []
  const isEmpty = ![...graph.nodes.values()].some((child) => child.parentNode === id && !isStickyNote(child.data))
  return isEmpty ? [warning('This iteration is empty. Add the nodes that run for each item')] : []
}

function idleLoop(node: FlowNode, graph: FlowGraph): NodeProblem[] {
  const id = loopTarget(node)
  const target = id === undefined ? undefined : graph.nodes.get(id)
  if (!target || isStickyNote(target.data) || containerOf(target, graph.nodes) !== containerOf(node, graph.nodes)) {
    return []
  }
  if (downstreamOf(graph, target.id).has(node.id)) return []
  const issue = `${labelOf(target)} does not lead here, so nothing is repeated. Loop back to an earlier node`
  return [{ ...warning(issue), param: 'loopBackToNode' }]
}

/** Returns the reasons why a schedule or webhook cannot start the flow. */
function triggerProblems(flow: FlowDocument, found: readonly Problem[]): Problem[] {
  const start = readStartTrigger(flow)
  const node = flow.nodes.find(({ id }) => id === start?.nodeId)
  if (!start || !node || !('problem' in start)) return []
  const { problem, param } = start
  if (found.some((other) => other.nodeId === node.id && other.param === param)) return []
  return aboutNode(node, [{ ...error(problem), param }])
}

/** Returns the nodes that no run reaches, although they have an incoming edge. */
function unreached(flow: FlowDocument, graph: FlowGraph): Problem[] {
  const children = Map.groupBy(flow.nodes, (node) => node.parentNode)
  const firstInside = (id: string) =>
    (children.get(id) ?? []).filter((child) => !graph.incoming.has(child.id)).map((child) => child.id)
  const next = (id: string) => {
    const node = graph.nodes.get(id)
    return node ? [outgoers(graph, id), firstInside(id), loopTarget(node) ?? []].flat() : []
  }
  const starts = startNodes(flow).map(({ id }) => id)
  const reached = reach(starts, next)
  const lonely = flow.nodes.filter((node) => {
    const { id, data } = node
    if (!isAgentFlowNode(data) || data.name === START || isStickyNote(data) || reached.has(id)) return false
    return leadsHere(id, graph) || containerOf(node, graph.nodes) !== undefined
  })
  return lonely.flatMap((node) =>
    aboutNode(node, [warning('This node is not connected to the Start node and will not run')]),
  )
}

const leadsHere = (id: string, { incoming, nodes }: FlowGraph) =>
  (incoming.get(id) ?? []).some(({ source }) => nodes.has(source))
