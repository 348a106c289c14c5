import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { isReference, longText } from '../long-text.ts'
import { workspaces } from './account.ts'

/** The import of a file that is too large for one request. Its parts are in the object store until it ends. */
export const workspaceImports = sqliteTable(
  'workspace_imports',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** The name of the file. */
    name: text('name').notNull(),
    parts: integer('parts').notNull(),
    state: text('state', {
      enum: ['uploading', 'checking', 'checked', 'importing', 'writing', 'indexing', 'done', 'failed', 'cancelled'],
    }).notNull(),
    /** Why it failed, or which rows it left out while it was written. */
    reason: text('reason'),
    /** JSON of the member who decides on it: versions name who imported them. */
    actor: text('actor').notNull(),
    /** JSON by `<key>/<id>`, as chosen. */
    choices: text('choices').notNull().default('{}'),
    /** JSON: what the check found, and at the end what was imported. */
    report: longText('report'),
    rowsDone: integer('rows_done').notNull().default(0),
    /** Null until the file was read once. */
    rowsTotal: integer('rows_total'),
    /** Number of instances that have worked on it. */
    attempt: integer('attempt').notNull().default(0),
    /** While an instance works on it. */
    leaseUntil: text('lease_until'),
    createdDate: text('created_date').notNull(),
    updatedDate: text('updated_date').notNull(),
    endedDate: text('ended_date'),
  },
  (t) => [
    index('workspace_imports_workspace').on(t.workspaceId, t.createdDate),
    index('workspace_imports_report_long').on(t.report).where(isReference(t.report)),
    index('workspace_imports_ended').on(t.endedDate, t.updatedDate),
  ],
)

/** Rows of an import that wait until all are there, and are then moved to their tables piece by piece, and how far it is. */
export const importRows = sqliteTable(
  'import_rows',
  {
    importId: text('import_id')
      .notNull()
      .references(() => workspaceImports.id, { onDelete: 'cascade' }),
    /** As `messages`; for a long column of such a row also its name, as `messages.content`; or as `cursor`. */
    list: text('list').notNull(),
    seq: integer('seq').notNull(),
    /** JSON of the columns, or the long column as its table has it. */
    row: longText('row').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.importId, t.list, t.seq] }),
    index('import_rows_row_long').on(t.row).where(isReference(t.row)),
  ],
)
