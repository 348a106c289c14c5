/** Statements that write many rows of an import. */
import { eq, type InferInsertModel } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { scope, type WorkspaceTable } from '#db/scope.ts'
import type { Member } from '../../http/route.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import type { FlowSave, StoredSource } from '../chatflows/index.ts'

export interface Writing {
  db: Database
  member: Member
  saves: readonly FlowSave[]
  /** Source files by the id of their flow. */
  sources: ReadonlyMap<string, readonly StoredSource[]>
  now: string
}

/** Rows per insert statement. */
const CHUNK = 100

/** Inserts new rows, and updates those that replace another. */
export function upserts<Table extends WorkspaceTable>(
  { db, member, now }: Writing,
  table: Table,
  planned: { id: string; isReplacing: boolean }[],
): Statement[] {
  type Row = Omit<InferInsertModel<Table>, 'workspaceId'>
  const rows = scope(db, member)
  const added = planned.filter(({ isReplacing }) => !isReplacing)
  const replaced = planned.filter(({ isReplacing }) => isReplacing)
  return [
    ...chunked(added, (list) =>
      rows.insertAll(
        table,
        list.map(({ isReplacing: _, ...row }) => ({ createdDate: now, ...row, updatedDate: now }) as unknown as Row),
      ),
    ),
    ...replaced.map(({ isReplacing: _, id, ...row }) =>
      rows.update(table, eq(table.id, id), { ...row, createdDate: undefined, updatedDate: now } as never),
    ),
  ]
}

export function chunked<Row>(rows: Row[], insert: (rows: Row[]) => Statement): Statement[] {
  const starts = Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, index) => index * CHUNK)
  return starts.map((start) => insert(rows.slice(start, start + CHUNK)))
}
