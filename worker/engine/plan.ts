/** A flow document made ready to run: nodes in plan order, edges judged by the output they leave, inputs parsed. Pure. */
import { HeddleError } from '#contract/errors.ts'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import { containerOf, graphOf, topologicalOrder } from '#contract/flow/document/graph.ts'
import { isStickyNote } from '#contract/flow/document/sticky-note.ts'
import type { BackEdge, CheckedFlowKind } from '#contract/flow/kinds/types.ts'
import type { InputParam } from '#contract/flow/params/definition.ts'
import { isDisabled } from '#contract/flow/params/disabled.ts'
import { paramsOf, withFormerNames } from '#contract/flow/params/params.ts'
import { ERROR_OUTPUT, isErrorHandle, type RunPolicy, runPolicyOf } from '#contract/flow/params/run-policy.ts'
import { aboutNode, error, type Problem, problemText } from '#contract/flow/rules/problem.ts'
import { danglingEdgeIssue, structureProblems, unknownTypeIssue } from '#contract/flow/rules/structure.ts'
import type { ComponentNodeType, NodeType, Team } from '../nodes/types.ts'
import { findLoops, type LoopTarget } from './loops.ts'
import { compileInputs, compileUpdates, type InputTemplates, type UpdateTemplate } from './resolve-inputs.ts'

export interface PlanEdge {
  source: PlanNode
  target: PlanNode
  /** Which output of a decision node the edge leaves, ERROR_OUTPUT for the error branch, 0 otherwise. */
  output: number
}

/** A node with inputs: templates, and connections to components. */
export interface Wired {
  id: string
  name: string
  label: string
  credential?: string
  /** The chosen output of a node with several; empty otherwise. */
  output: string
  /** As saved. */
  rawInputs: Record<string, unknown>
  inputs: InputTemplates
  /** The components at each input. */
  links: ReadonlyMap<string, readonly PlanComponent[]>
}

/** A node that hands something to others in place of running. It is opened within the steps that use it. */
export interface PlanComponent extends Wired {
  type: ComponentNodeType
}

export interface PlanNode extends Wired {
  /** Position in plan order: every node comes after all that lead to it. */
  index: number
  type: NodeType
  policy: RunPolicy
  /** Skipped: what arrives goes on to the nodes after it. */
  isDisabled: boolean
  incoming: PlanEdge[]
  outgoing: PlanEdge[]
  /** Bit i is set when the node with index i leads here, directly or not. */
  above: bigint
  /** Containers: decides what runs inside, in which turns. */
  team?: Team
  /** Containers: the plans that its turns run. An iteration has one, under an empty name. */
  members: ReadonlyMap<string, Plan>
  backEdges: readonly BackEdge[]
  /** Where its back edges lead, by the target's id. */
  backTo: Map<string, LoopTarget>
  /** The loop targets that go on only when this node has ended. */
  heldUp: LoopTarget[]
  params: InputParam[]
  updates: UpdateTemplate[]
}

/** The nodes that run together: of the flow itself, or inside one container. */
export interface Plan {
  nodes: PlanNode[]
  byId: ReadonlyMap<string, PlanNode>
  /** The deepest first. */
  targets: LoopTarget[]
}

/** The registered nodes and components, as the compiler reads them. */
export interface Catalogue {
  node(name: string): NodeType | undefined
  /** Returns what a node of a chat flow provides when it does not run. */
  component(name: string): ComponentNodeType | undefined
  /** The parameters of a chat model, tool, ... that a node's parameter may choose. */
  componentInputs(name: string): InputParam[] | undefined
}

/** Compiles flows of one type. */
export type Compile = (flow: FlowDocument, catalogue: Catalogue) => Plan

/** What the plans of one flow are made of. */
interface Draft {
  kind: CheckedFlowKind
  drawn: ReadonlyMap<string, FlowNode>
  byId: ReadonlyMap<string, PlanNode>
  /** By the container that holds them; undefined = the flow itself. */
  nodes: ReadonlyMap<string | undefined, FlowNode[]>
  edges: ReadonlyMap<string | undefined, FlowEdge[]>
  problems: Problem[]
}

/**
 * Compiles a flow. Sticky notes and edges without both ends are left out.
 * @throws HeddleError `run_failed` with all `problems`: unknown node types, structural problems of the flow's kind, edges
 * that leave no output
 */
export function compile(flow: FlowDocument, catalogue: Catalogue, kind: CheckedFlowKind): Plan {
  const drawn = flow.nodes.filter(({ data }) => !isStickyNote(data))
  const byId = planNodes(drawn, catalogue, kind)
  refuse(structureProblems(flow, kind))
  return connectPlan(flow, { drawn, byId, kind })
}

