/**
 * The ways to a tenant's rows: `scope` holds statements to one workspace, `organizationScope` to one organization, and
 * `acrossWorkspaces` and `acrossOrganizations` want a reason. The database refuses any other statement on a table of
 * theirs (`tenant-guard.ts`).
 */
import { and, count, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from './client.ts'
import { workspaces } from './schema/account.ts'
import { chatflows } from './schema/chatflows.ts'
import { markOrganization, markWorkspace, unguardedHandle } from './tenant-guard.ts'

export type WorkspaceTable = SQLiteTable & { id: SQLiteColumn; workspaceId: SQLiteColumn }

/** The workspace of the actor or, for public calls, of the row that the call names. */
export interface Tenant {
  workspaceId: string
}

/** A workspace that the query itself finds: saves public calls the round trip that would only ask for it. */
export interface TenantQuery {
  workspaceId: SQL<string>
}

/** Holds for the rows of a workspace that is in use: what a deleted one owns stays, and nobody outside reaches it. */
export const isInUse = (workspaceId: SQLiteColumn): SQL =>
  sql`not exists (select 1 from ${workspaces} where ${workspaces.id} = ${workspaceId} and ${workspaces.deletedDate} is not null)`

/** Returns the workspace of a flow; none for a flow of a deleted workspace. */
export const ownerOfFlow = (flowId: string | SQL): TenantQuery => ({
  workspaceId: sql`(select ${chatflows.workspaceId} from ${chatflows} where ${chatflows.id} = ${flowId} and ${isInUse(chatflows.workspaceId)})`,
})

/**
 * Returns a handle whose statements may read and write the rows of every workspace. `because` says what holds them to
 * the right rows instead; `scope.test.ts` lists every use.
 */
export function acrossWorkspaces(db: Database, because: string): Database {
  if (because.trim() === '') throw new Error('acrossWorkspaces needs a reason')
  return unguardedHandle(db)
}

/** Works as `acrossWorkspaces` does, for the rows of every organization. */
export function acrossOrganizations(db: Database, because: string): Database {
  if (because.trim() === '') throw new Error('acrossOrganizations needs a reason')
  return unguardedHandle(db)
}

type OrganizationTable = SQLiteTable & { organizationId: SQLiteColumn }

/** Holds statements to one organization. What it does not build itself, `inOrganization` lets through. */
export function organizationScope(db: Database, { organizationId }: { organizationId: string }) {
  const inOrganization = (table: OrganizationTable, condition?: SQL) =>
    and(markOrganization(eq(table.organizationId, organizationId)), condition)

  return {
    organizationId,
    inOrganization,
    /** Selects rows of this organization; add `.orderBy()` and `.limit()`; run it alone or in `db.batch`. */
    select<T extends OrganizationTable>(table: T, condition?: SQL) {
      return db
        .select(getTableColumns(table))
        .from(table as OrganizationTable)
        .where(inOrganization(table, condition))
    },
    /** Stamps the organization; an organization's id in the values cannot override it. */
    insert<T extends OrganizationTable>(table: T, values: Omit<T['$inferInsert'], 'organizationId'>) {
      const stamp = { organizationId: markOrganization(sql`${organizationId}`) }
      return db.insert(table).values({ ...values, ...stamp } as T['$inferInsert'])
    },
    /** Never moves a row: an organization's id among the values is left out. */
    update<T extends OrganizationTable>(
      table: T,
      condition: SQL | undefined,
      set: Partial<Omit<T['$inferInsert'], 'organizationId'>>,
    ) {
      return db
        .update(table)
        .set({ ...set, organizationId: undefined } as never)
        .where(inOrganization(table, condition))
    },
    delete<T extends OrganizationTable>(table: T, condition: SQL | undefined) {
      return db.delete(table).where(inOrganization(table, condition))
    },
  }
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
    /**
     * Inserts what a query finds, as rows of this workspace.
     * @param values by column; `from` is what follows them in the query
     */
    insertFound<T extends WorkspaceTable>(table: T, { values, from }: { values: Record<string, SQL>; from: SQL }) {
      const columns = getTableColumns(table)
      const stamped: [string, SQL][] = Object.entries({ ...values, ...stamp() })
      const names = stamped.map(([name]) => sql.identifier((columns[name] as SQLiteColumn).name))
      const comma = sql`, `
      return db.run(
        sql`insert into ${table} (${sql.join(names, comma)}) select ${sql.join(
          stamped.map(([, value]) => value),
          comma,
        )} ${from}`,
      )
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
