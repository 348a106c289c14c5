import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

/** A flow of any kind, in Flowise's public shape; the configs are JSON strings as Flowise sends them. */
export const chatflows = sqliteTable(
  'chatflows',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    flowData: text('flow_data').notNull(),
    type: text('type', { enum: ['CHATFLOW', 'AGENTFLOW', 'MULTIAGENT', 'ASSISTANT'] }).notNull(),
    deployed: integer('deployed', { mode: 'boolean' }),
    isPublic: integer('is_public', { mode: 'boolean' }),
    apikeyid: text('apikeyid'),
    chatbotConfig: text('chatbot_config'),
    apiConfig: text('api_config'),
    analytic: text('analytic'),
    speechToText: text('speech_to_text'),
    textToSpeech: text('text_to_speech'),
    followUpPrompts: text('follow_up_prompts'),
    category: text('category'),
    /** Rises with every save: optimistic locking. */
    version: integer('version').notNull().default(1),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('chatflows_workspace').on(t.workspaceId, t.type, t.updatedDate, t.id)],
)
