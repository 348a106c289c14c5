/**
 * The search index of a document store: tables of its own, named after its shelf, so that neither a filter nor a count of
 * words ever meets another store's texts. They are reached only through the store's row of `document_shelves`, which
 * `scope` finds. Entries say which chunk has which text; words are found by BM25; vectors are kept once for each text.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from './client.ts'
import { documentShelves } from './schema/document-stores.ts'
import { acrossWorkspaces, scope, type Tenant } from './scope.ts'
import { creation, shelfOf, tablesOf, vectorCreation } from './shelf-tables.ts'
import type { Shelf } from './shelf-types.ts'

type ShelfRow = typeof documentShelves.$inferSelect
type ShelfState = Exclude<ShelfRow['state'], 'dropped'>

const MAX_DROPPED = 50

/**
 * Returns the shelf of a store, which is made where it does not exist yet. One that holds words only is given room for
 * vectors; one whose vectors another embedder made is replaced when it is building, and refused when it is current.
 */
export async function createShelf(
  db: Database,
  tenant: Tenant,
  { storeId, embedder, dimensions, state = 'current' }: NewShelf,
): Promise<Shelf> {
  const found = await openShelf(db, tenant, storeId, state)
  if (found?.embedder === embedder && found.dimensions === dimensions) return found
  if (found && found.embedder === null) return addVectors(db, tenant, { ...found, embedder, dimensions })
  if (found && state === 'current') {
    throw new Error('The shelf was made with other embeddings: build another one and swap them')
  }
  const rows = scope(db, tenant)
  const id = crypto.randomUUID().replaceAll('-', '')
  const row = { id, storeId, state, embedder, dimensions, hasSketches: true, createdDate: new Date().toISOString() }
  const old = found ? [rows.update(documentShelves, eq(documentShelves.id, found.id), { state: 'dropped' })] : []
  try {
    await db.batch([...old, rows.insert(documentShelves, row), ...creation(db, row)] as never)
  } catch (error) {
    // Somebody else made it at the same moment.
    const made = await openShelf(db, tenant, storeId, state)
    if (made?.embedder === embedder && made.dimensions === dimensions) return made
    throw error
  }
  return shelfOf(db, row)
}

async function addVectors(db: Database, tenant: Tenant, given: Pick<Shelf, 'id' | 'embedder' | 'dimensions'>) {
  const { id, embedder, dimensions } = given
  const shelf = { id, embedder, dimensions, hasSketches: true }
  const onlyWords = and(eq(documentShelves.id, id), sql`${documentShelves.embedder} is null`)
  const update = scope(db, tenant).update(documentShelves, onlyWords, { embedder, dimensions, hasSketches: true })
  await db.batch([update, ...vectorCreation(db, shelf)] as never)
  return shelfOf(db, shelf)
}

export interface NewShelf {
  storeId: string
  embedder: string | null
  dimensions: number | null
  /** Default: `current`. */
  state?: ShelfState
}

/** Returns undefined when the workspace's store has no shelf of that state. */
export async function openShelf(
  db: Database,
  tenant: Tenant,
  storeId: string,
  state: ShelfState = 'current',
): Promise<Shelf | undefined> {
  const { statement, open } = shelfQuery(db, tenant, { storeId, state })
  return open(await statement)
}

/** As `openShelf`, with the statement for the caller's batch. */
export function shelfQuery(
  db: Database,
  tenant: Tenant,
  { storeId, state = 'current' }: { storeId: string; state?: ShelfState },
) {
  const statement = db
    .select()
    .from(documentShelves)
    .where(scope(db, tenant).foundInWorkspace(documentShelves, isShelf(storeId, state)))
    .limit(1)
  return { statement, open: ([row]: ShelfRow[]): Shelf | undefined => row && shelfOf(db, row) }
}

/** The index of the table holds shelves that are not dropped, so the condition says so. */
const isShelf = (storeId: string, state: ShelfState) =>
  and(
    eq(documentShelves.storeId, storeId),
    eq(documentShelves.state, state),
    sql`${documentShelves.state} <> 'dropped'`,
  )

/** The statements that make the shelf that is building the one that is searched. Without one, they change nothing. */
export function swapShelf(db: Database, tenant: Tenant, storeId: string) {
  const rows = scope(db, tenant)
  const building = sql`(select id from ${documentShelves} where ${rows.foundInWorkspace(documentShelves, isShelf(storeId, 'building'))})`
  return [
    rows.update(documentShelves, and(isShelf(storeId, 'current'), sql`exists ${building}`), { state: 'dropped' }),
    rows.update(documentShelves, isShelf(storeId, 'building'), { state: 'current' }),
  ] as const
}

/** The statement that gives up a shelf that is building, because the one that is searched is as it should be. */
export const abandonShelf = (db: Database, tenant: Tenant, storeId: string) =>
  scope(db, tenant).update(documentShelves, isShelf(storeId, 'building'), { state: 'dropped' })

/** The minute job: deletes the tables of shelves that nobody searches any more. */
export async function dropShelves({ db }: { db: Database }): Promise<void> {
  const everywhere = acrossWorkspaces(db, 'the minute job drops shelves of every workspace')
  const dropped = await everywhere
    .select({ id: documentShelves.id })
    .from(documentShelves)
    .where(eq(documentShelves.state, 'dropped'))
    .limit(MAX_DROPPED)
  for (const { id } of dropped) {
    const tables = Object.values(tablesOf(id)).map((table) => db.run(sql`drop table if exists ${table}`))
    await db.batch([...tables, everywhere.delete(documentShelves).where(eq(documentShelves.id, id))] as never)
  }
}
