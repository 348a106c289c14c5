import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { FlowSummary } from '#contract/chatflows/flow-summary.ts'
import { TEMPLATE_TYPES } from '#contract/marketplaces/marketplaces.ts'
import { isReference, longText } from '../long-text.ts'
import { workspaces } from './account.ts'

/** A template that a workspace saved from a flow or a tool, in Flowise's public shape. */
export const customTemplates = sqliteTable(
  'custom_templates',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    /** The flow document, or the tool, without secrets; JSON text. */
    flowData: longText('flow_data').notNull(),
    description: text('description'),
    badge: text('badge'),
    framework: text('framework'),
    /** JSON text: a list of texts. */
    usecases: text('usecases'),
    type: text('type', { enum: TEMPLATE_TYPES }).notNull(),
    /** What lists show of a flow's document; null for a tool, and until the minute job comes to an older template. */
    summary: text('summary', { mode: 'json' }).$type<FlowSummary>(),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
  },
  (t) => [
    index('custom_templates_workspace').on(t.workspaceId, t.updatedDate, t.id),
    index('custom_templates_flow_data_long').on(t.flowData).where(isReference(t.flowData)),
  ],
)
