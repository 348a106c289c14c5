import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

/** An assistant, in Flowise's public shape. A custom one runs as a flow of type ASSISTANT that has its id. */
export const assistants = sqliteTable(
  'assistants',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** JSON text: name, model, instruction, tools, document stores. */
    details: text('details').notNull(),
    /** The credential of an OpenAI or Azure assistant. */
    credential: text('credential'),
    iconSrc: text('icon_src'),
    type: text('type', { enum: ['CUSTOM', 'OPENAI', 'AZURE'] }).notNull(),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [index('assistants_workspace').on(t.workspaceId, t.type, t.updatedDate, t.id)],
)
