/** Feedback on answers, in Flowise's public shape. */
import * as z from 'zod'
import { MAX_COMMENT_CHARACTERS, RATINGS } from '../runs/conversation-kinds.ts'
import { dateSchema } from '../schemas/responses.ts'

export const ratingSchema = z.enum(RATINGS)

const contentSchema = z.string().max(MAX_COMMENT_CHARACTERS)

export const createFeedbackSchema = z.object({
  chatflowid: z.uuid('This must be the id of a flow'),
  chatId: z.string().min(1).max(200),
  messageId: z.uuid('This must be the id of a message'),
  rating: ratingSchema.nullish(),
  content: contentSchema.nullish(),
})

export const updateFeedbackSchema = z
  .object({ rating: ratingSchema.optional(), content: contentSchema.optional() })
  .refine(({ rating, content }) => rating !== undefined || content !== undefined, {
    path: ['content'],
    error: 'Send a rating or content',
  })

export const listFeedbackSchema = z.object({
  chatId: z.string().max(200).optional(),
  sortOrder: z.enum(['ASC', 'DESC']).default('ASC'),
  page: z.coerce.number().int().positive().default(1),
  limit: z.coerce.number().int().positive().max(500).default(500),
})

export const feedbackSchema = z
  .object({
    id: z.string(),
    chatflowid: z.string(),
    chatId: z.string(),
    messageId: z.string(),
    rating: ratingSchema.nullable(),
    content: z.string().nullable(),
    createdDate: dateSchema,
  })
  .meta({ id: 'Feedback' })

export type Feedback = z.infer<typeof feedbackSchema>
export type CreateFeedback = z.infer<typeof createFeedbackSchema>
export type UpdateFeedback = z.infer<typeof updateFeedbackSchema>
export type ListFeedback = z.infer<typeof listFeedbackSchema>
