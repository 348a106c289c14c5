/** A design of Google ADK: its agents, what they are set to, and which agents, tools and code they refer to. */
import type { AdkClass } from '#contract/frameworks/adk.ts'
import type { Span } from '../python-yaml.ts'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

export interface Design {
  /** The folder that the files were given in: the name of the Python package. */
  folder?: string
  /** Id of the root agent. */
  root: string
  /**
   * By id: the path of the agent's file, or for a node that is written inside a graph the path, `#` and its name. A file
   * that is used twice is here once, and is an agent for each use.
   */
  agents: ReadonlyMap<string, AgentDesign>
}

export interface AgentDesign {
  id: string
  file: string
  /** The whole agent. */
  span: Span
  name: string
  /** A class of ADK, or the full name of one in Python. */
  class: AdkClass | { code: string }
  /** Plain values by key, and all unknown ones of a class in Python. */
  settings: ReadonlyMap<string, Setting>
  /** `generate_content_config` by keys in snake case. */
  generation: ReadonlyMap<string, Setting>
  /** Names of code by key; a list of callbacks keeps its order. */
  code: ReadonlyMap<string, readonly CodeReference[]>
  children: readonly AgentReference[]
  tools: readonly ToolReference[]
  /** The chains of a Workflow. */
  edges: readonly GraphEdge[]
}

/** A value with the place of its pair: from the key to the end of the value. */
export interface Setting {
  value: Json
  span: Span
}

export interface CodeReference {
  code: string
  span: Span
}

/** Another agent of the design, or one that Python makes. */
export type AgentReference = { agent: string; written: string; span: Span } | CodeReference

export type ToolReference = { name: string; span: Span } & (
  | { kind: 'ready' }
  | { kind: 'agent'; agent: AgentReference; settings: ReadonlyMap<string, Setting> }
  /** A class of ADK with its arguments. */
  | { kind: 'class'; args: Json }
  | { kind: 'code'; args: Json }
)

/** Steps that follow each other, or one line with the route that it is taken for. */
export type GraphEdge = { span: Span } & (
  | { kind: 'chain'; steps: readonly GraphStep[] }
  | { kind: 'line'; from: GraphNode; to: GraphNode; route: Json }
)

/** Nodes that run at once, or the last step: where each route leads. */
export type GraphStep =
  | { kind: 'nodes'; nodes: readonly GraphNode[] }
  | { kind: 'routes'; routes: readonly { route: string | number | boolean; nodes: readonly GraphNode[] }[] }

export type GraphNode =
  | { kind: 'start' }
  | ({ kind: 'reference' } & AgentReference)
  | { kind: 'function'; code: string }
  /** A node that stands before it in the same graph. */
  | { kind: 'named'; name: string; span: Span }
