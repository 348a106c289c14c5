/** Joining nodes by edges (spec section 5; compat 1.4, 1.5). */

import type { InputParam } from '../params/definition.ts'
import { paramsOf } from '../params/params.ts'
import { errorHandleId, isErrorHandle } from '../params/run-policy.ts'
import { reorderTools } from '../params/tools.ts'
import { allowed, refused, type Verdict } from '../rules/verdict.ts'
import { containerOf } from './containers.ts'
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts'
import { downstreamOf, graphOf } from './graph.ts'
import { agentInputHandleId, edgeId, handleTypes, hasErrorBranch, outputIndex } from './handles.ts'
import { HUMAN_INPUT, isAgentFlowNode, isConditionNode, isStickyNote } from './node-kinds.ts'

export interface Connection {
  source: string
  target: string
  sourceHandle?: string | null
  /** May be left out in agent flows, where a node has one input handle. */
  targetHandle?: string | null
}

interface Ends {
  source: FlowNode
  target: FlowNode
}

/** Edges between two nodes of one iteration are drawn above its frame. */
const ABOVE_ITERATION = 9999

/** How a classic input names the node that is linked to it. */
export function inputReference(nodeId: string): string {
  return `{{${nodeId}.data.instance}}`
}

/** Whether the connection may be made, or why not. */
export function checkConnection(flow: FlowDocument, connection: Connection): Verdict {
  const ends = endsOf(flow, connection)
  if (!ends) return refused('One of the two nodes is no longer on the canvas.')
  if (ends.source === ends.target) return refused('A node cannot be connected to itself.')
  const agentFlow = isAgentFlowNode(ends.target.data)
  const verdict = agentFlow ? checkAgentFlow(flow, connection, ends) : checkClassic(flow, connection, ends)
  if (!verdict.ok) return verdict
  if (downstreamOf(graphOf(flow), connection.target).has(connection.source)) {
    return refused(
      agentFlow
        ? 'This connection would create a cycle. Use a Loop node to go back to an earlier node.'
        : 'This connection would create a cycle.',
    )
  }
  return allowed
}

/** The edge of a connection that was checked, as Flowise writes it. Throws when one of its nodes is not there. */
export function createEdge(flow: FlowDocument, connection: Connection): FlowEdge {
  const ends = endsOf(flow, connection)
  if (!ends) throw new Error(`No such nodes: ${connection.source}, ${connection.target}`)
  const { source, target } = connection
  const sourceHandle = connection.sourceHandle ?? ends.source.data.outputAnchors?.[0]?.id ?? ''
  const agentFlow = isAgentFlowNode(ends.target.data)
  const targetHandle = connection.targetHandle ?? (agentFlow ? agentInputHandleId(target) : '')
  const edge = { source, sourceHandle, target, targetHandle }
  const id = edgeId(source, sourceHandle, { target, targetHandle })
  if (!agentFlow) return { ...edge, type: 'buttonedge', id, data: { label: '' } }
  return {
    ...edge,
    ...(ends.source.parentNode && ends.source.parentNode === ends.target.parentNode ? { zIndex: ABOVE_ITERATION } : {}),
    type: 'agentFlow',
    id,
    data: agentEdgeData(ends, sourceHandle),
  }
}

/** The flow with the edge, and for a classic link with the reference in the target's input. */
export function connectNodes(flow: FlowDocument, connection: Connection): FlowDocument {
  const edge = createEdge(flow, connection)
  const nodes = flow.nodes.map((node) => (node.id === edge.target ? withLink(node, edge) : node))
  return { ...flow, nodes, edges: [...flow.edges, edge] }
}

/** The label on an edge that leaves an error branch or an output of a decision node; undefined for other outputs. */
export function edgeLabel(source: FlowNode, sourceHandle: string): string | undefined {
  if (isErrorHandle(sourceHandle)) return 'error'
  const index = outputIndex(sourceHandle)
  if (index === undefined) return undefined
  if (isConditionNode(source.data)) return String(index)
  if (source.data.name === HUMAN_INPUT) return index === 0 ? 'proceed' : 'reject'
  return undefined
}

