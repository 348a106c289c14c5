/**
 * The search index of a document store: tables of its own, named after its id, so that neither a filter nor a count of
 * words ever meets another store's texts. They are reached only through the store's row of `document_shelves`, which
 * `scope` finds. Entries say which chunk has which text; words are found by BM25; vectors are kept once for each text.
 */
import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { documentSearchIndexes } from '../schema/document-stores.ts'
import { acrossWorkspaces, scope, type Tenant } from '../scope.ts'
import { creation, nameTables, searchIndexOf, vectorCreation } from './tables.ts'
import type { SearchIndex } from './types.ts'

type SearchIndexRow = typeof documentSearchIndexes.$inferSelect
type SearchIndexState = Exclude<SearchIndexRow['state'], 'dropped'>

const MAX_DROPPED = 50

/**
 * Returns the search index of a store, which is made where it does not exist yet. One that holds words only is given
 * room for vectors; one whose vectors another embedder made is replaced when it is building, and refused when it is
 * current.
 */
export async function createSearchIndex(
  db: Database,
  tenant: Tenant,
  { storeId, embedder, dimensions, state = 'current' }: NewSearchIndex,
): Promise<SearchIndex> {
  const found = await openSearchIndex(db, tenant, storeId, state)
  if (found?.embedder === embedder && found.dimensions === dimensions) return found
  if (found && found.embedder === null) return addVectors(db, tenant, { ...found, embedder, dimensions })
  if (found && state === 'current') {
    throw new Error('The search index was made with other embeddings: build another one and swap them')
  }
  const rows = scope(db, tenant)
  const id = crypto.randomUUID().replaceAll('-', '')
  const row = { id, storeId, state, embedder, dimensions, hasSketches: true, createdDate: new Date().toISOString() }
  const old = found
    ? [rows.update(documentSearchIndexes, eq(documentSearchIndexes.id, found.id), { state: 'dropped' })]
    : []
  try {
    await db.batch([...old, rows.insert(documentSearchIndexes, row), ...creation(db, row)] as never)
  } catch (error) {
    // Somebody else made it at the same moment.
    const made = await openSearchIndex(db, tenant, storeId, state)
    if (made?.embedder === embedder && made.dimensions === dimensions) return made
    throw error
  }
  return searchIndexOf(db, row)
}

async function addVectors(db: Database, tenant: Tenant, given: Pick<SearchIndex, 'id' | 'embedder' | 'dimensions'>) {
  const { id, embedder, dimensions } = given
  const searchIndex = { id, embedder, dimensions, hasSketches: true }
  const onlyWords = and(eq(documentSearchIndexes.id, id), sql`${documentSearchIndexes.embedder} is null`)
  const update = scope(db, tenant).update(documentSearchIndexes, onlyWords, { embedder, dimensions, hasSketches: true })
  await db.batch([update, ...vectorCreation(db, searchIndex)] as never)
  return searchIndexOf(db, searchIndex)
}

interface NewSearchIndex {
  storeId: string
  embedder: string | null
  dimensions: number | null
  /** Default: `current`. */
  state?: SearchIndexState
}

/** Returns undefined when the workspace's store has no search index of that state. */
export async function openSearchIndex(
  db: Database,
  tenant: Tenant,
  storeId: string,
  state: SearchIndexState = 'current',
): Promise<SearchIndex | undefined> {
  const { statement, open } = searchIndexQuery(db, tenant, { storeId, state })
  return open(await statement)
}

/** Works as `openSearchIndex` does, with the statement for the caller's batch. */
export function searchIndexQuery(
  db: Database,
  tenant: Tenant,
  { storeId, state = 'current' }: { storeId: string; state?: SearchIndexState },
) {
  const statement = db
    .select()
    .from(documentSearchIndexes)
    .where(scope(db, tenant).foundInWorkspace(documentSearchIndexes, isSearchIndex(storeId, state)))
    .limit(1)
  return { statement, open: ([row]: SearchIndexRow[]): SearchIndex | undefined => row && searchIndexOf(db, row) }
}

/** The index of the table holds search indexes that are not dropped, so the condition says so. */
const isSearchIndex = (storeId: string, state: SearchIndexState) =>
  and(
    eq(documentSearchIndexes.storeId, storeId),
    eq(documentSearchIndexes.state, state),
    sql`${documentSearchIndexes.state} <> 'dropped'`,
  )

/**
 * The statements that make the search index that is building the one that is searched. Without one, they change
 * nothing.
 */
export function swapSearchIndex(db: Database, tenant: Tenant, storeId: string) {
  const rows = scope(db, tenant)
  const building = sql`(select id from ${documentSearchIndexes} where ${rows.foundInWorkspace(documentSearchIndexes, isSearchIndex(storeId, 'building'))})`
  return [
    rows.update(documentSearchIndexes, and(isSearchIndex(storeId, 'current'), sql`exists ${building}`), {
      state: 'dropped',
    }),
    rows.update(documentSearchIndexes, isSearchIndex(storeId, 'building'), { state: 'current' }),
  ] as const
}

/** The statement that gives up a search index that is building, because the one that is searched is as it should be. */
export const abandonSearchIndex = (db: Database, tenant: Tenant, storeId: string) =>
  scope(db, tenant).update(documentSearchIndexes, isSearchIndex(storeId, 'building'), { state: 'dropped' })

/** The minute job: deletes the tables of search indexes that nobody searches any more. */
export async function dropSearchIndexes({ db }: { db: Database }): Promise<void> {
  const everywhere = acrossWorkspaces(db, 'the minute job drops search indexes of every workspace')
  const dropped = await everywhere
    .select({ id: documentSearchIndexes.id })
    .from(documentSearchIndexes)
    .where(eq(documentSearchIndexes.state, 'dropped'))
    .limit(MAX_DROPPED)
  for (const { id } of dropped) {
    const tables = Object.values(nameTables(id)).map((table) => db.run(sql`drop table if exists ${table}`))
    await db.batch([
      ...tables,
      everywhere.delete(documentSearchIndexes).where(eq(documentSearchIndexes.id, id)),
    ] as never)
  }
}
