/** Writes the document stores of an import: rows in the import's batch, then the words that find their chunks. */
import { and, eq, inArray, ne } from 'drizzle-orm'
import { embeddedText } from '#contract/document-stores/embedded-text.ts'
import type { Database } from '#db/client.ts'
import { documentChunks, documentLoaders, documentShelves, documentSources, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { createShelf } from '#db/shelf.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import { recordStoreUsages } from '../../document-stores/index.ts'
import { chunked, upserts, type Writing } from '../upserts.ts'
import type { PlannedStore } from './plan-stores.ts'

/** Chunks whose words are written in one batch. */
const ENTRIES = 200

/** Until the words of its chunks are written, a store is stale. */
export function storeStatements(writing: Writing, planned: PlannedStore[]): Statement[] {
  const { db, member, now } = writing
  const rows = scope(db, member)
  const stamp = { createdDate: now, updatedDate: now }
  const stamped = <Row extends object>(list: Row[]) => list.map((row) => ({ ...row, ...stamp }))
  const replaced = planned.flatMap(({ store }) => (store.isReplacing ? [store.id] : []))
  const isOld = and(inArray(documentShelves.storeId, replaced), ne(documentShelves.state, 'dropped'))
  const stores = planned.map(({ store, status, chunks }) => ({
    ...{ ...store, statusReason: null, totalBytes: 0 },
    status: chunks.length > 0 ? ('STALE' as const) : status,
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
    ...chunked(
      planned.flatMap(({ chunks }) => chunks),
      (list) => rows.insertAll(documentChunks, list),
    ),
    ...planned.flatMap(({ store, loaders }) => {
      const { embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig } = store
      const configs = [embeddingConfig, vectorStoreConfig, recordManagerConfig, searchConfig]
      const all = [...configs, ...loaders.map(({ loaderConfig }) => loaderConfig)]
      return recordStoreUsages(db, member, { storeId: store.id, configs: all })
    }),
  ]
}

/** Makes the chunks of new stores found by their words. */
export async function indexStores(db: Database, tenant: Tenant, planned: readonly PlannedStore[]): Promise<void> {
  const rows = scope(db, tenant)
  for (const { store, status, chunks } of planned) {
    if (chunks.length === 0) continue
    const shelf = await createShelf(db, tenant, { storeId: store.id, embedder: null, dimensions: null })
    const entries = chunks
      .filter(({ isEnabled }) => isEnabled)
      .map(({ id, hash, headings, pageContent }) => ({
        ...{ chunkId: id, hash, text: embeddedText(headings, pageContent) },
      }))
    for (let start = 0; start < entries.length; start += ENTRIES) {
      await db.batch(shelf.writeEntries(entries.slice(start, start + ENTRIES)) as never)
    }
    await rows.update(documentStores, eq(documentStores.id, store.id), { status })
  }
}
