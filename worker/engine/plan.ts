/** A flow document made ready to run: nodes in plan order, edges judged by the output they leave, inputs parsed. Pure. */
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { type FlowGraph, findCycle, graphOf, topologicalOrder } from '#contract/flow/document/graph.ts'
import { outputIndex } from '#contract/flow/document/handles.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import { loopTarget } from '#contract/flow/kinds/agentflow/loop.ts'
import { START } from '#contract/flow/kinds/agentflow/nodes.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { paramsOf, withFormerNames } from '#contract/flow/params/params.ts'
import { ERROR_OUTPUT, isErrorHandle, type RunPolicy, runPolicyOf } from '#contract/flow/params/run-policy.ts'
import type { NodeType } from '../nodes/types.ts'
import { findLoops, type LoopTarget } from './loops.ts'
import { compileInputs, compileUpdates, type InputTemplates, type UpdateTemplate } from './resolve-inputs.ts'

export interface PlanEdge {
  source: PlanNode
  target: PlanNode
  /** Which output of a decision node the edge leaves, ERROR_OUTPUT for the error branch, 0 otherwise. */
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
  policy: RunPolicy
  incoming: PlanEdge[]
  outgoing: PlanEdge[]
  /** Bit i is set when the node with index i leads here, directly or not. */
  above: bigint
  /** Containers: what runs inside, once for each item. */
  inside?: Plan
  /** Loop nodes: the id that they name. */
  loopsTo?: string
  /** Loop nodes: where they go back to. */
  backTo?: LoopTarget
  /** The loop targets that go on only when this node has ended. */
  heldUp: LoopTarget[]
  /** As saved. */
  rawInputs: Record<string, unknown>
  params: InputParam[]
  inputs: InputTemplates
  updates: UpdateTemplate[]
}

