import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { chatflows } from './chatflows.ts'
import { chatMessages } from './chatmessages.ts'

/** Ratings of answers, one row for each answer. */
export const chatMessageFeedback = sqliteTable(
  'chat_message_feedback',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    chatId: text('chat_id').notNull(),
    messageId: text('message_id')
      .notNull()
      .references(() => chatMessages.id, { onDelete: 'cascade' }),
    rating: text('rating', { enum: ['THUMBS_UP', 'THUMBS_DOWN'] }),
    content: text('content'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    uniqueIndex('chat_message_feedback_message').on(t.messageId),
    index('chat_message_feedback_flow').on(t.chatflowid, t.createdDate),
  ],
)
