/** The checklist: what stands in the way of a good run, in words for the person who draws the flow. */
import * as z from 'zod'
import { startTriggerOf } from '../../triggers/start.ts'
import type { FlowDocument, FlowNode } from '../document/document.ts'
import { type FlowGraph, findCycle, graphOf, outgoers, reach } from '../document/graph.ts'
import { orphanedEdges } from '../document/orphans.ts'
import { isStickyNote } from '../document/sticky-note.ts'
import { conditionAlerts } from '../kinds/agentflow/condition-alerts.ts'
import { conditionItemsInput } from '../kinds/agentflow/conditions.ts'
import { containerOf } from '../kinds/agentflow/containers.ts'
import { loopTarget } from '../kinds/agentflow/loop.ts'
import { isAgentFlowNode, isConditionNode, START, startNodes } from '../kinds/agentflow/nodes.ts'
import { kindOfDocument } from '../kinds/index.ts'
import type { ComponentDefinition } from '../params/definition.ts'
import { componentsByName } from '../params/params.ts'
import { referenceProblems } from '../references/reference-problems.ts'
import { type Known, requiredInputProblems } from './required-inputs.ts'
import { structureProblems } from './structure-problems.ts'

export const problemSchema = z.object({
  nodeId: z.string().nullable().describe('Null when it concerns the flow as a whole'),
  label: z.string().describe('The label of the node, or `Flow`'),
  issue: z.string(),
  param: z.string().optional().describe('The name of the parameter to look at'),
  severity: z.enum(['error', 'warning']).describe('An error keeps the flow, or that part of it, from running'),
  needsPerson: z
    .literal(true)
    .optional()
    .describe('Only a person can see to it: a secret, or a choice among what the workspace has'),
})

export type Problem = z.infer<typeof problemSchema>

/** What is wrong with one node; the node's id and label are added here. */
export type NodeProblem = Omit<Problem, 'nodeId' | 'label'>

/**
 * All problems of an agent flow. `components` are all that can be chosen: node types, models, tools.
 * With `flowId`, its own, a flow that calls itself is found too.
 */
export function flowProblems(
  flow: FlowDocument,
  components: Iterable<ComponentDefinition>,
  { flowId }: { flowId?: string } = {},
): Problem[] {
  const graph = graphOf(flow)
  const known = { definitions: componentsByName(components), flowId }
  return [
    ...startProblems(flow),
    ...cycleProblems(graph),
    ...flow.nodes.flatMap((node) => about(node, [...nodeProblems(node, known), ...structureProblems(node, graph)])),
    ...triggerProblems(flow, known),
    ...referenceProblems(flow, graph, kindOfDocument(flow)).flatMap(({ node, problems }) => about(node, problems)),
    ...unconnected(flow, graph),
    ...orphans(flow, graph),
    ...repeatedLabels(flow),
  ]
}

/** `LLM 0: Model is required` */
export function problemText({ label, issue }: Problem): string {
  return `${label}: ${issue}`
}

function startProblems(flow: FlowDocument): Problem[] {
  const [first, ...more] = startNodes(flow)
  if (!first) return [{ nodeId: null, label: 'Flow', issue: 'Add a Start node', severity: 'error' }]
  return more.flatMap((node) => about(node, [{ issue: 'Only one Start node is allowed', severity: 'error' }]))
}

function cycleProblems(graph: FlowGraph): Problem[] {
  const cycle = findCycle(graph)?.flatMap((id) => graph.nodes.get(id) ?? [])
  if (!cycle?.[0]) return []
  const path = [...cycle, cycle[0]].map((node) => node.data.label).join(' → ')
  const issue = `The connections form a cycle (${path}). Remove one, or use a Loop node`
  return about(cycle[0], [{ issue, severity: 'error' }])
}