/** The nodes that run together: of the flow itself, or inside one container. */
export interface Plan {
  nodes: PlanNode[]
  byId: ReadonlyMap<string, PlanNode>
  /** The deepest first. */
  targets: LoopTarget[]
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

/** What the plans of one flow are made of. */
interface Draft {
  byId: ReadonlyMap<string, PlanNode>
  /** By the container in which they lie; undefined = the flow itself. */
  nodes: ReadonlyMap<string | undefined, FlowNode[]>
  edges: ReadonlyMap<string | undefined, FlowEdge[]>
  problems: PlanProblem[]
}

/**
 * Compiles a flow. Sticky notes and edges without both ends are left out.
 * @throws HeddleError `run_failed` with all `problems`: unknown node types, no start or several, nodes that nothing leads
 * to, cycles, edges across the border of a container, loops to nowhere.
 */
export function compile(flow: FlowDocument, catalogue: Catalogue): Plan {
  const drawn = flow.nodes.filter(({ data }) => !isStickyNote(data))
  const byId = planNodes(drawn, catalogue)
  const parents = new Map(
    drawn.map(({ id, parentNode }) => [id, byId.get(parentNode ?? '')?.type.iterate && parentNode]),
  )
  const joined = flow.edges.filter(({ source, target }) => byId.has(source) && byId.has(target))
  const [within, across] = partition(joined, ({ source, target }) => parents.get(source) === parents.get(target))
  const draft: Draft = {
    byId,
    nodes: Map.groupBy(drawn, ({ id }) => parents.get(id)),
    edges: Map.groupBy(within, ({ source }) => parents.get(source)),
    problems: across.map((edge) => borderProblem(edge, byId)),
  }
  refuse(nestingProblems(draft, parents))
  draft.problems.push(...startProblems(draft))
  const plan = planOf(undefined, draft)
  refuse(draft.problems)
  return plan
}

/** Whether `ancestor` leads to `node`, directly or not. */
export function leadsTo(ancestor: PlanNode, node: PlanNode): boolean {
  return hasBit(node.above, ancestor)
}

export function bitOf({ index }: PlanNode): bigint {
  return 1n << BigInt(index)
}

export function hasBit(bits: bigint, { index }: PlanNode): boolean {
  return ((bits >> BigInt(index)) & 1n) === 1n
}

function planNodes(nodes: FlowNode[], catalogue: Catalogue): Map<string, PlanNode> {
  const byId = new Map<string, PlanNode>()
  const problems: PlanProblem[] = []
  for (const node of nodes) {
    const type = catalogue.node(node.data.name)
    if (type) byId.set(node.id, planNode(node, type, catalogue))
    else problems.push({ nodeId: node.id, message: `${labelOf(node)}: unknown node type "${node.data.name}"` })
  }
  refuse(problems)
  return byId
}

function planNode(node: FlowNode, type: NodeType, catalogue: Catalogue): PlanNode {
  const { data } = node
  const params = type.definition.inputs.length > 0 ? type.definition.inputs : paramsOf(node)
  const inputs = withFormerNames(params, data.inputs ?? {})
  return {
    index: -1,
    id: node.id,
    name: data.name,
    label: labelOf(node),
    credential: data.credential || undefined,
    type,
    policy: runPolicyOf(data),
    incoming: [],
    outgoing: [],
    above: 0n,
    loopsTo: loopTarget(node),
    heldUp: [],
    rawInputs: inputs,
    params,
    inputs: compileInputs(inputs, params, catalogue.componentInputs),
    updates: compileUpdates(inputs, params),
  }
}

/** The plan of what lies in one container, with the plans of the containers in it. */
function planOf(container: string | undefined, draft: Draft): Plan {
  const { byId, problems } = draft
  const edges = draft.edges.get(container) ?? []
  const graph = graphOf({ nodes: draft.nodes.get(container) ?? [], edges })
  problems.push(...cycleProblems(graph, byId), ...connectAll(edges, byId))
  const nodes = topologicalOrder(graph).order.map((id) => byId.get(id) as PlanNode)
  nodes.forEach((node, index) => {
    node.index = index
    node.above = node.incoming.reduce((bits, { source }) => bits | source.above | bitOf(source), 0n)
    if (node.type.iterate) node.inside = planOf(node.id, draft)
  })
  const loops = findLoops(nodes)
  problems.push(...loops.problems)
  return { nodes, byId: new Map(nodes.map((node) => [node.id, node])), targets: loops.targets }
}

/** Two edges that say the same count once. */
function connectAll(edges: FlowEdge[], byId: ReadonlyMap<string, PlanNode>): PlanProblem[] {
  const connected = new Set<string>()
  return edges.flatMap((edge) => {
    const source = byId.get(edge.source) as PlanNode
    const target = byId.get(edge.target) as PlanNode
    const output = outputOf(edge, source)
    if (output === undefined) {
      const message = `${source.label}: the edge to ${target.label} does not say which output it leaves; draw it again`
      return [{ nodeId: source.id, message }]
    }
    const said = JSON.stringify([source.id, output, target.id])
    if (!connected.has(said)) connect({ source, target, output })
    connected.add(said)
    return []
  })
}

function connect(edge: PlanEdge): void {
  edge.source.outgoing.push(edge)
  edge.target.incoming.push(edge)
}

/** Decision nodes declare their outputs and number them; all others have one, and an error branch beside it. */
function outputOf(edge: FlowEdge, source: PlanNode): number | undefined {
  if (isErrorHandle(edge.sourceHandle)) return ERROR_OUTPUT
  if ((source.type.definition.outputs?.length ?? 0) === 0) return 0
  const label = Number(edge.data?.edgeLabel ?? Number.NaN)
  return outputIndex(edge.sourceHandle) ?? (Number.isInteger(label) ? label : undefined)
}

function borderProblem({ source, target }: FlowEdge, byId: ReadonlyMap<string, PlanNode>): PlanProblem {
  const message = `${byId.get(source)?.label}: the edge to ${byId.get(target)?.label} crosses the border of an iteration; connect the iteration itself`
  return { nodeId: source, message }
}

/** What nothing leads to never runs; inside a container such nodes are where an item begins. */
function startProblems({ byId, nodes, edges }: Draft): PlanProblem[] {
  const starts = [...byId.values()].filter(({ name }) => name === START)
  if (starts.length === 0) return [{ message: 'The flow has no Start node: add one and connect it' }]
  if (starts.length > 1) {
    const names = starts.map(({ label, id }) => `${label} (${id})`).join(', ')
    return [{ nodeId: starts[1]?.id, message: `The flow has several Start nodes, only one is allowed: ${names}` }]
  }
  const top = nodes.get(undefined) ?? []
  const entered = new Set((edges.get(undefined) ?? []).map(({ target }) => target))
  const inside = starts.filter(({ id }) => !top.some((node) => node.id === id))
  return [
    ...inside.map(({ id, label }) => ({ nodeId: id, message: `${label}: the Start node cannot lie in an iteration` })),
    ...top.flatMap((node) => {
      if ((node.data.name === START) !== entered.has(node.id)) return []
      const issue = entered.has(node.id)
        ? 'no edge may lead to the Start node'
        : 'nothing leads to this node; connect it or delete it'
      return [{ nodeId: node.id, message: `${labelOf(node)}: ${issue}` }]
    }),
  ]
}

function cycleProblems(graph: FlowGraph, byId: ReadonlyMap<string, PlanNode>): PlanProblem[] {
  const cycle = findCycle(graph)
  if (!cycle) return []
  const names = cycle.map((id) => byId.get(id)?.label ?? id).join(' → ')
  return [{ nodeId: cycle[0], message: `These nodes lead back to themselves: ${names}. Remove one of their edges` }]
}

/** How many containers may lie in each other. */
const MAX_NESTING = 20

/** Containers that lie in each other would be in no plan, and neither would what they hold. */
function nestingProblems({ byId }: Draft, parents: ReadonlyMap<string, string | undefined>): PlanProblem[] {
  return [...byId.values()].flatMap(({ id, label }) => {
    const seen = new Set<string>()
    let outer = parents.get(id)
    while (outer !== undefined && !seen.has(outer) && seen.size <= MAX_NESTING) {
      seen.add(outer)
      outer = parents.get(outer)
    }
    if (outer === undefined) return []
    const issue = seen.has(outer) ? 'an iteration that lies in itself' : `more than ${MAX_NESTING} iterations`
    return [{ nodeId: id, message: `${label}: lies in ${issue}` }]
  })
}

function labelOf(node: FlowNode): string {
  return node.data.label || node.id
}

function partition<Item>(items: Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))]
}

/** How many problems a refusal names. */
const MAX_NAMED = 20

function refuse(problems: PlanProblem[]): void {
  if (problems.length === 0) return
  const named = problems.slice(0, MAX_NAMED).map(({ message }) => message)
  const more = problems.length - named.length
  throw new HeddleError('run_failed', [...named, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'), { problems })
}
