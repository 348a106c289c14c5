import { customType, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { chatflows } from './chatflows.ts'

const bytes = customType<{ data: Uint8Array; driverData: ArrayBuffer | Uint8Array }>({
  dataType: () => 'blob',
  toDriver: (value) => value,
  fromDriver: (value) => new Uint8Array(value),
})

/** A file that came with a question; it goes with its flow or its chat. */
export const files = sqliteTable(
  'files',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    chatflowid: text('chatflowid')
      .notNull()
      .references(() => chatflows.id, { onDelete: 'cascade' }),
    chatId: text('chat_id').notNull(),
    /** Unlike any other of its chat. */
    name: text('name').notNull(),
    /** By its first bytes, never as its sender declared it. */
    mime: text('mime').notNull(),
    size: integer('size').notNull(),
    data: bytes('data').notNull(),
    createdDate: text('created_date').notNull(),
  },
  (t) => [
    index('files_chat').on(t.chatflowid, t.chatId, t.name),
    index('files_workspace').on(t.workspaceId, t.createdDate, t.id, t.size),
  ],
)
