/** What a run says while it goes: one vocabulary for the SSE chat, the canvas status and the execution page (compat 7.3). */
import type { Artifact } from './artifacts.ts'

export type RunState = 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED' | 'TIMEOUT'
export type StepStatus = 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED'

export interface UsedTool {
  tool: string
  toolInput: unknown
  toolOutput: unknown
  error?: string
  /** The documents that the output stands on. */
  sourceDocuments?: unknown[]
}

export interface UsageMetadata {
  input_tokens: number
  output_tokens: number
  total_tokens: number
  /** US dollars; absent when the model's price is not known. */
  input_cost?: number
  output_cost?: number
  total_cost?: number
}

/** One item of an execution's trace; the shape that Flowise stores in `executionData`, with where and when it was. */
export interface TraceItem {
  nodeId: string
  nodeLabel: string
  previousNodeIds: string[]
  status: StepStatus
  data: TraceData
  /** Which occurrence of the node: `agent_0`, its third round in a loop `agent_0#2`, in an iteration `agent_0@iteration_1[3]`. Absent in old rows. */
  path?: string
  startedAt?: string
  finishedAt?: string
}

/** What a run that waits asks of a person (compat 5.6). */
export interface HumanInputAction {
  /** One per question: an answer that names it cannot answer another one. */
  id: string
  mapping: { approve: string; reject: string }
  elements: { type: 'agentflowv2-approve-button' | 'agentflowv2-reject-button'; label: string }[]
  data: { nodeId: string; nodeLabel: string; path: string; input: HumanInputQuestion }
}

export interface HumanInputQuestion {
  messages?: ChatTurn[]
  humanInputEnableFeedback: boolean
  [key: string]: unknown
}

export interface HumanAnswer {
  type: 'proceed' | 'reject'
  feedback?: string
}

/** Where a step of an iteration stands; the names by which `executionData` carries them. */
export interface IterationContext {
  index: number
  value: unknown
  isFirst: boolean
  isLast: boolean
}

export interface TraceData {
  id: string
  name: string
  input?: unknown
  output?: StepOutput
  state?: Record<string, unknown>
  chatHistory?: ChatTurn[]
  error?: string
  /** STOPPED: what the node keeps until it is answered. */
  kept?: unknown
  /** STOPPED, answered: by whom the run goes on. */
  answer?: HumanAnswer
  /** Failed attempts before this outcome, oldest first. */
  failedAttempts?: { error: string; at: string; usageMetadata?: UsageMetadata }[]
  /** Of a step inside an iteration. */
  iterationIndex?: number
  iterationContext?: IterationContext
  parentNodeId?: string
  [key: string]: unknown
}

export interface StepOutput {
  /** What a person reads, and the value of `{{nodeId}}`. */
  content?: string
  timeMetadata?: { start: number; end: number; delta: number }
  usageMetadata?: UsageMetadata
  usedTools?: UsedTool[]
  /** What people may look at beside the words. */
  artifacts?: Artifact[]
  /** STOPPED: what the person is asked. */
  humanInputAction?: HumanInputAction
  [key: string]: unknown
}

export interface ChatTurn {
  role: 'system' | 'developer' | 'user' | 'assistant'
  content: string
  name?: string
  additional_kwargs?: Record<string, unknown>
}

export type RunEvent =
  | { event: 'agentFlowEvent'; data: RunState }
  | {
      event: 'nextAgentFlow'
      data: { nodeId: string; nodeLabel: string; status: StepStatus; error?: string; path?: string }
    }
  | { event: 'agentFlowExecutedData'; data: TraceItem[] }
  | { event: 'token'; data: string }
  | { event: 'thinking'; data: string; duration?: number }
  | { event: 'calledTools'; data: unknown[] }
  | { event: 'usedTools'; data: UsedTool[] }
  | { event: 'artifacts'; data: Artifact[] }
  | { event: 'usageMetadata'; data: UsageMetadata }
  | { event: 'action'; data: HumanInputAction }
  | { event: 'metadata'; data: Record<string, unknown> }
  | { event: 'error'; data: string }
  | { event: 'end'; data: '[DONE]' }
