/** Payloads of stored conversations, in Flowise's public shape. */
import * as z from 'zod'
import type { RunState, UsedTool } from './events.ts'

export const CHAT_TYPES = ['INTERNAL', 'EXTERNAL', 'EVALUATION', 'SCHEDULED', 'WEBHOOK'] as const
const chatTypeSchema = z.enum(CHAT_TYPES)

/** A type, several `chatType` keys, or a JSON list of types. */
const chatTypes = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : [parsed]
  } catch {
    return [value]
  }
}, z.array(chatTypeSchema))

const dateSchema = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), 'This must be an ISO date')
  .transform((text) => new Date(text).toISOString())

const selection = {
  chatId: z.string().optional(),
  sessionId: z.string().optional(),
  memoryType: z.string().optional(),
  chatType: chatTypes.optional(),
  startDate: dateSchema.optional(),
  endDate: dateSchema.optional(),
}

export const MAX_MESSAGES = 500

export const listMessagesSchema = z.object({
  ...selection,
  messageId: z.string().optional(),
  order: z.enum(['ASC', 'DESC']).default('ASC'),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(MAX_MESSAGES).default(MAX_MESSAGES),
})

export const deleteMessagesSchema = z.object(selection)

export type ListMessages = z.infer<typeof listMessagesSchema>
export type SelectMessages = z.infer<typeof deleteMessagesSchema>

/** A message as the API answers it: the JSON columns are parsed, but for `followUpPrompts`. */
export interface StoredMessage {
  id: string
  role: 'userMessage' | 'apiMessage'
  chatflowid: string
  content: string
  chatType: (typeof CHAT_TYPES)[number]
  chatId: string
  sessionId: string
  memoryType: string | null
  executionId: string | null
  /** How the run ended to which the message belongs; null when it is not kept. */
  execution: { id: string; state: RunState; error: string | null } | null
  usedTools: UsedTool[] | null
  sourceDocuments: unknown
  fileAnnotations: unknown
  agentReasoning: unknown
  reasonContent: unknown
  fileUploads: unknown
  artifacts: unknown
  action: unknown
  leadEmail: string | null
  followUpPrompts: string | null
  createdDate: string
}
