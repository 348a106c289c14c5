/** Input and output of the engine. A run is a fold over its log of steps; the log is the source of truth. */

import type { FlowDocument } from '#contract/flow/document/document.ts'
import type { ChatTurn, HumanInputAction, RunEvent, RunState, TraceData, TraceItem } from '#contract/runs/events.ts'
import type { LimitName, RunLimits } from '#contract/runs/limits.ts'
import type { RunIdentity, RunInput, StepComponents } from '../nodes/types.ts'
import type { Clock, Egress, Files, Flows, Knowledge, Sandbox, Tables, UpsertRecords } from '../ports/types.ts'
import type { Compile } from './plan.ts'
import type { Redactor } from './redactor.ts'

/**
 * One row of `execution_steps`: an occurrence of a node that finished, failed or stopped for a person, or (status
 * STOPPED with `item.data.answer`) that person's answer. Of several rows with one path the last counts.
 */
export interface StepRow {
  /** Order within the run, from 0. */
  seq: number
  /** Identifies the occurrence: `agent_0`, its third pass in a loop `agent_0#2`, in an iteration `agent_0@iteration_1[3]`. */
  path: string
  nodeId: string
  /** Decision nodes: the outputs taken; null = all. */
  takenOutputs: number[] | null
  item: TraceItem
  /** Values with secrets that `item` hides, for the run itself. */
  withheld?: Withheld
  /** `withheld` as stored, encrypted. */
  sealed?: string | null
  /** Copied from another run, which its usage and step count toward. */
  isCopied?: boolean
  startedAt: string
  finishedAt: string
}

/** Step data that later steps read. */
export interface Withheld extends Partial<Pick<TraceData, 'output' | 'state' | 'chatHistory' | 'kept' | 'turn'>> {
  /** The secrets in the data, which a later attempt may not open again. */
  secrets?: string[]
}

/** The durable log of one run. `append` writes behind, in order; `barrier` resolves when all appended rows are stored. */
export interface StepLog {
  append(row: StepRow): void
  barrier(): Promise<void>
}

/** Opens the components a node refers to; bound to one run's workspace and credentials. */
export type OpenComponents = (
  node: { id: string; label?: string; inputs: Record<string, unknown>; credential?: string },
  signal: AbortSignal,
) => StepComponents

export interface RunRequest {
  flow: FlowDocument
  /** The compiler of the flow's type. */
  compile: Compile
  /** Cache key of the compiled plan: flow id and version. */
  planKey: string
  identity: RunIdentity
  input: RunInput
  pastHistory: ChatTurn[]
  variables: Record<string, string>
  /** Overrides the Start node's initial state: state persisted by the session's last run, and state set by the caller. */
  carriedState?: Record<string, unknown>
  /** Rows already in the log; finished steps don't run again. Empty for a new run. */
  done: StepRow[]
  log: StepLog
  openComponents: OpenComponents
  egress: Egress
  sandbox: Sandbox
  clock: Clock
  flows: Flows
  knowledge: Knowledge
  files: Files
  records: UpsertRecords
  tables: Tables
  signal: AbortSignal
  /** Limits of the run, including earlier attempts. Default: 1000 steps. */
  limits?: RunLimits
  /** Duration of earlier attempts in seconds. */
  secondsBefore?: number
  /** The caller's inputs by node id. They override resolved inputs and are never templates. */
  overrides?: Record<string, Record<string, unknown>>
  /** Replacement inputs by step path, applied after references are resolved. */
  edits?: Record<string, Record<string, unknown>>
  /** Removed from all that the run says and records: secret variables, and what the credentials hold that it opens. */
  secrets: Redactor
  /** True if the caller gets tokens as they come. By default an answer comes at once. */
  streaming?: boolean
  /** Receives all events up to the final `agentFlowEvent`. The caller emits `error`, `metadata` and `end`. */
  emit(event: RunEvent): void
}

export interface RunOutcome {
  /** STOPPED: waits for a person. TIMEOUT: the time limit. TERMINATED: cancelled, or another limit. */
  state: RunState
  /** The answer: the text of the last step in plan order that has one. STOPPED: the question. */
  text: string
  /** The trace in order of completion. */
  trace: TraceItem[]
  /** ERROR: the node and the original message. TERMINATED, TIMEOUT: the reason. */
  error?: string
  /** The limit that ended the run. */
  limit?: LimitName
  /** STOPPED: the first question in plan order, and the number of open questions. */
  action?: HumanInputAction
  waiting?: number
  /** Final flow state. */
  flowState: Record<string, unknown>
  totalTokens: number
  /** US dollars; null when no step had a known price. */
  totalCost: number | null
}

export type Run = (request: RunRequest) => Promise<RunOutcome>