/** The classic anchor or parameter at which an edge ends. */
export function inputAt(node: FlowNode, handleId: string | null | undefined): InputParam | undefined {
  const anchors = (node.data.inputAnchors ?? []) as unknown as InputParam[]
  return [...anchors, ...paramsOf(node)].find((input) => input.id === handleId)
}

function checkAgentFlow(flow: FlowDocument, connection: Connection, { source, target }: Ends): Verdict {
  if (isStickyNote(source.data) || isStickyNote(target.data)) return refused('Sticky notes cannot be connected.')
  if (target.data.hideInput) return refused(`${target.data.label} has no input.`)
  const { sourceHandle, targetHandle } = connection
  const output = checkOutput(source, sourceHandle)
  if (!output.ok) return output
  if (targetHandle && targetHandle !== agentInputHandleId(target.id)) {
    return refused(`${target.data.label} has no such input.`)
  }
  const nodes = new Map(flow.nodes.map((node) => [node.id, node]))
  if (containerOf(source, nodes) !== containerOf(target, nodes)) {
    return refused('A connection cannot cross the border of an iteration.')
  }
  const handle = sourceHandle ?? source.data.outputAnchors?.[0]?.id
  const exists = flow.edges.some(
    (edge) => edge.source === source.id && edge.target === target.id && edge.sourceHandle === handle,
  )
  return exists ? refused('These two nodes are already connected.') : allowed
}

function checkOutput(source: FlowNode, handle: string | null | undefined): Verdict {
  const { label, hideOutput, outputAnchors } = source.data
  if (handle === errorHandleId(source.id)) {
    return hasErrorBranch(source) ? allowed : refused(`${label} stops the run when it fails: it has no error output.`)
  }
  if (hideOutput) return refused(`${label} has no output.`)
  const exists = !handle || outputAnchors?.some((anchor) => anchor.id === handle)
  return exists ? allowed : refused(`${label} has no such output.`)
}

function checkClassic(flow: FlowDocument, { sourceHandle, targetHandle }: Connection, { target }: Ends): Verdict {
  if (!sourceHandle || !targetHandle) return refused('Connect an output to an input.')
  const offered = handleTypes(sourceHandle)
  const wanted = handleTypes(targetHandle)
  if (!wanted.some((type) => offered.includes(type))) {
    return refused(`This input takes ${wanted.join(' or ')}, the output gives ${offered.join(', ')}.`)
  }
  const taken = flow.edges.some((edge) => edge.target === target.id && edge.targetHandle === targetHandle)
  if (taken && !inputAt(target, targetHandle)?.list) {
    return refused('This input is already connected and takes only one connection.')
  }
  return allowed
}

function endsOf(flow: FlowDocument, connection: Connection): Ends | undefined {
  const source = flow.nodes.find((node) => node.id === connection.source)
  const target = flow.nodes.find((node) => node.id === connection.target)
  return source && target && { source, target }
}

function agentEdgeData({ source, target }: Ends, sourceHandle: string): Record<string, unknown> {
  const label = edgeLabel(source, sourceHandle)
  return {
    sourceColor: source.data.color,
    targetColor: target.data.color,
    ...(label === undefined ? {} : { edgeLabel: label }),
    isHumanInput: source.data.name === HUMAN_INPUT,
  }
}

/** Text that accepts variables stays as typed: the person puts the reference where it belongs. */
function withLink(node: FlowNode, edge: FlowEdge): FlowNode {
  const input = inputAt(node, edge.targetHandle)
  if (!input || input.acceptVariable) return node
  const reference = inputReference(edge.source)
  const before = node.data.inputs?.[input.name]
  const links = input.list ? [...(Array.isArray(before) ? before : []), reference] : reference
  const value = input.name === 'tools' && Array.isArray(links) ? reorderTools(links, String) : links
  return { ...node, data: { ...node.data, inputs: { ...node.data.inputs, [input.name]: value } } }
}
