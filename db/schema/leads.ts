import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { chatflows } from './chatflows.ts'

/** Contact details that visitors of public chats left, one row for each chat. */
export const leads = sqliteTable(
  'leads',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    chatId: text('chat_id').notNull(),
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [index('leads_flow').on(t.chatflowid, t.createdDate)],
)
