/** Edges between nodes. */
import type { BackEdge, Connection, Ends, FlowKind, Port } from '../kinds/types.ts'
import { errorHandleId, isErrorHandle } from '../params/run-policy.ts'
import { allowed, refused, type Verdict } from '../rules/verdict.ts'
import type { FlowDocument, FlowEdge, FlowNode } from './document.ts'
import { downstreamOf, graphOf } from './graph.ts'
import { edgeId } from './handles.ts'

export type { Connection }

/** Rejects an invalid connection with the reason. */
export function checkConnection(flow: FlowDocument, connection: Connection, kind: FlowKind): Verdict {
  const ends = endsOf(flow, connection)
  if (!ends) return refused('One of the two nodes is no longer on the canvas.')
  if (ends.source === ends.target) return refused('A node cannot be connected to itself.')
  const checks = [
    () => kind.checkEnds(ends, connection),
    () => checkPorts(flow, { ends, connection, kind }),
    () => kind.checkConnection(flow, ends, connection),
    () => checkCycle(flow, connection, kind),
  ]
  for (const check of checks) {
    const verdict = check()
    if (!verdict.ok) return verdict
  }
  return allowed
}

/** Returns the edge of a checked connection in Flowise's format. Throws when one of its nodes does not exist. */
export function createEdge(flow: FlowDocument, connection: Connection, kind: FlowKind): FlowEdge {
  const ends = endsOf(flow, connection)
  if (!ends) throw new Error(`No such nodes: ${connection.source}, ${connection.target}`)
  const { source, target } = connection
  const sourceHandle = connection.sourceHandle ?? defaultOutput(kind.ports(ends.source).outputs)?.id ?? ''
  const targetHandle = connection.targetHandle ?? kind.ports(ends.target).inputs[0]?.id ?? ''
  const id = edgeId(source, sourceHandle, { target, targetHandle })
  return { source, sourceHandle, target, targetHandle, ...kind.edgeShape(ends, sourceHandle), id }
}

/**
 * Returns the flow with the edge, and with the target's inputs that follow it; with a back edge where the kind makes one
 * of a connection that closes a cycle.
 */
export function connectNodes(flow: FlowDocument, connection: Connection, kind: FlowKind): FlowDocument {
  const ends = endsOf(flow, connection)
  if (ends && kind.newBackEdge && closesCycle(flow, connection)) {
    return addBackEdge(flow, ends.source, { edge: kind.newBackEdge(ends, connection), kind })
  }
  const edge = createEdge(flow, connection, kind)
  const nodes = flow.nodes.map((node) => (node.id === edge.target ? kind.linkInput(node, edge) : node))
  return { ...flow, nodes, edges: [...flow.edges, edge] }
}

interface Checked {
  ends: Ends
  connection: Connection
  kind: FlowKind
}

function checkPorts(flow: FlowDocument, { ends, connection, kind }: Checked): Verdict {
  const { source, target } = ends
  const find = (ports: Port[], id: string) => ports.find((port) => kind.handleKey(port.id) === kind.handleKey(id))
  const { inputs } = kind.ports(target)
  const { outputs } = kind.ports(source)
  if (inputs.length === 0) return refused(`${target.data.label} has no input.`)
  const output = connection.sourceHandle ? find(outputs, connection.sourceHandle) : defaultOutput(outputs)
  if (!output) return refused(noOutput(ends, outputs, connection))
  const input = connection.targetHandle ? find(inputs, connection.targetHandle) : inputs[0]
  if (!input) return refused(`${target.data.label} has no such input.`)
  if (!haveTypeInCommon(output, input)) {
    return refused(`This input takes ${input.types.join(' or ')}, the output gives ${output.types.join(', ')}.`)
  }
  const isTaken = flow.edges.some(
    (edge) => edge.target === target.id && kind.handleKey(edge.targetHandle ?? '') === kind.handleKey(input.id),
  )
  if (isTaken && !input.many) return refused('This input is already connected and takes only one connection.')
  return allowed
}

function noOutput({ source }: Ends, outputs: Port[], { sourceHandle }: Connection): string {
  const { id, data } = source
  if (sourceHandle === errorHandleId(id)) return `${data.label} stops the run when it fails: it has no error output.`
  return defaultOutput(outputs) === undefined ? `${data.label} has no output.` : `${data.label} has no such output.`
}

const defaultOutput = (outputs: Port[]) => outputs.find(({ id }) => !isErrorHandle(id))

function haveTypeInCommon(output: Port, input: Port): boolean {
  if (output.types.length === 0 || input.types.length === 0) return true
  return input.types.some((type) => output.types.includes(type))
}

function addBackEdge(
  flow: FlowDocument,
  source: FlowNode,
  { edge, kind }: { edge: BackEdge; kind: FlowKind },
): FlowDocument {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]))
  const changed = kind.withBackEdges(source, [...kind.backEdges(source), edge], byId)
  return { ...flow, nodes: flow.nodes.map((node) => (node === source ? changed : node)) }
}

const closesCycle = (flow: FlowDocument, { source, target }: Connection): boolean =>
  downstreamOf(graphOf(flow), target).has(source)

function checkCycle(flow: FlowDocument, connection: Connection, { cycleAdvice, newBackEdge }: FlowKind): Verdict {
  if (newBackEdge || !closesCycle(flow, connection)) return allowed
  return refused(`${['This connection would create a cycle', cycleAdvice].filter(Boolean).join('. ')}.`)
}

function endsOf(flow: FlowDocument, connection: Connection): Ends | undefined {
  const source = flow.nodes.find((node) => node.id === connection.source)
  const target = flow.nodes.find((node) => node.id === connection.target)
  return source && target && { source, target }
}
