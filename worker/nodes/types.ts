/** A node type: its definition for the canvas and its behavior in a run. One file per node. */

import type { BackEdge } from '#contract/flow/kinds/types.ts'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import type { StoredUpload } from '#contract/predictions/uploads.ts'
import type { CallerTools } from '#contract/runs/caller-tools.ts'
import type {
  ChatTurn,
  HumanAnswer,
  HumanInputQuestion,
  IterationContext,
  RunEvent,
  StepOutput,
  TurnEnd,
  UsageMetadata,
} from '#contract/runs/events.ts'
import type { WebhookPayload } from '#contract/triggers/index.ts'
import type { OpenModel } from '../models/types.ts'
import type {
  Clock,
  Egress,
  Files,
  Flows,
  Knowledge,
  KnowledgeDocument,
  OwnTools,
  Sandbox,
  Tables,
  UpsertRecords,
} from '../ports/types.ts'
import type { CallableTool } from '../tools/types.ts'

export interface RunIdentity {
  executionId: string
  workspaceId: string
  chatflowId: string
  chatId: string
  sessionId: string
  apiMessageId: string
  /** The flows whose runs called this one, outermost first. Empty for a run that a person, a caller or a trigger started. */
  calledBy: string[]
}

/** The caller's input: a question, a form, or a webhook request. */
export interface RunInput {
  question?: string
  form?: Record<string, unknown>
  webhook?: WebhookPayload
  /** `history` of the prediction call; precedes the messages of the first model. */
  history: ChatTurn[]
  /** The input as text: the question, the form as `key: value` lines, or the request as JSON. */
  text: string
  /** Text of the attached files; precedes `question` and `text`. */
  attachment?: string
  /** Attached images and audio. */
  uploads?: StoredUpload[]
  callerTools?: CallerTools
}

/** Opens the components that a node selects. Errors name what is missing. */
export interface StepComponents {
  /** @param param the node's parameter, for example `llmModel`, whose config is in `llmModelConfig` */
  model(param: string): Promise<OpenModel>
  /** Returns the tools of an array parameter (`agentTools` with item key `agentSelectedTool`), or of a single select if there is no item key. */
  tools(param: string, itemKey?: string): Promise<OpenTool[]>
  /** Opens the vector store and the embedder that an item of a list chose (`vectorStore`, `embeddingModel`). */
  vectorSearch(item: Record<string, unknown>): Promise<(query: string) => Promise<KnowledgeDocument[]>>
  /** What the workspace added to the built-in tools. */
  own: OwnTools
  /** Returns the decrypted fields of the node's credential; empty when none is selected. */
  credential(): Promise<Record<string, unknown>>
}

/** A tool and the index of the list item it belongs to. One item may provide several tools (an MCP server, an API). */
export interface OpenTool extends CallableTool {
  item: number
}

/**
 * A component that a node of a chat flow gives to the nodes it is connected to, in place of running: a model, a
 * memory.
 */
export interface OpenComponent {
  /** One of `ComponentTypes` of chat flows. */
  type: string
  value: unknown
}

/** A component, and the node that provides it. */
export interface ConnectedComponent extends OpenComponent {
  node: StepContext['node']
}

export interface StepContext {
  identity: RunIdentity
  node: { id: string; name: string; label: string }
  /** The output that was chosen of a node with several; empty otherwise. */
  output: string
  /** The node's inputs with every reference resolved. */
  inputs: Record<string, unknown>
  /** The inputs as saved, for values that must not be resolved (code). */
  rawInputs: Record<string, unknown>
  input: RunInput
  state: Readonly<Record<string, unknown>>
  /** Earlier conversation of this session, oldest first. */
  pastHistory: readonly ChatTurn[]
  /** Messages of earlier steps in this run. */
  runtimeHistory: readonly ChatTurn[]
  variables: Readonly<Record<string, string>>
  /** The node ends its branch, so its text is streamed as the answer. */
  isLast: boolean
  /** True if the run's caller gets tokens as they come. */
  streaming: boolean
  /** How often the latest loop around this node has jumped back. For a node with back edges: how often it has itself. */
  loopCount: number
  /** The ways back that the node may take. */
  backEdges: readonly BackEdge[]
  iteration?: IterationContext
  /** The person's answer to this step's `wait`, and the state it saved. Absent on the first pass. */
  answered?: { answer: HumanAnswer; kept: unknown }
  components: StepComponents
  /** Opens the nodes connected to an input, in their order. A node is opened once for each step. */
  connected(input: string): Promise<ConnectedComponent[]>
  flows: Flows
  knowledge: Knowledge
  files: Files
  records: UpsertRecords
  tables: Tables
  egress: Egress
  sandbox: Sandbox
  clock: Clock
  signal: AbortSignal
  /** Stable across all attempts of this step in this run. */
  idempotencyKey: string
  emit(event: RunEvent): void
  /** Counts usage against the run's limits. The run stops when one is exceeded. */
  charge(usage: UsageMetadata): void
  /** Resolves when all earlier steps are durable. Await it before an external side effect. */
  barrier(): Promise<void>
}

