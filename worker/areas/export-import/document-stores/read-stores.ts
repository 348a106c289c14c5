/** Reads the document stores of a workspace for its exports, and what an import has to know of them. */
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type Bundle, MAX_TRANSFER_ROWS } from '#contract/export-import/export-import.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Database } from '#db/client.ts'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
import { isOneOf, pagesOf } from '../pages.ts'
import { addSums, type ChunkSum, digestOf, NO_CHUNKS } from './chunk-sums.ts'
import { storeContent, storeItem } from './items.ts'
import type { ExistingStore, StoresPresent } from './plan-stores.ts'
import { storeRow } from './rows.ts'

type Components = readonly ComponentDefinition[]

/** Returns the exported stores of a workspace, oldest first. Their chunks are exported apart, because there may be many. */
export async function exportStores(db: Database, tenant: Tenant, components: Components) {
  const rows = scope(db, tenant)
  const [stores, loaders, sources] = await db.batch([
    rows.select(documentStores).orderBy(asc(documentStores.createdDate), sql`rowid`),
    rows.select(documentLoaders).orderBy(asc(documentLoaders.createdDate), sql`rowid`),
    rows.select(documentSources).orderBy(asc(documentSources.createdDate), sql`rowid`),
  ])
  const loadersOf = Map.groupBy(loaders, ({ storeId }) => storeId)
  return stores.map((store) => storeItem(store, { loaders: loadersOf.get(store.id) ?? [], sources }, components))
}

const NONE: StoresPresent = { existing: new Map(), ids: new Set(), owners: new Map(), usedChunks: 0 }

/** Looks for taken ids in all workspaces, because rows are found by their ids alone. */
export async function readStoresPresent(
  db: Database,
  tenant: Tenant,
  { bundle, components }: { bundle: Bundle; components: Components },
): Promise<StoresPresent> {
  if (bundle.DocumentStore.length + bundle.DocumentStoreFileChunk.length === 0) return NONE
  const rows = scope(db, tenant)
  const all = acrossWorkspaces(db, 'an id is free only when no workspace uses it')
  const stores = listOf(bundle.DocumentStore.map(({ id }) => id))
  const parts = listOf(partIds(bundle))
  const inStores = (table: typeof documentLoaders | typeof documentJobs) => inArray(table.storeId, stores)
  const owners = [documentLoaders, documentSources, documentChunks].map((table) =>
    all.select({ id: table.id, storeId: table.storeId }).from(table).where(inArray(table.id, parts)),
  )
  const [found, loaders, jobs, ids, ...owned] = await db.batch([
    rows.select(documentStores, inArray(documentStores.id, stores)),
    rows.select(documentLoaders, inStores(documentLoaders)).orderBy(asc(documentLoaders.createdDate), sql`rowid`),
    rows.select(documentJobs, and(inStores(documentJobs), isNull(documentJobs.endedDate))),
    db
      .select({ id: documentStores.id, chunks: documentStores.totalChunks })
      .from(documentStores)
      .where(rows.inWorkspace(documentStores)),
    ...owners,
  ])
  const loadersOf = Map.groupBy(loaders, (loader) => loader.storeId)
  const busy = new Set(jobs.map((job) => job.storeId))
  const existing: ExistingStore[] = []
  for (const store of found) {
    const own = loadersOf.get(store.id) ?? []
    const row = storeRow.safeParse(storeItem(store, { loaders: own, sources: [] }, components)).data
    const sum = row && (await readSum(db, tenant, store.id))
    const { embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig } = store
    const configs = [embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig]
    existing.push({
      ...{ key: 'DocumentStore', id: store.id, isKept: busy.has(store.id), chunks: store.totalChunks },
      content: sum && storeContent(row, sum, components),
      configs: [...configs, ...own.map(({ loaderConfig }) => loaderConfig)].filter((text) => text !== null),
    })
  }
  return {
    existing: new Map(existing.map((store) => [store.id, store])),
    ids: new Set(ids.map(({ id }) => id)),
    owners: new Map(owned.flat().map((part) => [part.id, part.storeId])),
    usedChunks: ids.reduce((sum, store) => sum + store.chunks, 0),
  }
}

const { docId, chunkNo, hash, metadata, isEnabled } = documentChunks
const COMPARED = { docId, chunkNo, hash, metadata, isEnabled }

/** Returns undefined for a store with more chunks than a file may have. */
async function readSum(db: Database, tenant: Tenant, storeId: string): Promise<ChunkSum | undefined> {
  let sum = NO_CHUNKS
  for await (const page of chunkPages(db, tenant, { storeId, columns: COMPARED })) {
    sum = addSums([sum, ...page.map((chunk) => ({ chunks: 1, chars: 0, digest: digestOf(chunk) }))])
  }
  return sum.chunks > MAX_TRANSFER_ROWS ? undefined : sum
}

/** Yields these columns of the chunks of a store in pages that need little memory, and of no more than a file may have and one. */
async function* chunkPages<Columns extends Record<string, SQLiteColumn>>(
  db: Database,
  tenant: Tenant,
  { storeId, columns }: { storeId: string; columns: Columns },
) {
  const isIn = (condition?: SQL) =>
    scope(db, tenant).foundInWorkspace(documentChunks, and(eq(documentChunks.storeId, storeId), condition))
  const row = sql<number>`${documentChunks}.rowid`
  const lengths = Object.values(columns).map((column) => sql`coalesce(length(${column}), 0)`)
  const length = sql<number>`${sql.join(lengths, sql` + `)}`
  const all = await db
    .select({ row, length })
    .from(documentChunks)
    .where(isIn())
    .limit(MAX_TRANSFER_ROWS + 1)
  for (const page of pagesOf(all)) {
    yield await db
      .select(columns)
      .from(documentChunks)
      .where(isIn(sql`${row} in ${isOneOf(page)}`))
  }
}

const listOf = (ids: unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(ids)}))`

/** Returns the ids that loaders, files and chunks of the file keep if they are free. */
function partIds(bundle: Bundle): unknown[] {
  const loaders = bundle.DocumentStore.flatMap((row) => storeRow.safeParse(row).data?.loaders ?? [])
  const files = loaders.flatMap((loader) => loader.files)
  return [...loaders, ...files, ...bundle.DocumentStoreFileChunk].flatMap(({ id }) => id ?? [])
}
