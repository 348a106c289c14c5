/**
 * The two ways to a workspace's rows: `scope`, which holds statements to one workspace, and `acrossWorkspaces` with a
 * reason. The database refuses any other statement on a workspace's table (`workspace-guard.ts`).
 */
import { and, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'
import { chatflows } from './schema/chatflows.ts'
import { markWorkspace, unguardedHandle } from './workspace-guard.ts'

export type WorkspaceTable = SQLiteTable & { id: SQLiteColumn; workspaceId: SQLiteColumn }

/** The workspace of the actor or, for public calls, of the row that the call names. */
export interface Tenant {
  workspaceId: string
}

/** A workspace that the query itself finds: saves public calls the round trip that would only ask for it. */
export interface TenantQuery {
  workspaceId: SQL<string>
}

/** Returns the workspace of a flow. */
export const ownerOfFlow = (flowId: string | SQL): TenantQuery => ({
  workspaceId: sql`(select ${chatflows.workspaceId} from ${chatflows} where ${chatflows.id} = ${flowId})`,
})

/**
 * Returns a handle whose statements may read and write the rows of every workspace. `because` says what holds them to
 * the right rows instead; `scope.test.ts` lists every use.
 */
export function acrossWorkspaces(db: Database, because: string): Database {
  if (because.trim() === '') throw new Error('acrossWorkspaces needs a reason')
  return unguardedHandle(db)
}

export function scope(db: Database, tenant: Tenant | TenantQuery) {
  const inWorkspace = (table: WorkspaceTable, condition?: SQL) =>
    and(markWorkspace(eq(table.workspaceId, tenant.workspaceId)), condition)
  const foundInWorkspace = (table: WorkspaceTable, condition: SQL | undefined) =>
    and(markWorkspace(sql`+${table.workspaceId} = ${tenant.workspaceId}`), condition)
  const stamp = () => ({ workspaceId: markWorkspace(sql`${tenant.workspaceId}`) })

  return {
    tenant,
    inWorkspace,
    /**
     * As `inWorkspace`, for a condition that finds few rows itself, such as ids: the `+` keeps SQLite from going through
     * all rows of the workspace for them.
     */
    foundInWorkspace,
    /** Selects rows of this workspace; add `.orderBy()` and `.limit()`; run it alone or in `db.batch`. */
    select<T extends WorkspaceTable>(table: T, condition?: SQL) {
      return db
        .select(getTableColumns(table))
        .from(table as WorkspaceTable)
        .where(inWorkspace(table, condition))
    },
    /** Selects the number of matching rows of this workspace, as one row `{ count }`. */
    count<T extends WorkspaceTable>(table: T, condition?: SQL) {
      return db
        .select({ count: count() })
        .from(table as WorkspaceTable)
        .where(inWorkspace(table, condition))
    },
    /** Stamps the workspace; a workspace id in the values cannot override it. */
    insert<T extends WorkspaceTable>(table: T, values: Omit<T['$inferInsert'], 'workspaceId'>) {
      return db.insert(table).values({ ...values, ...stamp() } as T['$inferInsert'])
    },
    /** As `insert` for several rows, at least one. */
    insertAll<T extends WorkspaceTable>(table: T, values: Omit<T['$inferInsert'], 'workspaceId'>[]) {
      const stamped = values.map((row) => ({ ...row, ...stamp() }) as T['$inferInsert'])
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
        .where(foundInWorkspace(table, condition))
    },
    delete<T extends WorkspaceTable>(table: T, condition: SQL | undefined) {
      return db.delete(table).where(foundInWorkspace(table, condition))
    },
  }
}

export type Scope = ReturnType<typeof scope>
