/** What a run says while it goes: one vocabulary for the SSE chat, the canvas status and the execution page (compat 7.3). */

export type RunState = 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED' | 'TIMEOUT'
export type StepStatus = 'INPROGRESS' | 'FINISHED' | 'STOPPED' | 'ERROR' | 'TERMINATED'

export interface UsedTool {
  tool: string
  toolInput: unknown
  toolOutput: unknown
  error?: string
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

/** One item of an execution's trace; the shape that Flowise stores in `executionData`. */
export interface TraceItem {
  nodeId: string
  nodeLabel: string
  previousNodeIds: string[]
  status: StepStatus
  data: TraceData
}

export interface TraceData {
  id: string
  name: string
  input?: unknown
  output?: StepOutput
  state?: Record<string, unknown>
  chatHistory?: ChatTurn[]
  error?: string
  [key: string]: unknown
}

export interface StepOutput {
  /** What a person reads, and the value of `{{nodeId}}`. */
  content?: string
  timeMetadata?: { start: number; end: number; delta: number }
  usageMetadata?: UsageMetadata
  usedTools?: UsedTool[]
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
  | { event: 'nextAgentFlow'; data: { nodeId: string; nodeLabel: string; status: StepStatus; error?: string } }
  | { event: 'agentFlowExecutedData'; data: TraceItem[] }
  | { event: 'token'; data: string }
  | { event: 'thinking'; data: string; duration?: number }
  | { event: 'calledTools'; data: unknown[] }
  | { event: 'usedTools'; data: UsedTool[] }
  | { event: 'usageMetadata'; data: UsageMetadata }
  | { event: 'action'; data: unknown }
  | { event: 'metadata'; data: Record<string, unknown> }
  | { event: 'error'; data: string }
  | { event: 'end'; data: '[DONE]' }
