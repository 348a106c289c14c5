/** Events of a run, shared by the SSE chat, the canvas and the execution page (compat 7.3). */
import * as z from 'zod'
import type { SpeechEvent } from '../speech/speech.ts'

export const runStateSchema = z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT'])
const stepStatusSchema = z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED'])

const artifactSchema = z.object({
  type: z.string().describe('The kind of `data`: `png`, `markdown`, `html`'),
  data: z.string().describe('Files as a `data:` URL, everything else as text'),
})

export const usedToolSchema = z.object({
  tool: z.string(),
  toolInput: z.unknown().optional().describe('Anonymous callers only see the name of the tool'),
  toolOutput: z.unknown().optional(),
  error: z.string().optional(),
  milliseconds: z.number().optional().describe('How long it ran; absent from older runs'),
  declined: z.boolean().optional().describe('A person declined the call, so the tool did not run'),
  sourceDocuments: z.array(z.unknown()).optional().describe('The documents that the output is based on'),
})

const dollars = z.number().optional().describe('US dollars; absent when the price of the model is unknown')

export const usageMetadataSchema = z
  .object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    total_tokens: z.number(),
    input_cost: dollars,
    output_cost: dollars,
    total_cost: dollars,
    cost_is_partial: z.boolean().optional().describe('True when the costs leave out model calls without a known price'),
  })
  .meta({ id: 'Usage' })

const chatTurnSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant']),
  content: z.string(),
  name: z.string().optional(),
  additional_kwargs: z.record(z.string(), z.unknown()).optional(),
})

const humanInputQuestionSchema = z.looseObject({
  messages: z.array(chatTurnSchema).optional(),
  humanInputEnableFeedback: z.boolean(),
  approvers: z.enum(['caller', 'members', 'role']).optional().describe('Who may answer. Absent in old rows'),
  approverRole: z.string().optional().describe('With `role`: its name'),
  toolCalls: z.array(z.unknown()).optional().describe('The tool calls to approve'),
})

/** The question of a waiting run (compat 5.6). */
export const humanInputActionSchema = z
  .object({
    id: z.string().describe('Unique per question, so that an answer cannot apply to another one'),
    mapping: z.object({ approve: z.string(), reject: z.string() }),
    elements: z.array(
      z.object({ type: z.enum(['agentflowv2-approve-button', 'agentflowv2-reject-button']), label: z.string() }),
    ),
    data: z.object({
      nodeId: z.string(),
      nodeLabel: z.string(),
      path: z.string(),
      input: humanInputQuestionSchema,
    }),
  })
  .meta({ id: 'HumanInputAction' })

/**
 * `caller`: an API call without a key of the workspace. `visitor`: someone with the link of a shared run. `team`: a user or
 * key of the workspace, as people outside are told.
 */
const responderSchema = z.object({
  kind: z.enum(['user', 'apiKey', 'caller', 'visitor', 'team']),
  id: z.string().optional(),
  name: z.string().optional().describe('The name at the time of the answer'),
})

export const humanAnswerSchema = z.object({
  type: z.enum(['proceed', 'reject']),
  feedback: z.string().optional(),
  by: responderSchema.optional().describe('Absent in old rows'),
})

/** Position of a step in an iteration, with the names used in `executionData`. */
const iterationContextSchema = z.object({
  index: z.number(),
  value: z.unknown(),
  isFirst: z.boolean(),
  isLast: z.boolean(),
})

const turnEndSchema = z.discriminatedUnion('as', [
  z.object({
    as: z.literal('done'),
    escalates: z.string().optional().describe('The node that asked what runs around it to end'),
  }),
  z.object({ as: z.literal('handOver'), to: z.string().describe('The node whose turn is next') }),
])

