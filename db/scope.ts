/**
 * The only way to reach a workspace's rows: a query on a workspace table cannot be written without its workspace.
 * Areas import tables from here or from `db/schema` only to name columns; they run queries through `scope`.
 */
import { and, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'
import { chatflows } from './schema/chatflows.ts'

export type WorkspaceTable = SQLiteTable & { id: SQLiteColumn; workspaceId: SQLiteColumn }

/** Whose rows: taken from the actor, or (public calls) from the row that the id in the call names. */
export interface Tenant {
  workspaceId: string
}

/** The same, found by the query itself: saves public calls the round trip that would only ask whose the flow is. */
export interface TenantQuery {
  workspaceId: SQL<string>
}

/** The workspace of the flow that a call names. */
export const ownerOfFlow = (flowId: string): TenantQuery => ({
  workspaceId: sql`(select ${chatflows.workspaceId} from ${chatflows} where ${chatflows.id} = ${flowId})`,
})

export function scope(db: Database, tenant: Tenant | TenantQuery) {
  const inWorkspace = (table: WorkspaceTable, condition?: SQL) =>
    and(eq(table.workspaceId, tenant.workspaceId), condition)

  return {
    tenant,
    inWorkspace,
    /** The table's rows of this workspace; add `.orderBy()` and `.limit()`; run it alone or in `db.batch`. */
    select<T extends WorkspaceTable>(table: T, condition?: SQL) {
      return db
        .select(getTableColumns(table))
        .from(table as WorkspaceTable)
        .where(inWorkspace(table, condition))
    },
    /** How many rows of this workspace match, as one row `{ count }`. */
    count<T extends WorkspaceTable>(table: T, condition?: SQL) {
      return db
        .select({ count: count() })
        .from(table as WorkspaceTable)
        .where(inWorkspace(table, condition))
    },
    /** Stamps the workspace; a workspace id in the values cannot override it. */
    insert<T extends WorkspaceTable>(table: T, values: Omit<T['$inferInsert'], 'workspaceId'>) {
      return db.insert(table).values({ ...values, workspaceId: tenant.workspaceId } as T['$inferInsert'])
    },
    /** The same for several rows, at least one. */
    insertAll<T extends WorkspaceTable>(table: T, values: Omit<T['$inferInsert'], 'workspaceId'>[]) {
      const stamped = values.map((row) => ({ ...row, workspaceId: tenant.workspaceId }) as T['$inferInsert'])
      return db.insert(table).values(stamped)
    },
    /** Never moves a row: a workspace id or id among the values is left out. */
    update<T extends WorkspaceTable>(
      table: T,
      condition: SQL | undefined,
      set: Partial<Omit<T['$inferInsert'], 'workspaceId' | 'id'>>,
    ) {
      return db
        .update(table)
        .set({ ...set, id: undefined, workspaceId: undefined } as never)
        .where(inWorkspace(table, condition))
    },
    delete<T extends WorkspaceTable>(table: T, condition: SQL | undefined) {
      return db.delete(table).where(inWorkspace(table, condition))
    },
  }
}

export type Scope = ReturnType<typeof scope>
