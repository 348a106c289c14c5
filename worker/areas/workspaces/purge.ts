/** Removes workspaces that nobody restored: a bounded number of rows per minute, parents after what refers to them. */
import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Database } from '#db/client.ts'
import { documentSearchIndexes, executions, retiredIds, workspaceMembers, workspaces } from '#db/schema/index.ts'
import { acrossOrganizations, acrossWorkspaces } from '#db/scope.ts'
import { ownedTables } from '#db/tenant-guard.ts'
import type { Services } from '../../services.ts'
import { restorableSince } from './store.ts'

/** Rows that one statement deletes. */
const ROWS = 500
/** A run has steps of its own, which go with it. */
const RUNS = 50
/** Statements of one minute, besides one per table. */
const STEPS = 20

/** Part of the minute job. Files and search indexes follow their rows: other jobs delete what no row names any more. */
export async function purgeWorkspaces(services: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const { db, clock } = services
  const [due] = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(and(isNotNull(workspaces.deletedDate), lte(workspaces.deletedDate, restorableSince(clock.now()))))
    .orderBy(asc(workspaces.deletedDate), asc(workspaces.id))
    .limit(1)
  if (!due) return
  const all = acrossWorkspaces(db, 'the minute job removes the rows of a workspace that nobody restored')
  if (await removeRows(all, due.id)) await removeWorkspace(db, due.id)
}

/** Returns true when nothing is left. */
async function removeRows(all: Database, workspaceId: string): Promise<boolean> {
  let steps = STEPS + childrenFirst.length
  for (const table of childrenFirst) {
    const most = table === executions ? RUNS : ROWS
    for (let deleted = most; deleted === most; ) {
      if (steps-- === 0) return false
      const result = await all.run(sql`delete from ${table} where rowid in (
        select rowid from ${table} where workspace_id = ${workspaceId} limit ${most})`)
      deleted = result.rowsAffected
    }
  }
  const ofWorkspace = eq(documentSearchIndexes.workspaceId, workspaceId)
  const left = await all
    .select({ id: documentSearchIndexes.id })
    .from(documentSearchIndexes)
    .where(ofWorkspace)
    .limit(1)
  if (left.length === 0) return true
  await all.update(documentSearchIndexes).set({ state: 'dropped' }).where(ofWorkspace)
  return false
}

async function removeWorkspace(db: Database, id: string): Promise<void> {
  const members = acrossOrganizations(db, 'the people of a workspace go with it')
  await db.batch([
    members.delete(workspaceMembers).where(eq(workspaceMembers.workspaceId, id)),
    db.delete(workspaces).where(eq(workspaces.id, id)),
  ])
}

const STAYING: readonly SQLiteTable[] = [documentSearchIndexes, retiredIds]

/** Every table with rows of workspaces, but search indexes, whose tables are dropped first, and what no other may have. */
const childrenFirst: readonly SQLiteTable[] = sortByReference(
  ownedTables.filter((table) => !STAYING.includes(table)),
).toReversed()

function sortByReference(tables: readonly SQLiteTable[]): SQLiteTable[] {
  const sorted = new Set<SQLiteTable>()
  const add = (table: SQLiteTable) => {
    if (sorted.has(table) || !tables.includes(table)) return
    for (const key of getTableConfig(table).foreignKeys) add(key.reference().foreignTable)
    sorted.add(table)
  }
  for (const table of tables) add(table)
  return [...sorted]
}
