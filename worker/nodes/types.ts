/** A node type: what the canvas shows of it and what it does in a run, together in one file per node. */
import type { Artifact } from '#contract/artifacts.ts'
import type {
  ChatTurn,
  HumanAnswer,
  HumanInputAction,
  HumanInputQuestion,
  IterationContext,
  RunEvent,
  StepOutput,
  UsageMetadata,
  UsedTool,
} from '#contract/events.ts'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/params/definition.ts'
import type { WebhookPayload } from '#contract/triggers/index.ts'
import type { KeptUpload } from '#contract/uploads.ts'
import type { OpenModel } from '../models/types.ts'
import type { Clock, Egress, Files, Knowledge, Sandbox } from '../ports/types.ts'
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

/** What the caller sent: a question, a form, or a request to a webhook with what it is taken to ask. */
export interface RunInput {
  question?: string
  form?: Record<string, unknown>
  webhook?: WebhookPayload
  /** `history` of the prediction call, put before the first model's messages. */
  history: ChatTurn[]
  /** What nodes read as "the input": the question, the form as `key: value` lines, or the request as JSON. */
  text: string
  /** The text of the files that came with it; it stands before `question` and `text`. */
  attachment?: string
  /** The images and sounds that came with it. */
  uploads?: KeptUpload[]
}

/** Other flows of the workspace, run inside this run as runs of their own: with depth limit and cycle guard. */
export interface Flows {
  /** Throws an Error that names the flow when it does not exist, would call itself, or lies too deep. A second call with the same `key` takes up the first one's run. */
  run(call: FlowCall): Promise<FlowAnswer>
  /** Answers a run of `run` that stopped for a person. The same answer to the same question counts once. */
  resume(call: {
    executionId: string
    actionId?: string
    answer: HumanAnswer
    signal: AbortSignal
    onFailure?: FlowCall['onFailure']
  }): Promise<FlowAnswer>
}

export interface FlowCall {
  flowId: string
  question: string
  overrideConfig?: Record<string, unknown>
  /** The step's idempotency key, and which call of the step. */
  key: string
  signal: AbortSignal
  /** Told what the run used, before an Error is thrown because it failed. */
  onFailure?(usage: UsageMetadata): void
}

export interface FlowAnswer {
  state: 'FINISHED' | 'STOPPED'
  executionId: string
  text: string
  /** STOPPED: what a person is asked. */
  action?: HumanInputAction
  /** Of the child's whole run so far, without what `onFailure` was told of it. */
  usage: UsageMetadata
  usedTools?: UsedTool[]
  artifacts?: Artifact[]
}

/** Chosen components, opened for one step. Errors name what is missing. */
export interface StepComponents {
  /** `param` is the node's own parameter: `llmModel`; its config is read from `llmModelConfig`. */
  model(param: string): Promise<OpenModel>
  /** The tools of the node's array parameter (`agentTools`, item key `agentSelectedTool`), or of a single choice without item key. */
  tools(param: string, itemKey?: string): Promise<OpenTool[]>
  /** The decrypted fields of the node's credential; empty when none is chosen. */
  credential(): Promise<Record<string, unknown>>
}

/** A tool, and which item of the node's list it came from: an item may give several (an MCP server, an API). */
export interface OpenTool extends CallableTool {
  item: number
}

export interface StepContext {
  identity: RunIdentity
  node: { id: string; name: string; label: string }
  /** The node's inputs with every reference resolved. */
  inputs: Record<string, unknown>
  /** As saved, for what must not be resolved (code). */
  rawInputs: Record<string, unknown>
  input: RunInput
  state: Readonly<Record<string, unknown>>
  /** Earlier conversation of this session, oldest first. */
  pastHistory: readonly ChatTurn[]
  /** What earlier steps of this run said. */
  runtimeHistory: readonly ChatTurn[]
  variables: Readonly<Record<string, string>>
  /** No edge leaves the node: its text is the answer, and streams. */
  isLast: boolean
  /** Which round of the loops around it this is: jump-backs so far. For a Loop node, its own. */
  loopCount: number
  iteration?: IterationContext
  /** What a person answered to this step's `wait`, and what it kept. Absent in the first pass. */
  answered?: { answer: HumanAnswer; kept: unknown }
  components: StepComponents
  flows: Flows
  knowledge: Knowledge
  files: Files
  egress: Egress
  sandbox: Sandbox
  clock: Clock
  signal: AbortSignal
  /** The same for every attempt of the same step of the same run. */
  idempotencyKey: string
  emit(event: RunEvent): void
  /** Counts what a model call used as soon as it is known; past a limit of the run, everything stops. */
  charge(usage: UsageMetadata): void
  /** Resolves when everything that came before this step is durable. Await it before an effect outside. */
  barrier(): Promise<void>
}

export interface StepResult {
  /** What the trace shows as the step's input. */
  input: unknown
  output: StepOutput
  /** Fields of the output as the trace shows them, where it must not show what later steps read. */
  shown?: StepOutput
  /** What `{{ output }}` is in its own state updates; its text unless told. */
  value?: unknown
  /** The whole new state; absent = unchanged. */
  state?: Record<string, unknown>
  /** Added to the run's history. */
  chatHistory?: ChatTurn[]
  /** Decision nodes: the indexes of the outputs that go on. Absent = all. */
  takenOutputs?: number[]
  /** The step stops for a person; it runs again with `answered` when they said what to do. */
  wait?: { input: HumanInputQuestion; kept?: unknown }
  /** Goes back: the node with this id and all below it run again. */
  jumpTo?: string
}

/** A container node: its children run once for each item. */
export interface Iterate {
  begin(context: StepContext): { items: unknown[]; atOnce: number; onError: 'continue' | 'stop'; input: unknown }
  /** `results[i]` is what item i ended in: its last child's text, or why it failed. */
  end(results: ItemResult[], context: StepContext): StepResult
}

export interface ItemResult {
  text: string
  error?: string
}

export interface NodeType {
  definition: ComponentDefinition
  credentials?: CredentialDefinition[]
  run(context: StepContext): Promise<StepResult>
  /** Containers only; `run` is not called then. */
  iterate?: Iterate
}
