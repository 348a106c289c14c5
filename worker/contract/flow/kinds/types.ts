/** Everything that depends on the kind of a flow. A new kind is a folder beside this file and a line in `index.ts`. */
import type { FlowType } from '../../chatflows.ts'
import type { Anchor, FlowDocument, FlowEdge, FlowNode, NodeData } from '../document/document.ts'
import type { FlowGraph } from '../document/graph.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import type { NodeProblem, Problem } from '../rules/problem.ts'
import type { Verdict } from '../rules/verdict.ts'

/** A point where edges begin or end. */
export interface Port {
  id: string
  label: string
  /** An edge joins two ports that share a type, or of which one has none. */
  types: readonly string[]
  /** False for an input that accepts a single edge. */
  many: boolean
}

/** In the order in which the node shows them. */
export interface Ports {
  inputs: Port[]
  outputs: Port[]
}

export interface Connection {
  source: string
  target: string
  /** The first output unless given. */
  sourceHandle?: string | null
  /** The first input unless given. */
  targetHandle?: string | null
}

/** The nodes of an edge. */
export interface Ends {
  source: FlowNode
  target: FlowNode
}

/** How a new node of a definition is framed on the canvas. */
export type NodeFrame = Pick<FlowNode, 'type' | 'width' | 'height'> & { style?: { width: number; height: number } }

/** Names under `$flow.state`, `$form` and `$webhook`. */
export interface DeclaredValues {
  state: string[]
  form: string[]
  webhook: string[]
}

export interface FlowKind {
  /** As stored with each flow. */
  type: FlowType
  /** For people, singular: `Agent flow`. */
  label: string
  /** The name of a flow before a person gives it one. */
  newName: string
  /** Exported files are called `<flow name> <suffix>.json`. */
  fileSuffix: string
  /** False for flows that are kept as they were imported. */
  isRunnable: boolean

  /** True for nodes that belong to flows of this kind. */
  ownsNode(data: Pick<NodeData, 'category' | 'type' | 'name'>): boolean
  palette: {
    headings: readonly string[]
    /** One of `headings`, or undefined for a component that is not placed on this canvas. */
    headingOf(definition: Pick<ComponentDefinition, 'name' | 'category'>): string | undefined
  }
  /** The names of the components with which a new flow begins. */
  firstNodes: readonly string[]
  /** Refuses a component that cannot be added to this flow, or to the container `parentNode`. */
  checkPlacement(
    flow: Pick<FlowDocument, 'nodes'>,
    component: Pick<ComponentDefinition, 'name' | 'label'>,
    parentNode?: string,
  ): Verdict

  frame(definition: ComponentDefinition): NodeFrame
  newLabel(definition: ComponentDefinition, nodeId: string): string
  copyLabel(data: NodeData, newId: string): string
  /** As stored with a new node. */
  outputAnchors(definition: ComponentDefinition, nodeId: string): Anchor[]
  /** As stored with a saved node whose outputs follow its inputs; undefined where they follow its definition alone. */
  anchorsFromInputs(node: FlowNode): Anchor[] | undefined
  /** The stored `outputs` of a new node. */
  initialOutputs(definition: ComponentDefinition): Record<string, unknown>

  ports(node: Pick<FlowNode, 'id' | 'data'>): Ports
  /** Two handles with the same key are the same port. */
  handleKey(handleId: string): string
  /** Refuses an edge for reasons of this kind, before its ports are looked at. */
  checkEnds(ends: Ends, connection: Connection): Verdict
  /** Refuses an edge between two ports that fit, for reasons of this kind. */
  checkConnection(flow: FlowDocument, ends: Ends, connection: Connection): Verdict
  /** What to do instead of a cycle, as a sentence without its full stop; empty where nothing can be done. */
  cycleAdvice: string
  /** The index of the output that an edge leaves among those that the source's component declares; undefined for none. */
  outputIndex(source: FlowNode, edge: FlowEdge): number | undefined
  /** The parts of an edge that are stored beside its ends. */
  edgeShape(ends: Ends, sourceHandle: string): Omit<Partial<FlowEdge>, 'id' | 'source' | 'target'>
  /** The target of a new edge, with what its inputs say of the edge. */
  linkInput(target: FlowNode, edge: FlowEdge): FlowNode
  /** The target of a removed edge, without what its inputs said of the edge. */
  unlinkInput(target: FlowNode, edge: FlowEdge): FlowNode

  /** True for nodes that hold others and run them once for each item. */
  isContainer(data: Pick<NodeData, 'name'>): boolean
  /** In texts for people: `iteration`. */
  containerNoun: string
  /** The id of the node to which this one returns without an edge. */
  jumpTarget(node: Pick<FlowNode, 'data'>): string | undefined
  /** The node with another target to return to, or with none. */
  withJumpTarget(node: FlowNode, target: FlowNode | undefined): FlowNode

  /**
   * The errors that keep the flow from running, for rules of this kind alone. The graph holds no sticky notes and no
   * edges that lack an end.
   */
  structureProblems(graph: FlowGraph): Problem[]
  /** Problems of inputs that have rules of their own. */
  inputProblems(node: FlowNode): NodeProblem[]
  /** True for an input that other rules check in place of the rule for required inputs. */
  checksInput(node: FlowNode, param: Pick<InputParam, 'name'>): boolean
  /** All other problems of this kind. `found` are those of single nodes, so that none is told twice. */
  flowProblems(flow: FlowDocument, graph: FlowGraph, found: readonly Problem[]): Problem[]

  /** Values that the flow itself declares for references. */
  declaredValues(flow: Pick<FlowDocument, 'nodes'>): DeclaredValues
  /** The output of a node as a reference offers it: a description, and the keys that it has beside its text. */
  describeOutput(data: NodeData): { description: string; keys: string[] }
}
