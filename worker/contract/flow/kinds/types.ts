/** Everything that depends on the kind of a flow. A new kind is a folder beside this file and a line in `index.ts`. */
import type { Anchor, FlowDocument, FlowEdge, FlowNode, NodeData } from '../document/document.ts'
import type { FlowGraph } from '../document/graph.ts'
import type { ComponentDefinition, InputParam } from '../params/definition.ts'
import type { RunPolicy } from '../params/run-policy.ts'
import type { NodeProblem, Problem } from '../rules/problem.ts'
import type { Verdict } from '../rules/verdict.ts'
import type { KindFacts } from './kind-facts.ts'

/** A point where edges begin or end. */
export interface Port {
  id: string
  label: string
  /** An edge joins two ports that share a type, or of which one has none. */
  types: readonly string[]
  /** False for an input that accepts a single edge. */
  many: boolean
}

/** The ports of a node, in the order in which it shows them. */
export interface Ports {
  inputs: Port[]
  outputs: Port[]
}

export interface Connection {
  source: string
  target: string
  /** Defaults to the first output. */
  sourceHandle?: string | null
  /** Defaults to the first input. */
  targetHandle?: string | null
}

/**
 * A way back to an earlier node, where a new round begins. It is none of the document's edges, which form no cycle: the
 * kind reads it from the inputs of its source.
 */
export interface BackEdge {
  /** The id of the node where it leads, in the same container as its source. */
  target: string
  /** The route by which its source names it; unique among the labelled back edges of a node. Empty where there is one. */
  label: string
  /**
   * When it is taken, as a text that the source's node type evaluates in a run. Undefined: whenever the source takes that
   * route.
   */
  condition?: string
  /** The name of the input that holds it, and of a labelled one nothing but back edges. */
  param: string
}

/** The nodes of an edge. */
export interface Ends {
  source: FlowNode
  target: FlowNode
}

/** The frame of a new node on the canvas. */
export type NodeFrame = Pick<FlowNode, 'type' | 'width' | 'height'> & { style?: { width: number; height: number } }

/** A node: the name of its component, and what differs from its defaults. */
export interface Part {
  name: string
  label?: string
  /** The chosen output of a node that has several. */
  output?: string
  inputs?: Readonly<Record<string, unknown>>
  at?: readonly [x: number, y: number]
  /** Index of the part that contains it; `at` is then relative to that part. */
  inside?: number
  runPolicy?: Partial<RunPolicy>
}

/** Indexes of two parts, and of the first one's output; `ERROR_OUTPUT` is the output of a failed step. */
export type Link = readonly [from: number, to: number, output?: number]

/** Names under `$flow.state`, `$form` and `$webhook`. */
export interface DeclaredValues {
  state: string[]
  form: string[]
  webhook: string[]
}

/** A kind of flow, with all that drawing needs. */
export interface FlowKind extends KindFacts {
  /** True for nodes that belong to flows of this kind. */
  ownsNode(data: Pick<NodeData, 'category' | 'type' | 'name'>): boolean
  palette: {
    headings: readonly string[]
    /** Returns one of `headings`, or undefined for a component that this canvas does not offer. */
    headingOf(definition: Pick<ComponentDefinition, 'name' | 'category'>): string | undefined
  }
  /** The nodes of a new flow. */
  firstNodes: readonly Part[]
  /** Without them, the first nodes are connected in a row. With them, all are there or none. */
  firstLinks?: readonly Link[]
  /** Rejects a component that cannot be added to this flow, or to the container `parentNode`. */
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
  /** As stored with a saved node whose outputs follow its inputs; undefined where they follow only its definition. */
  anchorsFromInputs(node: FlowNode): Anchor[] | undefined
  /** The stored `outputs` of a new node. */
  initialOutputs(definition: ComponentDefinition): Record<string, unknown>

  ports(node: Pick<FlowNode, 'id' | 'data'>): Ports
  /** Two handles with the same key are the same port. */
  handleKey(handleId: string): string
  /** Returns a new node with the output chosen that this input takes, where a person chooses one of several. */
  withOutputFor?(node: FlowNode, input: Port): FlowNode
  /** Rejects an edge for reasons of this kind, before its ports are checked. */
  checkEnds(ends: Ends, connection: Connection): Verdict
  /** Rejects an edge between two matching ports, for reasons of this kind. */
  checkConnection(flow: FlowDocument, ends: Ends, connection: Connection): Verdict
  /** What to do instead of a cycle, as a sentence without its full stop; empty when there is no alternative. */
  cycleAdvice: string
  /** Returns the index of an edge's output among the declared outputs of the source's component, or undefined. */
  outputIndex(source: FlowNode, edge: FlowEdge): number | undefined
  /** Returns the parts of an edge that are stored besides its ends. */
  edgeShape(ends: Ends, sourceHandle: string): Omit<Partial<FlowEdge>, 'id' | 'source' | 'target'>
  /** Returns the target of a new edge, with the inputs that follow it. */
  linkInput(target: FlowNode, edge: FlowEdge): FlowNode
  /** Returns the target of a removed edge, without the inputs that followed it. */
  unlinkInput(target: FlowNode, edge: FlowEdge): FlowNode

  /** Rejects a node that runs cannot skip; all of this kind may be disabled without it. */
  checkDisabling?(node: FlowNode): Verdict
  /** Returns true for nodes that contain others and run them once per item. */
  isContainer(data: Pick<NodeData, 'name'>): boolean
  /** In texts for people: `iteration`. */
  containerNoun: string
  /** Returns the back edges of a node in the order in which they are tried, also those whose target does not exist. */
  backEdges(node: Pick<FlowNode, 'data'>): BackEdge[]
  /** Returns the node with these back edges alone. @param nodes holds their targets, by id */
  withBackEdges(node: FlowNode, edges: readonly BackEdge[], nodes: ReadonlyMap<string, FlowNode>): FlowNode
  /** Returns the back edge that a connection becomes which would close a cycle. Absent: it is refused with `cycleAdvice`. */
  newBackEdge?(ends: Ends, connection: Connection): BackEdge

  /** Returns the node that defines how a run begins, with its form and state; undefined for kinds without one. */
  startNode(flow: Pick<FlowDocument, 'nodes'>): FlowNode | undefined
  /** Returns the values that the flow declares for references. */
  declaredValues(flow: Pick<FlowDocument, 'nodes'>): DeclaredValues
  /** Returns the text between the braces that means the output of a node. */
  outputReference(nodeId: string): string
  /** Names of a chat's values that its flows can refer to: `question`. Undefined for all. */
  chatValues?: readonly string[]
  /** Returns the output of a node for references: a description, and its keys besides its text. */
  describeOutput(data: NodeData): { description: string; keys: string[] }
}

/** A kind with the rules that hold its flows to be sound. Canvases load them after they have drawn. */
export interface CheckedFlowKind extends FlowKind {
  /**
   * Returns the errors that prevent a run, by the rules of this kind alone. The graph contains no sticky notes and no
   * edges without both ends.
   */
  structureProblems(graph: FlowGraph): Problem[]
  /** Returns the problems of inputs with rules of their own. */
  inputProblems(node: FlowNode): NodeProblem[]
  /** Returns true for an input that other rules check instead of the rule for required inputs. */
  checksInput(node: FlowNode, param: Pick<InputParam, 'name' | 'type'>): boolean
  /** Returns all other problems of this kind. `found` are those of single nodes, so that none is reported twice. */
  flowProblems(flow: FlowDocument, graph: FlowGraph, found: readonly Problem[]): Problem[]
}