function nodeProblems(node: FlowNode, known: Known): NodeProblem[] {
  if (isStickyNote(node.data)) return []
  const definition = known.definitions.get(node.data.name)
  if (!definition) return [{ issue: `The node type ${node.data.name} is not available here`, severity: 'error' }]
  if (!isConditionNode(node.data)) return requiredInputProblems(node, definition, known)
  const alerts = conditionAlerts(node).map(({ alert, index }): NodeProblem => {
    const issue = index === undefined ? alert : `Condition ${index}: ${alert}`
    return { issue, param: conditionItemsInput(node.data), severity: 'error' }
  })
  return [...alerts, ...requiredInputProblems(node, definition, known)]
}

/** What keeps the clock or a request from starting the flow, unless an input that is missing says it already. */
function triggerProblems(flow: FlowDocument, known: Known): Problem[] {
  const start = startTriggerOf(flow)
  const node = flow.nodes.find(({ id }) => id === start?.nodeId)
  if (!start || !node || !('problem' in start)) return []
  const { problem, param } = start
  if (nodeProblems(node, known).some((said) => said.param === param)) return []
  return about(node, [{ issue: problem, param, severity: 'error' }])
}

/** Nodes that no run comes to: neither along edges from Start, nor as the first ones of a reached iteration. */
function unconnected(flow: FlowDocument, graph: FlowGraph): Problem[] {
  const starts = startNodes(flow).map((node) => node.id)
  const children = Map.groupBy(flow.nodes, (node) => node.parentNode)
  const firstInside = (id: string) =>
    (children.get(id) ?? []).filter((child) => !graph.incoming.has(child.id)).map((child) => child.id)
  const jump = (id: string) => loopTarget(graph.nodes.get(id) as FlowNode) ?? []
  const reached = reach(starts, (id) =>
    graph.nodes.has(id) ? [...outgoers(graph, id), ...firstInside(id), jump(id)].flat() : [],
  )
  const lonely = flow.nodes.filter(
    ({ id, data }) => isAgentFlowNode(data) && data.name !== START && !isStickyNote(data) && !reached.has(id),
  )
  return lonely.flatMap((node) => about(node, [lonelyProblem(node, graph)]))
}

/** A run refuses a flow with several nodes that nothing leads to: it could begin at any of them. */
function lonelyProblem(node: FlowNode, graph: FlowGraph): NodeProblem {
  const stopsRuns = !graph.incoming.has(node.id) && !containerOf(node, graph.nodes)
  return stopsRuns
    ? { issue: 'Nothing leads to this node, so the flow cannot run. Connect it or delete it', severity: 'error' }
    : { issue: 'This node is not connected to the Start node and will not run', severity: 'warning' }
}

function orphans(flow: FlowDocument, graph: FlowGraph): Problem[] {
  return orphanedEdges(flow).map((edge) => {
    const node = graph.nodes.get(edge.target) ?? graph.nodes.get(edge.source)
    return {
      nodeId: node?.id ?? null,
      label: node?.data.label ?? 'Flow',
      issue: `A connection from ${nameOf(edge.source, graph)} to ${nameOf(edge.target, graph)} leads nowhere. Remove it`,
      severity: 'error',
    }
  })
}

function repeatedLabels(flow: FlowDocument): Problem[] {
  const named = flow.nodes.filter((node) => !isStickyNote(node.data) && node.data.name !== START)
  return [...Map.groupBy(named, (node) => node.data.label)].flatMap(([label, nodes]) =>
    nodes
      .slice(1)
      .flatMap((node) =>
        about(node, [{ issue: `Another node is also named ${label}. Rename one of them`, severity: 'warning' }]),
      ),
  )
}

function about(node: FlowNode, problems: NodeProblem[]): Problem[] {
  return problems.map((problem) => ({ nodeId: node.id, label: node.data.label || node.id, ...problem }))
}

function nameOf(id: string, graph: FlowGraph): string {
  return graph.nodes.get(id)?.data.label || id
}
