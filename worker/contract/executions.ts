/** Payloads of executions: what runs did, in Flowise's public shape, and what can be done with one. */
import * as z from 'zod'
import { dateSchema } from './answers.ts'
import { withMaxKeys } from './bounds.ts'
import { flowTypeSchema } from './chatflows.ts'
import { runStateSchema } from './events.ts'
import { limitNameSchema } from './limits.ts'

const instantSchema = z
  .string()
  .max(100)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'This must be an ISO date')
  .transform((text) => new Date(text).toISOString())

/** A query's `true` or `false`. */
const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true')

export const listExecutionsSchema = z.object({
  id: z.string().max(100).optional(),
  agentflowId: z.string().max(100).optional(),
  agentflowName: z.string().max(200).optional(),
  sessionId: z.string().max(200).optional(),
  state: runStateSchema.optional(),
  isStarred: flagSchema.optional(),
  /** The runs that this one called. */
  parentExecutionId: z.string().max(100).optional(),
  /** The replays of this one. */
  replayOf: z.string().max(100).optional(),
  startDate: instantSchema.optional(),
  endDate: instantSchema.optional(),
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
  executionIds: z.array(z.string().max(100)).min(1).max(500),
  includeStarred: z.boolean().default(false),
})

export const deleteExecutionSchema = z.object({ includeStarred: flagSchema.default(false) })

export const replaySchema = z.object({
  /** The step from which the run goes its own way. */
  path: z.string().min(1).max(2000),
  /** Other values for the inputs of that step. */
  inputs: withMaxKeys(z.record(z.string(), z.unknown())).optional(),
  /** On the flow as it is saved now, not as it was. */
  draft: z.boolean().default(false),
  streaming: z.boolean().default(false),
})

export type ListExecutions = z.infer<typeof listExecutionsSchema>
export type UpdateExecution = z.infer<typeof updateExecutionSchema>
export type DeleteExecutions = z.infer<typeof deleteExecutionsSchema>
export type Replay = z.infer<typeof replaySchema>

export const deletedExecutionsSchema = z.object({
  success: z.literal(true),
  deletedCount: z.int(),
  keptCount: z.int().describe('Starred ones that were asked for and stayed'),
})

/** A row of the list. The steps are left out: they come with `GET /executions/{id}`. */
export const executionSummarySchema = z
  .object({
    id: z.string(),
    agentflowId: z.string(),
    agentflow: z.object({ id: z.string(), name: z.string(), type: flowTypeSchema }),
    flowVersion: z.int().describe('The version of the flow that ran'),
    sessionId: z.string(),
    chatId: z.string(),
    state: runStateSchema,
    error: z.string().nullable(),
    endedBy: limitNameSchema.nullable().describe('The limit that ended the run'),
    action: z
      .string()
      .nullable()
      .describe('JSON text of the `HumanInputAction` that is asked first, while the run waits'),
    isPublic: z.boolean(),
    isStarred: z.boolean(),
    replayOf: z.string().nullable().describe('The run whose first steps this one took over'),
    replayFrom: z.string().nullable().describe('The path from which it went its own way'),
    parentExecutionId: z.string().nullable().describe('The run that called this one'),
    totalTokens: z.number(),
    totalCost: z.number().nullable().describe('US dollars; null when no price is known'),
    duration: z
      .number()
      .nullable()
      .describe('Milliseconds of work, without waiting for people; null while the run goes on'),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    stoppedDate: dateSchema.nullable(),
    workspaceId: z.string(),
  })
  .meta({ id: 'ExecutionSummary' })

export const executionDetailSchema = executionSummarySchema
  .extend({
    executionData: z
      .string()
      .describe('JSON text of `TraceItem[]`, in order of completion: of each path as it was last'),
  })
  .meta({ id: 'Execution' })

/**
 * An execution as anybody sees it who has its link. The ids of its chat would let them into the conversation, those of the
 * flow and of other runs would let them call the flow; what it cost is its owner's business.
 */
export const sharedExecutionSchema = executionDetailSchema
  .omit({
    workspaceId: true,
    chatId: true,
    sessionId: true,
    agentflowId: true,
    replayOf: true,
    replayFrom: true,
    parentExecutionId: true,
    isStarred: true,
  })
  .extend({ agentflow: z.object({ name: z.string(), type: flowTypeSchema }) })
  .partial({ totalTokens: true, totalCost: true })
  .meta({ id: 'SharedExecution' })

export type DeletedExecutions = z.infer<typeof deletedExecutionsSchema>
export type ExecutionSummary = z.infer<typeof executionSummarySchema>
export type ExecutionDetail = z.infer<typeof executionDetailSchema>
export type SharedExecution = z.infer<typeof sharedExecutionSchema>
