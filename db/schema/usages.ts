import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { workspaces } from './account.ts'

/** Uses of assets, one row for each asset and user, written in the batch that saves the user. */
export const assetUsages = sqliteTable(
  'asset_usages',
  {
    /** `<owner kind>:<owner id>/<asset kind>:<asset>`. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    assetKind: text('asset_kind', {
      enum: ['credential', 'variable', 'tool', 'mcpServer', 'flow', 'documentStore', 'assistant'],
    }).notNull(),
    /** The asset's id; of a variable, its name. */
    asset: text('asset').notNull(),
    ownerKind: text('owner_kind', { enum: ['flow', 'assistant', 'tool', 'mcpServer', 'documentStore'] }).notNull(),
    ownerId: text('owner_id').notNull(),
  },
  (t) => [
    index('asset_usages_asset').on(t.workspaceId, t.assetKind, t.asset),
    index('asset_usages_owner').on(t.ownerKind, t.ownerId),
  ],
)

/** Flows and custom templates that are older than what is recorded of them: the usages of a flow, the summary of both. */
export const unindexedFlows = sqliteTable('unindexed_flows', {
  /** The id of the flow, or of the template. */
  id: text('id').primaryKey(),
  workspaceId: text('workspace_id').notNull(),
})