const stepOutputSchema = z.looseObject({
  content: z.string().optional().describe('The text for people, and the value of `{{nodeId}}`'),
  timeMetadata: z.object({ start: z.number(), end: z.number(), delta: z.number() }).optional(),
  usageMetadata: usageMetadataSchema.optional(),
  usedTools: z.array(usedToolSchema).optional(),
  artifacts: z.array(artifactSchema).optional().describe('Files and images beside the text'),
  humanInputAction: humanInputActionSchema.optional().describe('For STOPPED: the question'),
})

const failedAttemptSchema = z.object({
  error: z.string(),
  at: z.string(),
  usageMetadata: usageMetadataSchema.optional(),
})

const traceDataSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  input: z.unknown().optional(),
  output: stepOutputSchema.optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  chatHistory: z.array(chatTurnSchema).optional(),
  error: z.string().optional(),
  kept: z.unknown().optional().describe('For STOPPED: state of the node until it is answered'),
  answer: humanAnswerSchema.optional().describe('For STOPPED: the answer that continues the run'),
  disabled: z.boolean().optional().describe('True for a disabled node: it was skipped, and what had arrived went on'),
  failedAttempts: z.array(failedAttemptSchema).optional().describe('Failed attempts before this result, oldest first'),
  iterationIndex: z.number().optional().describe('For steps inside an iteration'),
  iterationContext: iterationContextSchema.optional(),
  parentNodeId: z.string().optional(),
  turn: turnEndSchema.optional().describe('For steps of a team that decide what runs next: how the turn ended'),
})

/** One item of an execution's trace: Flowise's shape of `executionData`, with path and times. */
export const traceItemSchema = z
  .object({
    nodeId: z.string(),
    nodeLabel: z.string(),
    previousNodeIds: z.array(z.string()),
    status: stepStatusSchema,
    data: traceDataSchema,
    path: z
      .string()
      .optional()
      .describe(
        'Occurrence of the node: `agent_0`, `agent_0#2` for its third round in a loop, `agent_0@iteration_1[3]` in an iteration. Absent in old rows',
      ),
    startedAt: z.string().optional(),
    finishedAt: z.string().optional(),
  })
  .meta({ id: 'TraceItem' })

export type RunState = z.infer<typeof runStateSchema>
export type StepStatus = z.infer<typeof stepStatusSchema>
/** A file, image or text beside a step's answer. */
export type Artifact = z.infer<typeof artifactSchema>
export type UsedTool = z.infer<typeof usedToolSchema>
export type UsageMetadata = z.infer<typeof usageMetadataSchema>
export type ChatTurn = z.infer<typeof chatTurnSchema>
export type HumanInputAction = z.infer<typeof humanInputActionSchema>
export type HumanInputQuestion = z.infer<typeof humanInputQuestionSchema>
export type Responder = z.infer<typeof responderSchema>
export type HumanAnswer = z.infer<typeof humanAnswerSchema>
export type IterationContext = z.infer<typeof iterationContextSchema>
/** The end of a turn, as its team reads it. */
export type TurnEnd = z.infer<typeof turnEndSchema>
export type StepOutput = z.infer<typeof stepOutputSchema>
export type TraceData = z.infer<typeof traceDataSchema>
export type TraceItem = z.infer<typeof traceItemSchema>

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
  | { event: 'sourceDocuments'; data: unknown[] }
  | { event: 'start'; data: string }
  | { event: 'artifacts'; data: Artifact[] }
  | { event: 'usageMetadata'; data: UsageMetadata }
  | { event: 'action'; data: HumanInputAction }
  | { event: 'metadata'; data: Record<string, unknown> }
  | { event: 'error'; data: string }
  | { event: 'upsertProgress'; data: UpsertProgress }
  | SpeechEvent
  | { event: 'end'; data: '[DONE]' }

/** Progress of an upsert. */
export interface UpsertProgress {
  /** Files, pages and records that were read. */
  sources: number
  /** Chunks to embed; absent while documents are read. */
  chunks?: number
  /** Chunks that are embedded and written, or were there already. */
  done: number
  /** Tokens that the embedder counted. */
  tokens: number
}
