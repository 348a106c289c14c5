/** A flow document made ready to run: nodes in plan order, edges judged by the output they leave, inputs parsed. Pure. */
import { HeddleError } from '#contract/errors.ts'
import type { InputParam } from '#contract/flow/definition.ts'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document.ts'
import { type FlowGraph, findCycle, graphOf, topologicalOrder } from '#contract/flow/graph.ts'
import { outputIndex } from '#contract/flow/handles.ts'
import { isStickyNote, START } from '#contract/flow/kinds.ts'
import { paramsOf } from '#contract/flow/params.ts'
import type { NodeType } from '../nodes/types.ts'
import { compileInputs, compileUpdates, type InputTemplates, type UpdateTemplate } from './resolve.ts'

export interface PlanEdge {
  source: PlanNode
  target: PlanNode
  /** Which output of a decision node the edge leaves; 0 for every other node. */
  output: number
}

export interface PlanNode {
  /** Position in plan order: every node comes after all that lead to it. */
  index: number
  id: string
  name: string
  label: string
  credential?: string
  type: NodeType
  incoming: PlanEdge[]
  outgoing: PlanEdge[]
  /** Bit i is set when the node with index i leads here, directly or not. */
  above: bigint
  /** As saved. */
  rawInputs: Record<string, unknown>
  inputs: InputTemplates
  updates: UpdateTemplate[]
}

export interface Plan {
  nodes: PlanNode[]
  byId: ReadonlyMap<string, PlanNode>
}

/** How the compiler asks for what is registered. */
export interface Catalogue {
  node(name: string): NodeType | undefined
  /** The parameters of a chat model, tool, ... that a node's parameter may choose. */
  componentInputs(name: string): InputParam[] | undefined
}

export interface PlanProblem {
  nodeId?: string
  message: string
}

/**
 * Compiles a flow. Sticky notes and edges without both ends are left out.
 * @throws HeddleError `run_failed` with all `problems`: unknown node types, no start or several, nodes that nothing leads to, cycles.
 */
export function compile(flow: FlowDocument, catalogue: Catalogue): Plan {
  const problems: PlanProblem[] = []
  const byId = new Map<string, PlanNode>()
  for (const node of flow.nodes) {
    if (isStickyNote(node.data)) continue
    const type = catalogue.node(node.data.name)
    if (type) byId.set(node.id, planNode(node, type, catalogue))
    else problems.push({ nodeId: node.id, message: `${labelOf(node)}: unknown node type "${node.data.name}"` })
  }
  refuse(problems)
  const graph = graphOf({
    nodes: flow.nodes.filter(({ id }) => byId.has(id)),
    edges: flow.edges.filter(({ source, target }) => byId.has(source) && byId.has(target)),
  })
  refuse([...startProblems(graph, byId), ...cycleProblems(graph, byId), ...connectAll(flow.edges, byId)])
  const nodes = topologicalOrder(graph).order.map((id) => byId.get(id) as PlanNode)
  nodes.forEach((node, index) => {
    node.index = index
    node.above = node.incoming.reduce((bits, { source }) => bits | source.above | (1n << BigInt(source.index)), 0n)
  })
  return { nodes, byId }
}

/** Whether `ancestor` leads to `node`, directly or not. */
export function leadsTo(ancestor: PlanNode, node: PlanNode): boolean {
  return ((node.above >> BigInt(ancestor.index)) & 1n) === 1n
}

function labelOf(node: FlowNode): string {
  return node.data.label || node.id
}

function planNode(node: FlowNode, type: NodeType, catalogue: Catalogue): PlanNode {
  const { data } = node
  const params = type.definition.inputs.length > 0 ? type.definition.inputs : paramsOf(node)
  const inputs = data.inputs ?? {}
  return {
    index: -1,
    id: node.id,
    name: data.name,
    label: labelOf(node),
    credential: data.credential || undefined,
    type,
    incoming: [],
    outgoing: [],
    above: 0n,
    rawInputs: inputs,
    inputs: compileInputs(inputs, params, catalogue.componentInputs),
    updates: compileUpdates(inputs, params),
  }
}

function connectAll(edges: FlowEdge[], byId: Map<string, PlanNode>): PlanProblem[] {
  const problems: PlanProblem[] = []
  for (const edge of edges) {
    const source = byId.get(edge.source)
    const target = byId.get(edge.target)
    if (!source || !target) continue
    const output = outputOf(edge, source)
    if (output === undefined) {
      const message = `${source.label}: the edge to ${target.label} does not say which output it leaves; draw it again`
      problems.push({ nodeId: source.id, message })
    } else connect({ source, target, output })
  }
  return problems
}

/** Two edges that say the same count once. */
function connect(edge: PlanEdge): void {
  if (edge.source.outgoing.some(({ target, output }) => target === edge.target && output === edge.output)) return
  edge.source.outgoing.push(edge)
  edge.target.incoming.push(edge)
}

/** Decision nodes declare their outputs and number them; all others have one. */
function outputOf(edge: FlowEdge, source: PlanNode): number | undefined {
  if ((source.type.definition.outputs?.length ?? 0) === 0) return 0
  const label = Number(edge.data?.edgeLabel ?? Number.NaN)
  return outputIndex(edge.sourceHandle) ?? (Number.isInteger(label) ? label : undefined)
}

function startProblems(graph: FlowGraph, byId: Map<string, PlanNode>): PlanProblem[] {
  const starts = [...byId.values()].filter(({ name }) => name === START)
  if (starts.length === 0) return [{ message: 'The flow has no Start node: add one and connect it' }]
  if (starts.length > 1) {
    const names = starts.map(({ label, id }) => `${label} (${id})`).join(', ')
    return [{ nodeId: starts[1]?.id, message: `The flow has several Start nodes, only one is allowed: ${names}` }]
  }
  return [...byId.values()].flatMap(({ id, name, label }) => {
    const isEntered = graph.incoming.has(id)
    if (name === START)
      return isEntered ? [{ nodeId: id, message: `${label}: no edge may lead to the Start node` }] : []
    return isEntered ? [] : [{ nodeId: id, message: `${label}: nothing leads to this node; connect it or delete it` }]
  })
}

function cycleProblems(graph: FlowGraph, byId: Map<string, PlanNode>): PlanProblem[] {
  const cycle = findCycle(graph)
  if (!cycle) return []
  const names = cycle.map((id) => byId.get(id)?.label ?? id).join(' → ')
  return [{ nodeId: cycle[0], message: `These nodes lead back to themselves: ${names}. Remove one of their edges` }]
}

function refuse(problems: PlanProblem[]): void {
  if (problems.length === 0) return
  throw new HeddleError('run_failed', problems.map(({ message }) => message).join('\n'), { problems })
}
