/** Payloads of stored conversations, in Flowise's public shape. */
import * as z from 'zod'
import { approvalSchema } from '../runs/approvals.ts'
import { CHAT_TYPES } from '../runs/conversation-kinds.ts'
import { runStateSchema, usedToolSchema } from '../runs/events.ts'
import { limitNameSchema } from '../runs/limits.ts'
import { dateSchema } from '../schemas/responses.ts'
import { feedbackSchema, ratingSchema } from './feedback.ts'

export const chatTypeSchema = z.enum(CHAT_TYPES)

/** Accepts a value, a repeated key or a JSON list. */
function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => {
    if (typeof value !== 'string') return value
    try {
      const parsed: unknown = JSON.parse(value)
      return Array.isArray(parsed) ? parsed : [parsed]
    } catch {
      return [value]
    }
  }, z.array(item).max(20))
}

const chatTypes = oneOrMore(chatTypeSchema)

const instantSchema = z
  .string()
  .max(100)
  .refine((text) => !Number.isNaN(Date.parse(text)), 'This must be an ISO date')
  .transform((text) => new Date(text).toISOString())

const feedbackTypes = oneOrMore(ratingSchema)

/** Filters messages by type, date, rating and text. */
export const messagePeriod = {
  chatType: chatTypes.optional(),
  startDate: instantSchema.optional(),
  endDate: instantSchema.optional(),
  /** Only answers with this rating, with their questions. */
  feedbackType: feedbackTypes.optional(),
  /** Only messages that contain this text. */
  search: z.string().max(200).optional(),
}

const selection = {
  chatId: z.string().max(200).optional(),
  sessionId: z.string().max(200).optional(),
  memoryType: z.string().max(100).optional(),
  ...messagePeriod,
}

const MAX_MESSAGES = 500

export const listMessagesSchema = z.object({
  ...selection,
  messageId: z.string().max(100).optional(),
  /** `true` includes the feedback on each answer. */
  feedback: z.enum(['true', 'false']).optional(),
  order: z.enum(['ASC', 'DESC']).default('ASC'),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(MAX_MESSAGES).default(MAX_MESSAGES),
})

export const deleteMessagesSchema = z.object(selection)

export type ListMessages = z.infer<typeof listMessagesSchema>
export type SelectMessages = z.infer<typeof deleteMessagesSchema>

const failedStepSchema = z.object({ nodeId: z.string(), nodeLabel: z.string() })

export type FailedStep = z.infer<typeof failedStepSchema>

const executionOfMessageSchema = z.object({
  id: z.string(),
  state: runStateSchema,
  error: z.string().nullable(),
  endedBy: limitNameSchema.nullable().describe('The limit that ended the run'),
  form: z.record(z.string(), z.unknown()).nullable().describe('The form that started the run, if any'),
  totalTokens: z.number(),
  totalCost: z.number().nullable().describe('US dollars; null when no price is known'),
  stepCount: z.int().describe('Finished steps'),
  failedStep: failedStepSchema.nullable().describe('The last step that failed, of a failed run'),
  approvals: z.array(approvalSchema).describe('The answered questions of the run, oldest first'),
})

/** A message as the API returns it, with parsed JSON columns except `followUpPrompts`. */
export const storedMessageSchema = z
  .object({
    id: z.string(),
    role: z.enum(['userMessage', 'apiMessage']),
    chatflowid: z.string(),
    content: z.string(),
    chatType: chatTypeSchema,
    chatId: z.string(),
    sessionId: z.string(),
    memoryType: z.string().nullable(),
    executionId: z.string().nullable(),
    execution: executionOfMessageSchema.nullable().describe('The run of the message; null when it was deleted'),
    usedTools: z.array(usedToolSchema).nullable(),
    sourceDocuments: z.unknown(),
    fileAnnotations: z.unknown(),
    agentReasoning: z.unknown(),
    reasonContent: z.unknown(),
    fileUploads: z.unknown(),
    artifacts: z.unknown(),
    action: z.unknown(),
    leadEmail: z.string().nullable(),
    followUpPrompts: z.string().nullable(),
    createdDate: dateSchema,
    feedback: feedbackSchema.nullable().optional().describe('Only when requested'),
  })
  .meta({ id: 'Message' })

export type StoredMessage = z.infer<typeof storedMessageSchema>

export const abortedSchema = z.object({ status: z.int(), message: z.string() })
