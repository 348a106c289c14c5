import type { NodeTypes } from '@xyflow/react'
import type { ComponentType, ReactNode } from 'react'
import type { FlowDocument, FlowEdge, FlowNode } from '#contract/flow/document/document.ts'
import type { CanvasFlowType } from '#contract/flow/kinds/facts.ts'
import type { FlowKind } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition, ParamOption } from '#contract/flow/params/definition.ts'
import type { ArrayMove, Patch } from '../../inputs/types.ts'

export type Definitions = ReadonlyMap<string, ComponentDefinition>

export interface FaceTool {
  name: string
  label: string
}

/** References in its lines are drawn as chips. */
export interface Face {
  first: string
  /** Drawn only where the node has a list with items. */
  second: string
  tools: readonly FaceTool[]
}

interface UpsertRules {
  /** Those that take documents. */
  storesOf(flow: Pick<FlowDocument, 'nodes'>): FlowNode[]
  /** Those that have documents connected. */
  filledStores(flow: Pick<FlowDocument, 'nodes' | 'edges'>): FlowNode[]
  /** False for those that read their documents again with each question. */
  keepsDocuments(store: FlowNode): boolean
}

/** Everything the editor takes from one kind of flow. */
export interface CanvasKind {
  type: CanvasFlowType
  /** The rules of its documents. */
  flow: FlowKind
  /** Its vector stores that an upsert fills; null where flows have none. */
  upserts: UpsertRules | null

  NodeIcon: ComponentType<{ name: string; size?: number }>
  /** The components that draw nodes, by the names that `nodeComponent` returns. */
  nodeComponents: NodeTypes
  nodeComponent(node: FlowNode): string

  edgeLabel(edge: FlowEdge, source: FlowNode): string
  /** What a node shows below its name. */
  face(node: FlowNode, definitions: Definitions): Face
  /** What a node that holds other nodes is called inside a sentence; null where there are none. */
  containerNoun: string | null

  /** True while the flow holds nothing but what a new one holds. */
  isEmpty(flow: FlowDocument): boolean

  /** What to do then, for people who may edit. */
  emptyHint(flow: FlowDocument): string

  /** True for nodes that run as a step, and so have run settings. */
  isStep(node: FlowNode): boolean
  /** Shown above the node's inputs; null for most nodes. */
  settingsAbove(node: FlowNode): ReactNode
  /** Shown below one of the node's inputs; null for most nodes. */
  settingsBelow(node: FlowNode, flowId: string | undefined): { param: string; content: ReactNode } | null
  /** Further inputs that a change of inputs sets. */
  proposeInputs(inputs: Readonly<Record<string, unknown>>, patch: Patch): Patch
  /** Adds or reorders items that outputs follow. Returns null for every other input. */
  moveItems(flow: FlowDocument, nodeId: string, change: { input: string; move: ArrayMove }): FlowDocument | null
  /** Returns the flow with the outputs that follow an input which has changed. */
  followInput(flow: FlowDocument, nodeId: string, input: string): FlowDocument
  /** Choices that come from the flow itself, by load method. */
  options: Readonly<Record<string, (flow: FlowDocument, nodeId: string) => ParamOption[]>>
  /** How a person runs this flow, as a sentence. */
  runHint(flow: FlowDocument): string
}
