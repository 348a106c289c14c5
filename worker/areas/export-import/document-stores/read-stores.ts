/** Reads the document stores of a workspace for its exports, and what an import has to know of them. */
import { and, asc, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { type Bundle, MAX_BUNDLE_ROWS } from '#contract/export-import.ts'
import type { ComponentDefinition } from '#contract/flow/params/definition.ts'
import type { Database } from '#db/client.ts'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { acrossWorkspaces, scope, type Tenant } from '#db/scope.ts'
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
  const inStores = (table: typeof documentLoaders | typeof documentChunks | typeof documentJobs) =>
    inArray(table.storeId, stores)
  const owners = [documentLoaders, documentSources, documentChunks].map((table) =>
    all.select({ id: table.id, storeId: table.storeId }).from(table).where(inArray(table.id, parts)),
  )
  const { docId, storeId, chunkNo, hash, metadata, isEnabled } = documentChunks
  const [found, loaders, chunks, jobs, ids, ...owned] = await db.batch([
    rows.select(documentStores, inArray(documentStores.id, stores)),
    rows.select(documentLoaders, inStores(documentLoaders)).orderBy(asc(documentLoaders.createdDate), sql`rowid`),
    db
      .select({ docId, storeId, chunkNo, hash, metadata, isEnabled })
      .from(documentChunks)
      .where(rows.foundInWorkspace(documentChunks, inStores(documentChunks)))
      .limit(MAX_BUNDLE_ROWS + 1),
    rows.select(documentJobs, and(inStores(documentJobs), isNull(documentJobs.endedDate))),
    db
      .select({ id: documentStores.id, chunks: documentStores.totalChunks })
      .from(documentStores)
      .where(rows.inWorkspace(documentStores)),
    ...owners,
  ])
  const loadersOf = Map.groupBy(loaders, (loader) => loader.storeId)
  const chunksOf = Map.groupBy(chunks, (chunk) => chunk.storeId)
  const busy = new Set(jobs.map((job) => job.storeId))
  const existing = found.map((store): ExistingStore => {
    const own = loadersOf.get(store.id) ?? []
    const row = storeRow.safeParse(storeItem(store, { loaders: own, sources: [] }, components)).data
    const isWhole = row && chunks.length <= MAX_BUNDLE_ROWS
    const { embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig } = store
    const configs = [embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig]
    return {
      ...{ key: 'DocumentStore', id: store.id, isKept: busy.has(store.id), chunks: store.totalChunks },
      content: isWhole ? storeContent(row, chunksOf.get(store.id) ?? [], components) : undefined,
      configs: [...configs, ...own.map(({ loaderConfig }) => loaderConfig)].filter((text) => text !== null),
    }
  })
  return {
    existing: new Map(existing.map((store) => [store.id, store])),
    ids: new Set(ids.map(({ id }) => id)),
    owners: new Map(owned.flat().map((part) => [part.id, part.storeId])),
    usedChunks: ids.reduce((sum, store) => sum + store.chunks, 0),
  }
}

const listOf = (ids: unknown[]): SQL => sql`(select value from json_each(${JSON.stringify(ids)}))`

/** Returns the ids that loaders, files and chunks of the file keep if they are free. */
function partIds(bundle: Bundle): unknown[] {
  const loaders = bundle.DocumentStore.flatMap((row) => storeRow.safeParse(row).data?.loaders ?? [])
  const files = loaders.flatMap((loader) => loader.files)
  return [...loaders, ...files, ...bundle.DocumentStoreFileChunk].flatMap(({ id }) => id ?? [])
}
