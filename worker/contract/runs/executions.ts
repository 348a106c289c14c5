/** Payloads of executions, in Flowise's public shape. */
import * as z from 'zod'
import { chatTypeSchema } from '../chats/chatmessages.ts'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { MAX_COUNTED } from '../schemas/counted.ts'
import { withMaxKeys } from '../schemas/max-keys.ts'
import { dateSchema, pageOf } from '../schemas/responses.ts'
import { approvalSchema } from './approvals.ts'
import { runStateSchema } from './events.ts'
import { limitNameSchema } from './limits.ts'

const instantSchema = z
  .string()
  .max(100)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'This must be an ISO date')
  .transform((text) => new Date(text).toISOString())

/** `true` or `false` in a query. */
const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true')

export const listExecutionsSchema = z.object({
  id: z.string().max(100).optional(),
  agentflowId: z.string().max(100).optional(),
  agentflowName: z.string().max(200).optional(),
  sessionId: z.string().max(200).optional(),
  state: runStateSchema.optional(),
  isStarred: flagSchema.optional(),
  /** Only subflow runs of this execution. */
  parentExecutionId: z.string().max(100).optional(),
  /** Only replays of this execution. */
  replayOf: z.string().max(100).optional(),
  startDate: instantSchema.optional(),
  endDate: instantSchema.optional(),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(100).default(12),
})

export const updateExecutionSchema = z
  .object({
    /** Anyone with the link may view it, and answer it while it waits. */
    isPublic: z.boolean().optional(),
    /** Protected from bulk deletion. */
    isStarred: z.boolean().optional(),
  })
  .refine(({ isPublic, isStarred }) => isPublic !== undefined || isStarred !== undefined, {
    path: ['isPublic'],
    message: 'Send isPublic or isStarred',
  })

/** Keeps starred executions unless `includeStarred` is set. */
export const deleteExecutionsSchema = z.object({
  executionIds: z.array(z.string().max(100)).min(1).max(500),
  includeStarred: z.boolean().default(false),
})

export const deleteExecutionSchema = z.object({ includeStarred: flagSchema.default(false) })

export const replaySchema = z.object({
  /** The step to replay from. */
  path: z.string().min(1).max(2000),
  /** New input values of that step. */
  inputs: withMaxKeys(z.record(z.string(), z.unknown())).optional(),
  /** Uses the current draft in place of the flow's version at the time of the run. */
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
  keptCount: z.int().describe('Starred executions that were kept'),
})

/** Characters of a question or answer in a list. */
export const EXCERPT_LENGTH = 300
const EXCERPT = `Lists hold the first ${EXCERPT_LENGTH} characters`

/** An execution without its steps, which `GET /executions/{id}` returns. */
const executionSummarySchema = z
  .object({
    id: z.string(),
    agentflowId: z.string(),
    agentflow: z.object({ id: z.string(), name: z.string(), type: flowTypeSchema }),
    flowVersion: z.int().describe('The version of the flow that ran'),
    sessionId: z.string(),
    chatId: z.string(),
    chatType: chatTypeSchema.describe('Who started the run: the canvas, an API call, a schedule or a webhook'),
    trigger: z.object({ id: z.string(), name: z.string() }).nullable().describe('The trigger that started the run'),
    question: z.string().nullable().describe(`The question, or the form or request body as JSON. ${EXCERPT}`),
    answer: z.string().nullable().describe(`The last output of a step. ${EXCERPT}`),
    state: runStateSchema,
    error: z.string().nullable(),
    endedBy: limitNameSchema.nullable().describe('The limit that ended the run'),
    action: z.string().nullable().describe('JSON text of the first open `HumanInputAction` while the run waits'),
    isPublic: z.boolean(),
    isStarred: z.boolean(),
    replayOf: z.string().nullable().describe('The run whose first steps this replay reused'),
    replayFrom: z.string().nullable().describe('The path that the replay started from'),
    parentExecutionId: z.string().nullable().describe('The run that called this one'),
    totalTokens: z.number(),
    totalCost: z
      .number()
      .nullable()
      .describe('US dollars; null when no price is known. Leaves out model calls without a known price'),
    duration: z
      .number()
      .nullable()
      .describe('Milliseconds, without waiting for people; null while the run is in progress'),
    createdDate: dateSchema,
    updatedDate: dateSchema,
    stoppedDate: dateSchema.nullable(),
    workspaceId: z.string(),
  })
  .meta({ id: 'ExecutionSummary' })

export const executionListSchema = pageOf(executionSummarySchema).extend({
  total: z.int().describe(`Counted up to ${MAX_COUNTED}, or up to the next page where that is further`),
})

export const executionDetailSchema = executionSummarySchema
  .extend({
    executionData: z
      .string()
      .describe('JSON text of `TraceItem[]` in order of completion, with the latest item of each path'),
    approvals: z.array(approvalSchema).describe('The answered questions of the run, oldest first'),
  })
  .meta({ id: 'Execution' })

/**
 * An execution for anyone with its link. Leaves out ids, because chat ids give access to the conversation and flow ids
 * allow calls, and the cost.
 */
export const sharedExecutionSchema = executionDetailSchema
  .omit({
    workspaceId: true,
    chatId: true,
    chatType: true,
    trigger: true,
    question: true,
    answer: true,
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
