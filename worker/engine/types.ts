/** What the engine takes and gives. A run is a fold over its log of steps: `plan` and `next` are pure, the log is the truth. */
import type { ChatTurn, RunEvent, RunState, TraceItem } from '#contract/events.ts'
import type { FlowDocument } from '#contract/flow/document.ts'
import type { RunIdentity, RunInput, StepComponents } from '../nodes/types.ts'
import type { Clock, Egress, Sandbox } from '../ports/types.ts'

/** One finished (or failed, or skipped) occurrence of a node: one row of `execution_steps`. */
export interface StepRow {
  /** Order of completion within the run, from 0. */
  seq: number
  /** Which occurrence: `agent_0`, in loops and iterations `agent_0@iteration_1[3]`. Unique within the run. */
  path: string
  nodeId: string
  /** Decision nodes: the outputs that go on; null = all. */
  takenOutputs: number[] | null
  item: TraceItem
  startedAt: string
  finishedAt: string
}

/** The durable log of one run. `append` is write-behind, in order; `barrier` resolves when all that was appended is stored. */
export interface StepLog {
  append(row: StepRow): void
  barrier(): Promise<void>
}

/** Opens the components a node refers to; bound to one run's workspace and credentials. */
export type OpenComponents = (
  node: { id: string; inputs: Record<string, unknown>; credential?: string },
  signal: AbortSignal,
  idempotencyKey: string,
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
  signal: AbortSignal
  /** Steps that one run may take; 1000 unless told. */
  maxSteps?: number
  /** Gets everything up to the closing `agentFlowEvent`; `error`, `metadata` and `end` are the caller's. */
  emit(event: RunEvent): void
}

export interface RunOutcome {
  state: RunState
  /** The answer: the text of the last step, in plan order, that has one. */
  text: string
  /** The trace in order of completion. */
  trace: TraceItem[]
  /** ERROR: names the node, carries the provider's own message. TERMINATED: says that the run was cancelled. */
  error?: string
  /** Final flow state. */
  flowState: Record<string, unknown>
  totalTokens: number
  /** US dollars; null when no step had a known price. */
  totalCost: number | null
}

export type Run = (request: RunRequest) => Promise<RunOutcome>
