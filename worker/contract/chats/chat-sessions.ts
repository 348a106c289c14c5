/** The conversations of a flow, as the messages page lists and exports them. */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'
import { chatTypeSchema, messagePeriod } from './chatmessages.ts'

/** Characters of a session's first question. */
export const MAX_QUESTION = 200

/** A session matches when one of its messages does. */
export const listChatSessionsSchema = z.object({
  ...messagePeriod,
  page: z.coerce.number().int().positive().max(1_000_000).default(1),
  limit: z.coerce.number().int().positive().max(100).default(25),
})

export const deleteChatSessionsSchema = z.object(messagePeriod)

export const chatSessionSchema = z
  .object({
    sessionId: z.string(),
    chatId: z.string().describe('Of the last message'),
    chatType: chatTypeSchema.describe('Of the last message'),
    question: z.string().nullable().describe(`The first ${MAX_QUESTION} characters of what was asked first`),
    messageCount: z.int(),
    positiveFeedback: z.int(),
    negativeFeedback: z.int(),
    lead: z
      .object({ name: z.string().nullable(), email: z.string().nullable(), phone: z.string().nullable() })
      .nullable()
      .describe('Who left their contact in the chat'),
    firstDate: dateSchema,
    lastDate: dateSchema,
  })
  .meta({ id: 'ChatSession' })

export type ChatSession = z.infer<typeof chatSessionSchema>
export type ListChatSessions = z.infer<typeof listChatSessionsSchema>
export type SelectChatSessions = z.infer<typeof deleteChatSessionsSchema>

/** Query of the export of sessions: Flowise's filters, and the file format. */
export const exportMessagesSchema = z.object({
  chatflowId: z.uuid('This must be the id of a flow'),
  ...messagePeriod,
  format: z.enum(['json', 'csv']).default('json'),
})

export type ExportMessages = z.infer<typeof exportMessagesSchema>

/** One session of the export, in Flowise's shape. */
export const exportedSessionSchema = z.object({
  id: z.string().describe('The chat id'),
  source: z.string(),
  sessionId: z.string(),
  memoryType: z.string().nullable(),
  email: z.string().nullable(),
  messages: z.array(z.looseObject({ content: z.string(), role: z.enum(['user', 'bot']), time: dateSchema })),
})
