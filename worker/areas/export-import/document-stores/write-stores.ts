/** Writes the document stores of an import. */
import { and, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { UNINDEXED } from '#contract/document-stores/states.ts'
import type { Database } from '#db/client.ts'
import {
  documentChunks,
  documentLoaders,
  documentSearchIndexes,
  documentSources,
  documentStores,
} from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Statement } from '../../../runs/records/run-record.ts'
import { recordStoreUsages } from '../../document-stores/index.ts'
import { chunked, upserts, type Writing } from '../upserts.ts'
import type { PlannedStore } from './plan-stores.ts'

/** Until a job has made the chunks of a store found by their words, it is stale. */
export function storeStatements(writing: Writing, planned: PlannedStore[]): Statement[] {
  const { db, member, now } = writing
  const rows = scope(db, member)
  const stamp = { createdDate: now, updatedDate: now }
  const stamped = <Row extends object>(list: Row[]) => list.map((row) => ({ ...row, ...stamp }))
  const replaced = planned.flatMap(({ store }) => (store.isReplacing ? [store.id] : []))
  const isOld = and(inArray(documentSearchIndexes.storeId, replaced), ne(documentSearchIndexes.state, 'dropped'))
  const stores = planned.map(({ store, loaders }) => ({
    ...{ ...store, totalBytes: 0 },
    status: loaders.length === 0 ? ('EMPTY' as const) : ('STALE' as const),
    statusReason: store.totalChunks > 0 ? UNINDEXED : null,
  }))
  return [
    ...upserts(writing, documentStores, stores),
    ...(replaced.length === 0
      ? []
      : [
          rows.update(documentSearchIndexes, isOld, { state: 'dropped' }),
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

/** Stores whose chunks a job still has to index. */
export const unindexedStores = (planned: readonly PlannedStore[]): string[] =>
  planned.flatMap(({ store }) => (store.totalChunks > 0 ? [store.id] : []))

/** Returns the statements after which the totals of stores, and of their loaders and sources, are what is there. */
export function recountStores(db: Database, tenant: Tenant, storeIds: readonly string[]): Statement[] {
  const rows = scope(db, tenant)
  const sum = (value: SQL, from: SQL) => sql`(select coalesce(sum(${value}), 0) from ${from})` as unknown as number
  const ofSource = sql`${documentChunks} own where own.source_id = ${documentSources.id}`
  const ofLoader = sql`${documentSources} own where own.doc_id = ${documentLoaders.id}`
  const ofStore = sql`${documentLoaders} own where own.store_id = ${documentStores.id}`
  return [
    rows.update(documentSources, inArray(documentSources.storeId, storeIds), {
      ...{ chunks: sum(sql`1`, ofSource), chars: sum(sql`length(own.page_content)`, ofSource) },
    }),
    rows.update(documentLoaders, inArray(documentLoaders.storeId, storeIds), {
      ...{ totalChunks: sum(sql`own.chunks`, ofLoader), totalChars: sum(sql`own.chars`, ofLoader) },
    }),
    rows.update(documentStores, inArray(documentStores.id, storeIds), {
      ...{ totalChunks: sum(sql`own.total_chunks`, ofStore), totalChars: sum(sql`own.total_chars`, ofStore) },
    }),
  ]
}
