/** What the engine takes and gives. A run is a fold over its log of steps: `plan` and `next` are pure, the log is the truth. */
import type { ChatTurn, HumanInputAction, RunEvent, RunState, TraceData, TraceItem } from '#contract/events.ts'
import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { LimitName, RunLimits } from '#contract/limits.ts'
import type { Flows, RunIdentity, RunInput, StepComponents } from '../nodes/types.ts'
import type { Clock, Egress, Files, Knowledge, Sandbox } from '../ports/types.ts'

/**
 * One row of `execution_steps`: an occurrence of a node that finished, failed or stopped for a person, or (status
 * STOPPED with `item.data.answer`) that person's answer. Of several rows with one path the last counts.
 */
export interface StepRow {
  /** Order within the run, from 0. */
  seq: number
  /** Which occurrence: `agent_0`, its third round in a loop `agent_0#2`, in an iteration `agent_0@iteration_1[3]`. */
  path: string
  nodeId: string
  /** Decision nodes: the outputs that go on; null = all. */
  takenOutputs: number[] | null
  item: TraceItem
  /** What `item` hides of secret values, for the run's own eyes. */
  withheld?: Withheld
  /** The same, encrypted, as it is stored. */
  sealed?: string | null
  /** Taken over from another run: its tokens, cost and step count for that one. */
  isCopied?: boolean
  startedAt: string
  finishedAt: string
}

/** What later steps read of a step. */
export type Withheld = Partial<Pick<TraceData, 'output' | 'state' | 'chatHistory' | 'kept'>>

/** The durable log of one run. `append` is write-behind, in order; `barrier` resolves when all that was appended is stored. */
export interface StepLog {
  append(row: StepRow): void
  barrier(): Promise<void>
}

/** Opens the components a node refers to; bound to one run's workspace and credentials. */
export type OpenComponents = (
  node: { id: string; inputs: Record<string, unknown>; credential?: string },
  signal: AbortSignal,
) => StepComponents

export interface RunRequest {
  flow: FlowDocument
  /** Compiled plans are kept per isolate under this key: flow id and version. */
  planKey: string
  identity: RunIdentity
  input: RunInput
  pastHistory: ChatTurn[]
  variables: Record<string, string>
  /** Goes over the start node's own state: what the session's last run left (Persist State), what the call may override. */
  carriedState?: Record<string, unknown>
  /** Steps already in the log: finished ones are not run again. Empty for a new run. */
  done: StepRow[]
  log: StepLog
  openComponents: OpenComponents
  egress: Egress
  sandbox: Sandbox
  clock: Clock
  flows: Flows
  knowledge: Knowledge
  files: Files
  signal: AbortSignal
  /** What the run may use, what earlier attempts used included; 1000 steps unless told. */
  limits?: RunLimits
  /** Seconds that earlier attempts of this run worked. */
  secondsBefore?: number
  /** Values of the caller for inputs of these nodes, by id. They are put over resolved inputs, and are never templates. */
  overrides?: Record<string, Record<string, unknown>>
  /** Replaces inputs of these steps, by path, after their references are resolved. */
  edits?: Record<string, Record<string, unknown>>
  /** Takes secret values out of all that is recorded and told of the run but its answer. */
  redact<Value>(value: Value): Value
  /** Gets everything up to the closing `agentFlowEvent`; `error`, `metadata` and `end` are the caller's. */
  emit(event: RunEvent): void
}

export interface RunOutcome {
  /** STOPPED: steps wait for a person and nothing else can go on. TIMEOUT: the limit on wall time. TERMINATED: cancelled, or another limit. */
  state: RunState
  /** The answer: the text of the last step, in plan order, that has one. STOPPED: what the person is asked. */
  text: string
  /** The trace in order of completion. */
  trace: TraceItem[]
  /** ERROR: names the node, carries the provider's own message. TERMINATED, TIMEOUT: says why. */
  error?: string
  /** The limit that ended the run. */
  limit?: LimitName
  /** STOPPED: the first question in plan order, and how many wait in all. */
  action?: HumanInputAction
  waiting?: number
  /** Final flow state. */
  flowState: Record<string, unknown>
  totalTokens: number
  /** US dollars; null when no step had a known price. */
  totalCost: number | null
}

export type Run = (request: RunRequest) => Promise<RunOutcome>
