import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Ids of deleted rows, which other workspaces never get: addresses of flows, triggers and shared runs stand in pages and
 * senders that outlive them. Triggers of the database (migration 0033) add them, whatever deletes the rows. A row stays
 * when its workspace is gone.
 */
export const retiredIds = sqliteTable('retired_ids', {
  id: text('id').primaryKey(),
  /** The workspace that had the id, and may have it again. */
  workspaceId: text('workspace_id').notNull(),
  retiredDate: text('retired_date').notNull(),
})
