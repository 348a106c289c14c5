/** Writes the document stores of an import: rows in the import's batch, then the words that find their chunks. */
import { and, eq, inArray, ne } from 'drizzle-orm'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import type { StoreState } from '#contract/document-stores/states.ts'
import type { Database } from '#db/client.ts'
import { documentChunks, documentLoaders, documentShelves, documentSources, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { createShelf, openShelf } from '#db/shelf.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import { recordStoreUsages } from '../../document-stores/index.ts'
import { chunked, upserts, type Writing } from '../upserts.ts'
import type { PlannedStore } from './plan-stores.ts'
import { chunkPages } from './read-stores.ts'

/** Until the words of its chunks are written, a store is stale. */
export function storeStatements(writing: Writing, planned: PlannedStore[]): Statement[] {
  const { db, member, now } = writing
  const rows = scope(db, member)
  const stamp = { createdDate: now, updatedDate: now }
  const stamped = <Row extends object>(list: Row[]) => list.map((row) => ({ ...row, ...stamp }))
  const replaced = planned.flatMap(({ store }) => (store.isReplacing ? [store.id] : []))
  const isOld = and(inArray(documentShelves.storeId, replaced), ne(documentShelves.state, 'dropped'))
  const stores = planned.map(({ store, status }) => ({
    ...{ ...store, statusReason: null, totalBytes: 0 },
    status: store.totalChunks > 0 ? ('STALE' as const) : status,
  }))
  return [
    ...upserts(writing, documentStores, stores),
    ...(replaced.length === 0
      ? []
      : [
          rows.update(documentShelves, isOld, { state: 'dropped' }),
          rows.delete(documentSources, inArray(documentSources.storeId, replaced)),
          rows.delete(documentLoaders, inArray(documentLoaders.storeId, replaced)),
        ]),
    ...chunked(
      planned.flatMap(({ loaders }) => loaders),
      (list) => rows.insertAll(documentLoaders, stamped(list)),
    ),
    ...chunked(
      planned.flatMap(({ sources }) => sources),
      (list) => rows.insertAll(documentSources, stamped(list)),
    ),
    ...planned.flatMap(({ store, loaders }) => {
      const { embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig } = store
      const configs = [embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig]
      const all = [...configs, ...loaders.map(({ loaderConfig }) => loaderConfig)]
      return recordStoreUsages(db, member, { storeId: store.id, configs: all })
    }),
  ]
}

/** A store whose chunks are not yet found by their words. */
export interface UnindexedStore {
  id: string
  status: StoreState
}

export const unindexedStores = (planned: readonly PlannedStore[]): UnindexedStore[] =>
  planned.flatMap(({ store, status }) => (store.totalChunks > 0 ? [{ id: store.id, status }] : []))

const { id: chunkId, hash, headings, pageContent, isEnabled } = documentChunks
const INDEXED = { chunkId, hash, headings, pageContent, isEnabled }

interface Indexing {
  stores: readonly UnindexedStore[]
  /** Makes one batch of the statements that write so many chunks. */
  write(statements: Statement[], chunks: number): Promise<unknown>
}

/** Makes the chunks of new stores found by their words, page by page. It may be done again. */
export async function indexStores(db: Database, tenant: Tenant, { stores, write }: Indexing): Promise<void> {
  for (const { id: storeId, status } of stores) {
    for await (const page of chunkPages(db, tenant, { storeId, columns: INDEXED })) {
      const shelf =
        (await openShelf(db, tenant, storeId)) ??
        (await createShelf(db, tenant, { storeId, embedder: null, dimensions: null }))
      const entries = page
        .filter((chunk) => chunk.isEnabled)
        .map(({ headings, pageContent, ...chunk }) => ({ ...chunk, text: embeddedText(headings, pageContent) }))
      if (entries.length > 0) await write(shelf.writeEntries(entries), page.length)
    }
    const isUnindexed = and(eq(documentStores.id, storeId), eq(documentStores.status, 'STALE'))
    await write([scope(db, tenant).update(documentStores, isUnindexed, { status })], 0)
  }
}
