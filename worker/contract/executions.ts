/** Payloads of executions: what runs did, in Flowise's public shape, and what can be done with one. */
import * as z from 'zod'
import type { FlowType } from './chatflows.ts'
import type { RunState } from './events.ts'
import type { LimitName } from './limits.ts'

export const runStateSchema = z.enum(['INPROGRESS', 'FINISHED', 'STOPPED', 'ERROR', 'TERMINATED', 'TIMEOUT'])

const dateSchema = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'This must be an ISO date')
  .transform((text) => new Date(text).toISOString())

/** A query's `true` or `false`. */
const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true')

export const listExecutionsSchema = z.object({
  id: z.string().optional(),
  agentflowId: z.string().optional(),
  agentflowName: z.string().max(200).optional(),
  sessionId: z.string().optional(),
  state: runStateSchema.optional(),
  isStarred: flagSchema.optional(),
  /** The runs that this one called. */
  parentExecutionId: z.string().optional(),
  /** The replays of this one. */
  replayOf: z.string().optional(),
  startDate: dateSchema.optional(),
  endDate: dateSchema.optional(),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(100).default(12),
})

export const updateExecutionSchema = z
  .object({
    /** Anybody who has the link may look at it, and answer it while it waits. */
    isPublic: z.boolean().optional(),
    /** Kept as a test case. */
    isStarred: z.boolean().optional(),
  })
  .refine(({ isPublic, isStarred }) => isPublic !== undefined || isStarred !== undefined, {
    path: ['isPublic'],
    message: 'Send isPublic or isStarred',
  })

/** Starred executions stay unless it is said that they go too. */
export const deleteExecutionsSchema = z.object({
  executionIds: z.array(z.string()).min(1).max(500),
  includeStarred: z.boolean().default(false),
})

export const deleteExecutionSchema = z.object({ includeStarred: flagSchema.default(false) })

export const replaySchema = z.object({
  /** The step from which the run goes its own way. */
  path: z.string().min(1).max(2000),
  /** Other values for the inputs of that step. */
  inputs: z.record(z.string(), z.unknown()).optional(),
  /** On the flow as it is saved now, not as it was. */
  draft: z.boolean().default(false),
  streaming: z.boolean().default(false),
})

export type ListExecutions = z.infer<typeof listExecutionsSchema>
export type UpdateExecution = z.infer<typeof updateExecutionSchema>
export type DeleteExecutions = z.infer<typeof deleteExecutionsSchema>
export type Replay = z.infer<typeof replaySchema>

export interface DeletedExecutions {
  success: true
  deletedCount: number
  /** Starred ones that were asked for and stayed. */
  keptCount: number
}

/** A row of the list. The steps are left out: they come with `GET /executions/{id}`. */
export interface ExecutionSummary {
  id: string
  agentflowId: string
  agentflow: { id: string; name: string; type: FlowType }
  /** The flow's version that ran. */
  flowVersion: number
  sessionId: string
  chatId: string
  state: RunState
  error: string | null
  /** The limit that ended the run. */
  endedBy: LimitName | null
  /** JSON text of the `HumanInputAction` that is asked first, while the run waits. */
  action: string | null
  isPublic: boolean
  isStarred: boolean
  /** The run whose first steps this one took over, and the path from which it went its own way. */
  replayOf: string | null
  replayFrom: string | null
  /** The run that called this one. */
  parentExecutionId: string | null
  totalTokens: number
  /** US dollars; null when no price is known. */
  totalCost: number | null
  /** Milliseconds of work, without waiting for people; null while the run goes on. */
  duration: number | null
  createdDate: string
  updatedDate: string
  stoppedDate: string | null
  workspaceId: string
}

export interface ExecutionDetail extends ExecutionSummary {
  /** JSON text of `TraceItem[]`, in order of completion: of each path as it was last. */
  executionData: string
}

/** An execution as anybody sees it who has its link: the ids of its chat would let them into the conversation. */
export type SharedExecution = Omit<ExecutionDetail, 'workspaceId' | 'chatId' | 'sessionId'>
