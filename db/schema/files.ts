import { sql } from 'drizzle-orm'
import { customType, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { chatflows } from './chatflows.ts'

const bytes = customType<{ data: Uint8Array; driverData: ArrayBuffer | Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (value) => value,
  fromDriver: (value) => new Uint8Array(value),
})

/** A file that came with a question, or that a node of the flow reads. It goes with its flow or its chat. */
export const files = sqliteTable(
  'files',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    /** Empty for the files that the flow's nodes read. */
    chatId: text('chat_id').notNull(),
    /** Unlike any other of its chat. */
    name: text('name').notNull(),
    /** Detected from the first bytes, never taken from the sender. */
    mime: text('mime').notNull(),
    size: integer('size').notNull(),
    /** The bytes of files that were sent before there was an object store. All others are there, under `fileKey`. */
    data: bytes('data'),
    createdDate: text('created_date').notNull(),
    /** When it is deleted, ISO. Null: it stays. Files of callers who are neither members nor have a key expire. */
    expiresDate: text('expires_date'),
  },
  (t) => [
    index('files_expiry').on(t.expiresDate).where(sql`${t.expiresDate} is not null`),
    index('files_chat').on(t.chatflowid, t.chatId, t.name),
    index('files_workspace').on(t.workspaceId, t.createdDate, t.id, t.size),
  ],
)

/**
 * Files whose bytes are to be deleted from the object store. A trigger of the database (migration 0013) adds each deleted
 * row of `files`, whatever deleted it.
 */
export const fileDeletions = sqliteTable(
  'file_deletions',
  {
    key: text('key').primaryKey(),
    /** ISO date; empty: at once. */
    dueDate: text('due_date').notNull().default(''),
  },
  (t) => [index('file_deletions_due').on(t.dueDate)],
)
