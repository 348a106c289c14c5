import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { chatflows } from './chatflows.ts'

/** What upserts of chat flows did: one row for each, the newest of each flow. */
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
    flowData: text('flow_data').notNull(),
    date: text('date').notNull(),
  },
  (t) => [index('upsert_history_flow').on(t.chatflowid, t.date)],
)

/** What record managers know: the documents that a flow has written into a vector store. */
export const upsertRecords = sqliteTable(
  'upsert_records',
  {
    /** The document's id in the vector store. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** Of the record manager. Documents of one know nothing of those of another. */
    namespace: text('namespace').notNull(),
    /** The original that it is from; empty: unknown. */
    source: text('source').notNull(),
    /** When an upsert last came to it. */
    upsertedDate: text('upserted_date').notNull(),
  },
  (t) => [index('upsert_records_namespace').on(t.chatflowid, t.namespace, t.upsertedDate)],
)
