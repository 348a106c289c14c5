/** The schedule of a flow's Start node in Flowise's shape. */
import * as z from 'zod'
import { flowTypeSchema } from '../flow/flow-type-schema.ts'
import { dateSchema, pageOf } from '../schemas/responses.ts'

export const LOG_STATES = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'SKIPPED'] as const
export type LogState = (typeof LOG_STATES)[number]

export const listLogsSchema = z.object({
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(100).default(20),
  status: z.enum(LOG_STATES).optional(),
})

export const enableScheduleSchema = z.object({ enabled: z.boolean() })

export const deleteLogsSchema = z.object({ logIds: z.array(z.string().max(100)).min(1).max(1000) })

export const scheduleRecordSchema = z
  .object({
    id: z.string(),
    triggerType: flowTypeSchema,
    targetId: z.string().describe('The id of the flow'),
    nodeId: z.string().nullable(),
    cronExpression: z.string(),
    timezone: z.string(),
    enabled: z.boolean(),
    scheduleInputMode: z.enum(['none', 'text', 'form']),
    defaultInput: z.string().nullable(),
    defaultForm: z.string().nullable().describe('JSON text'),
    lastRunAt: dateSchema.nullable(),
    nextRunAt: dateSchema.nullable(),
    endDate: z.iso.datetime({ offset: true }).nullable(),
    workspaceId: z.string(),
    createdDate: dateSchema,
    updatedDate: dateSchema,
  })
  .meta({ id: 'ScheduleRecord' })

export const scheduleStatusSchema = z.object({
  enabled: z.boolean(),
  canEnable: z.boolean(),
  reason: z.string().optional().describe('Why it cannot be enabled'),
  record: scheduleRecordSchema.nullable(),
})

const logSchema = z.object({
  id: z.string(),
  scheduleRecordId: z.string(),
  triggerType: flowTypeSchema,
  targetId: z.string(),
  executionId: z.string().nullable(),
  status: z.enum(LOG_STATES),
  error: z.string().nullable(),
  elapsedTimeMs: z.number().nullable(),
  scheduledAt: dateSchema,
  workspaceId: z.string(),
  createdDate: dateSchema,
})

export const scheduleLogsSchema = pageOf(logSchema).extend({ page: z.int(), limit: z.int() })

export const deletedLogsSchema = z.object({
  success: z.literal(true),
  deletedLogs: z.int(),
  deletedExecutions: z.int(),
})

export type ScheduleRecord = z.infer<typeof scheduleRecordSchema>
export type ScheduleStatus = z.infer<typeof scheduleStatusSchema>
export type ScheduleLogs = z.infer<typeof scheduleLogsSchema>
export type DeletedLogs = z.infer<typeof deletedLogsSchema>