/** Returns the plan of nodes that are planned already, along the edges between them. */
export function connectPlan(
  flow: Pick<FlowDocument, 'edges'>,
  { drawn, byId, kind }: { drawn: FlowNode[]; byId: ReadonlyMap<string, PlanNode>; kind: CheckedFlowKind },
): Plan {
  const nodes = new Map(drawn.map((node) => [node.id, node]))
  const parents = new Map(drawn.map((node) => [node.id, containerOf(node, nodes, kind)]))
  const joined = flow.edges.filter(({ source, target }) => byId.has(source) && byId.has(target))
  const draft: Draft = {
    kind,
    drawn: nodes,
    byId,
    nodes: Map.groupBy(drawn, ({ id }) => parents.get(id)),
    edges: Map.groupBy(joined, ({ source }) => parents.get(source)),
    problems: [],
  }
  const plan = buildPlan(undefined, draft)
  refuse(draft.problems)
  return plan
}

/** True when `ancestor` leads to `node`, directly or not. */
export function leadsTo(ancestor: PlanNode, node: PlanNode): boolean {
  return hasBit(node.above, ancestor)
}

export function bitOf({ index }: PlanNode): bigint {
  return 1n << BigInt(index)
}

export function hasBit(bits: bigint, { index }: PlanNode): boolean {
  return ((bits >> BigInt(index)) & 1n) === 1n
}

function planNodes(nodes: FlowNode[], catalogue: Catalogue, kind: CheckedFlowKind): Map<string, PlanNode> {
  const byId = new Map<string, PlanNode>()
  const problems: Problem[] = []
  for (const node of nodes) {
    const type = catalogue.node(node.data.name)
    if (type) byId.set(node.id, { ...planNode(node, type, catalogue), backEdges: kind.backEdges(node) })
    else problems.push(...aboutNode(node, [error(unknownTypeIssue(node.data.name))]))
  }
  refuse(problems)
  return byId
}

export function planNode(node: FlowNode, type: NodeType, catalogue: Catalogue): PlanNode {
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
    isDisabled: isDisabled(data),
    incoming: [],
    outgoing: [],
    above: 0n,
    members: new Map(),
    heldUp: [],
    backEdges: [],
    backTo: new Map(),
    output: '',
    rawInputs: inputs,
    links: new Map(),
    params,
    inputs: compileInputs(inputs, params, catalogue.componentInputs),
    updates: compileUpdates(inputs, params),
  }
}

/** The plan of what lies in one container, with the plans of the containers in it. */
function buildPlan(container: string | undefined, draft: Draft): Plan {
  const { byId, problems, kind } = draft
  const edges = draft.edges.get(container) ?? []
  const graph = graphOf({ nodes: draft.nodes.get(container) ?? [], edges })
  problems.push(...connectAll(edges, draft))
  const nodes = topologicalOrder(graph).order.map((id) => byId.get(id) as PlanNode)
  nodes.forEach((node, index) => {
    node.index = index
    node.above = node.incoming.reduce((bits, { source }) => bits | source.above | bitOf(source), 0n)
    if (kind.isContainer(node)) contain(node, buildPlan(node.id, draft))
  })
  return { nodes, byId: new Map(nodes.map((node) => [node.id, node])), targets: findLoops(nodes) }
}

/** Makes a node a container that runs one plan in all of its turns. */
function contain(node: PlanNode, inside: Plan): void {
  node.team = node.type.team
  node.members = new Map([['', inside]])
}

/** Two edges that say the same count once. */
function connectAll(edges: FlowEdge[], { byId, drawn, kind }: Draft): Problem[] {
  const connected = new Set<string>()
  return edges.flatMap((edge) => {
    const source = byId.get(edge.source) as PlanNode
    const target = byId.get(edge.target) as PlanNode
    const output = outputOf(edge)
    if (output === undefined) {
      const { id: nodeId, label } = source
      return [{ nodeId, label, ...error(danglingEdgeIssue(label, target.label)) }]
    }
    const said = JSON.stringify([source.id, output, target.id])
    if (!connected.has(said)) connect({ source, target, output })
    connected.add(said)
    return []
  })

  /** Decision nodes declare their outputs; all others have one, and an error branch beside it. */
  function outputOf(edge: FlowEdge): number | undefined {
    if (isErrorHandle(edge.sourceHandle)) return ERROR_OUTPUT
    const { type } = byId.get(edge.source) as PlanNode
    if ((type.definition.outputs?.length ?? 0) === 0) return 0
    return kind.outputIndex(drawn.get(edge.source) as FlowNode, edge)
  }
}

function connect(edge: PlanEdge): void {
  edge.source.outgoing.push(edge)
  edge.target.incoming.push(edge)
}

export function labelOf(node: FlowNode): string {
  return node.data.label || node.id
}

/** How many problems a refusal names. */
const MAX_NAMED = 20

export function refuse(problems: Problem[]): void {
  if (problems.length === 0) return
  const named = problems.slice(0, MAX_NAMED).map(problemText)
  const more = problems.length - named.length
  throw new HeddleError('run_failed', [...named, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'), { problems })
}