export interface StepResult {
  /** What the trace shows as the step's input. */
  input: unknown
  output: StepOutput
  /** Output fields for the trace, where it must not show what later steps read. */
  shown?: StepOutput
  /** The value of `{{ output }}` in the node's own state updates. Default: its text. */
  value?: unknown
  /** The complete new state. Absent: unchanged. */
  state?: Record<string, unknown>
  /** Added to the run's history. */
  chatHistory?: ChatTurn[]
  /** Decision nodes: the indexes of the outputs taken. Absent: all. */
  takenOutputs?: number[]
  /** Pauses the step for a person. It runs again with `answered` once they respond. */
  wait?: { input: HumanInputQuestion; kept?: unknown }
  /** Jumps back along a back edge: its target, the node with this id, and everything after it run again. */
  jumpTo?: string
  /** How the turn ended that the step runs in. Of several steps, the last in plan order says so. Default: done. */
  turn?: TurnEnd
}

/** A turn of a team: one run of the plan of a member. */
export interface NextTurn {
  /** A key of the container's members. Empty for an item of an iteration. */
  member: string
  /** The turn's `{{$iteration}}`. */
  value?: unknown
}

/** Turns of a team that start without knowing of each other's end. */
export interface Group {
  turns: readonly NextTurn[]
  /** 1: each turn starts after the one before, with its state. More: so many run at once, each with the state before the group. */
  atOnce: number
  /** `continue`: a failed turn changes no state, and the others go on. `stop`: it fails the whole team. */
  onError: 'continue' | 'stop'
  /**
   * Returns true for an end that stops the turns of the group that still run. These have no result and change no state.
   * Of several such ends, the first in the log counts, also in a resumed run. Must not throw.
   */
  stopsOthers?(end: TurnEnd): boolean
  /** True if no group follows, so that the last turn is told that it is the last. */
  isFinal?: boolean
}

export interface EndedTurn {
  /** Position among all turns of the team, from 0. */
  index: number
  member: string
  /** The text of its last step that has one. Empty for a failed turn. */
  text: string
  /** Done for a failed turn. */
  end: TurnEnd
  error?: string
}

/**
 * A container: it has no code of its own, and runs its members in turns. Its next group follows from the turns so far
 * alone, so a resumed run comes to the same groups. `next`, `after` and `end` read no clock and draw no random numbers.
 * They may throw, which fails the container.
 */
export interface Team<Memory = unknown> {
  /** @returns the memory before the first turn, as plain data, and what the trace shows as the container's input */
  begin(context: StepContext): { memory: Memory; input: unknown }
  /** Returns the next group, or undefined when the team is done. */
  next(memory: Memory): Group | undefined
  /** Returns the memory after a group. @param ended its turns in order, without those that were stopped */
  after(memory: Memory, ended: readonly EndedTurn[]): Memory
  /** @param context has the state after all turns */
  end(memory: Memory, context: StepContext): Omit<StepResult, 'input'>
}

export interface NodeType {
  definition: ComponentDefinition
  credentials?: CredentialDefinition[]
  run(context: StepContext): Promise<StepResult>
  /** Containers only: decides how often the nodes inside run. `run` is not called for them. */
  team?: Team
}

/** A node of chat flows that never runs on its own. */
export interface ComponentNodeType {
  definition: ComponentDefinition
  credential?: CredentialDefinition
  /** @param context of the step that uses the component, with the inputs and the credential of the component's own node */
  provide(context: StepContext): Promise<OpenComponent>
}

/** A node of chat flows that runs, or provides a component where its output hands on what it would run. */
export interface ChatNodeType extends NodeType, Partial<Pick<ComponentNodeType, 'provide'>> {
  /** The outputs whose value is the result of a run. Absent: all. */
  runsFor?: readonly string[]
}
