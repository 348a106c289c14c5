/** A node type: what the canvas shows of it and what it does in a run, together in one file per node. */
import type { ChatTurn, RunEvent, StepOutput } from '#contract/events.ts'
import type { ComponentDefinition, CredentialDefinition } from '#contract/flow/definition.ts'
import type { OpenModel } from '../models/types.ts'
import type { Clock, Egress, Sandbox } from '../ports/types.ts'
import type { CallableTool } from '../tools/types.ts'

export interface RunIdentity {
  executionId: string
  workspaceId: string
  chatflowId: string
  chatId: string
  sessionId: string
  apiMessageId: string
}

/** What the caller sent: a question, or a form. */
export interface RunInput {
  question?: string
  form?: Record<string, unknown>
  /** `history` of the prediction call, put before the first model's messages. */
  history: ChatTurn[]
  /** What nodes read as "the input": the question, or the form as `key: value` lines. */
  text: string
}

/** Chosen components, opened for one step. Errors name what is missing. */
export interface StepComponents {
  /** `param` is the node's own parameter: `llmModel`; its config is read from `llmModelConfig`. */
  model(param: string): Promise<OpenModel>
  /** The tools of the node's array parameter: `agentTools`, item key `agentSelectedTool`. */
  tools(param: string, itemKey: string): Promise<CallableTool[]>
  /** The decrypted fields of the node's credential; empty when none is chosen. */
  credential(): Promise<Record<string, unknown>>
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
  components: StepComponents
  egress: Egress
  sandbox: Sandbox
  clock: Clock
  signal: AbortSignal
  /** The same for every attempt of the same step of the same run. */
  idempotencyKey: string
  emit(event: RunEvent): void
  /** Resolves when everything that came before this step is durable. Await it before an effect outside. */
  barrier(): Promise<void>
}

export interface StepResult {
  /** What the trace shows as the step's input. */
  input: unknown
  output: StepOutput
  /** The whole new state; absent = unchanged. */
  state?: Record<string, unknown>
  /** Added to the run's history. */
  chatHistory?: ChatTurn[]
  /** Decision nodes: the indexes of the outputs that go on. Absent = all. */
  takenOutputs?: number[]
}

export interface NodeType {
  definition: ComponentDefinition
  credentials?: CredentialDefinition[]
  run(context: StepContext): Promise<StepResult>
}
