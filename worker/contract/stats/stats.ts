/** Statistics of a flow's conversations, in Flowise's public shape. */
import * as z from 'zod'
import { messagePeriod } from '../chats/chatmessages.ts'

export const statsQuerySchema = z.object(messagePeriod)

export const statsSchema = z
  .object({
    totalMessages: z.int(),
    totalSessions: z.int(),
    totalFeedback: z.int(),
    positiveFeedback: z.int(),
  })
  .meta({ id: 'Stats' })

export type StatsQuery = z.infer<typeof statsQuerySchema>
export type Stats = z.infer<typeof statsSchema>
