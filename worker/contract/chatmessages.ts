/** Payloads of stored conversations, in Flowise's public shape. */
import * as z from 'zod'
import { dateSchema } from './answers.ts'
import { runStateSchema, usedToolSchema } from './events.ts'
import { feedbackSchema, ratingSchema } from './feedback.ts'

export const CHAT_TYPES = ['INTERNAL', 'EXTERNAL', 'EVALUATION', 'SCHEDULED', 'WEBHOOK'] as const
const chatTypeSchema = z.enum(CHAT_TYPES)

/** A value, several keys of one name, or a JSON list of values. */
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

/** Which messages are counted or listed, by what they are and when they were written. */
export const messagePeriod = {
  chatType: chatTypes.optional(),
  startDate: instantSchema.optional(),
  endDate: instantSchema.optional(),
  /** Only answers that were rated so, with their questions. */
  feedbackType: feedbackTypes.optional(),
}

const selection = {
  chatId: z.string().max(200).optional(),
  sessionId: z.string().max(200).optional(),
  memoryType: z.string().max(100).optional(),
  ...messagePeriod,
}

export const MAX_MESSAGES = 500

export const listMessagesSchema = z.object({
  ...selection,
  messageId: z.string().max(100).optional(),
  /** `true`: what people think of each answer comes with it. */
  feedback: z.enum(['true', 'false']).optional(),
  order: z.enum(['ASC', 'DESC']).default('ASC'),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(MAX_MESSAGES).default(MAX_MESSAGES),
})

export const deleteMessagesSchema = z.object(selection)

export type ListMessages = z.infer<typeof listMessagesSchema>
export type SelectMessages = z.infer<typeof deleteMessagesSchema>

const executionOfMessageSchema = z.object({
  id: z.string(),
  state: runStateSchema,
  error: z.string().nullable(),
  form: z.record(z.string(), z.unknown()).nullable().describe('What the run was started with, where that was a form'),
})

/** A message as the API answers it: the JSON columns are parsed, but for `followUpPrompts`. */
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
    execution: executionOfMessageSchema
      .nullable()
      .describe('How the run ended to which the message belongs; null when it is not kept'),
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
    feedback: feedbackSchema.nullable().optional().describe('Only when it was asked for'),
  })
  .meta({ id: 'Message' })

export type StoredMessage = z.infer<typeof storedMessageSchema>

export const abortedSchema = z.object({ status: z.int(), message: z.string() })
