import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { chatflows } from './chatflows.ts'

/** One turn of a conversation; the JSON columns are strings as Flowise stores them. */
export const chatMessages = sqliteTable(
  'chat_messages',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['userMessage', 'apiMessage'] }).notNull(),
    content: text('content').notNull(),
    executionId: text('execution_id'),
    chatType: text('chat_type', { enum: ['INTERNAL', 'EXTERNAL', 'EVALUATION', 'SCHEDULED', 'WEBHOOK'] }).notNull(),
    chatId: text('chat_id').notNull(),
    sessionId: text('session_id').notNull(),
    memoryType: text('memory_type'),
    sourceDocuments: text('source_documents'),
    usedTools: text('used_tools'),
    fileAnnotations: text('file_annotations'),
    agentReasoning: text('agent_reasoning'),
    reasonContent: text('reason_content'),
    fileUploads: text('file_uploads'),
    artifacts: text('artifacts'),
    action: text('action'),
    leadEmail: text('lead_email'),
    followUpPrompts: text('follow_up_prompts'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('chat_messages_session').on(t.chatflowid, t.sessionId, t.createdDate, t.id),
    index('chat_messages_workspace').on(t.workspaceId, t.createdDate, t.id),
    index('chat_messages_chat').on(t.chatflowid, t.chatId, t.createdDate, t.id),
  ],
)
