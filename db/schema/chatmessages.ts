import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isReference, longText } from '../long-text.ts'
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
    content: longText('content').notNull(),
    executionId: text('execution_id'),
    chatType: text('chat_type', { enum: ['INTERNAL', 'EXTERNAL', 'EVALUATION', 'SCHEDULED', 'WEBHOOK'] }).notNull(),
    chatId: text('chat_id').notNull(),
    sessionId: text('session_id').notNull(),
    memoryType: text('memory_type'),
    sourceDocuments: longText('source_documents'),
    usedTools: longText('used_tools'),
    fileAnnotations: longText('file_annotations'),
    agentReasoning: longText('agent_reasoning'),
    reasonContent: longText('reason_content'),
    fileUploads: longText('file_uploads'),
    artifacts: longText('artifacts'),
    action: longText('action'),
    leadEmail: text('lead_email'),
    followUpPrompts: longText('follow_up_prompts'),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('chat_messages_session').on(t.chatflowid, t.sessionId, t.createdDate, t.id),
    index('chat_messages_workspace').on(t.workspaceId, t.createdDate, t.id),
    index('chat_messages_chat').on(t.chatflowid, t.chatId, t.createdDate, t.id),
    index('chat_messages_content_long').on(t.content).where(isReference(t.content)),
    index('chat_messages_source_documents_long').on(t.sourceDocuments).where(isReference(t.sourceDocuments)),
    index('chat_messages_used_tools_long').on(t.usedTools).where(isReference(t.usedTools)),
    index('chat_messages_file_annotations_long').on(t.fileAnnotations).where(isReference(t.fileAnnotations)),
    index('chat_messages_agent_reasoning_long').on(t.agentReasoning).where(isReference(t.agentReasoning)),
    index('chat_messages_reason_content_long').on(t.reasonContent).where(isReference(t.reasonContent)),
    index('chat_messages_file_uploads_long').on(t.fileUploads).where(isReference(t.fileUploads)),
    index('chat_messages_artifacts_long').on(t.artifacts).where(isReference(t.artifacts)),
    index('chat_messages_action_long').on(t.action).where(isReference(t.action)),
    index('chat_messages_follow_up_prompts_long').on(t.followUpPrompts).where(isReference(t.followUpPrompts)),
  ],
)
