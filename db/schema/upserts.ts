import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { isReference, longText } from '../long-text.ts'
import { chatflows } from './chatflows.ts'

/** Results of chat flows' upserts, the newest of each flow. */
export const upsertHistory = sqliteTable(
  'upsert_history',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** JSON: the counts. */
    result: text('result').notNull(),
    /** JSON: the nodes that took part, with their plain inputs. */
    flowData: longText('flow_data').notNull(),
    date: text('date').notNull(),
  },
  (t) => [
    index('upsert_history_flow').on(t.chatflowid, t.date),
    index('upsert_history_flow_data_long').on(t.flowData).where(isReference(t.flowData)),
  ],
)

/** The newest upsert of a flow that nobody waits for: one row for each flow. */
export const upsertJobs = sqliteTable(
  'upsert_jobs',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** The id of the vector store's node. */
    storeId: text('store_id').notNull(),
    /** The version of the flow that is read. */
    version: text('version', { enum: ['draft', 'published'] })
      .notNull()
      .default('draft'),
    state: text('state', { enum: ['queued', 'running', 'done', 'failed', 'cancelled'] }).notNull(),
    /** Why it failed. */
    reason: text('reason'),
    /** JSON: how far it is. */
    progress: text('progress').notNull(),
    /** JSON: the counts. */
    result: text('result'),
    attempt: integer('attempt').notNull().default(0),
    leaseUntil: text('lease_until'),
    createdDate: text('created_date').notNull(),
    endedDate: text('ended_date'),
  },
  (t) => [
    uniqueIndex('upsert_jobs_flow').on(t.chatflowid),
    index('upsert_jobs_open').on(t.leaseUntil).where(sql`${t.endedDate} is null`),
  ],
)

/** Documents that a flow has written into a vector store, for its record manager. */
export const upsertRecords = sqliteTable(
  'upsert_records',
  {
    /** The document's id in the vector store. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** The record manager's namespace. Documents of different namespaces are independent. */
    namespace: text('namespace').notNull(),
    /** The original that it is from; empty: unknown. */
    source: text('source').notNull(),
    /** When an upsert last came to it. */
    upsertedDate: text('upserted_date').notNull(),
  },
  (t) => [index('upsert_records_namespace').on(t.chatflowid, t.namespace, t.upsertedDate)],
)
