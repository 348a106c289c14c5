/** Deletes one file of a store, with what was made of it. */
import { and, eq, exists, inArray, isNull, ne, sql } from 'drizzle-orm'
import { storedFileNames, storedFiles } from '#contract/document-stores/file-inputs.ts'
import { HeddleError } from '#contract/errors.ts'
import type { Database } from '#db/client.ts'
import { documentChunks, documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { searchIndexQuery } from '#db/search-index/search-index.ts'
import type { Services } from '../../services.ts'
import { parseRecord } from './answer-stores.ts'
import { dispatch } from './jobs/control/start-jobs.ts'
import { cleanJob } from './jobs/units/cleanup/clean-vectors.ts'
import { countedTotals, readState } from './jobs/units/finish/finish-loader.ts'
import { touchStore } from './loaders.ts'

interface FileOfStore {
  storeId: string
  fileId: string
}

type LoaderRow = typeof documentLoaders.$inferSelect
type SourceRow = typeof documentSources.$inferSelect

/**
 * Its loader no longer names it, so that no refresh reads it again. Throws `not_found`, and `conflict` while a job works on
 * the store or when somebody else saved the loader meanwhile.
 */
export async function deleteStoreFile(
  services: Pick<Services, 'db' | 'clock' | 'backgroundRuns'>,
  tenant: Tenant,
  of: FileOfStore,
) {
  const { db, clock } = services
  const { source, loader, isElsewhere, searchIndexes } = await openFile(db, tenant, of)
  const rows = scope(db, tenant)
  const { id, sourceId } = documentChunks
  const isOurs = rows.foundInWorkspace(documentChunks, eq(sourceId, source.id))
  const chunks = sql`${db.select({ id }).from(documentChunks).where(isOurs)}`
  const cleaning = isElsewhere ? cleanJob(services, tenant, { storeId: of.storeId, chunkIds: chunks }) : undefined
  const now = clock.now().toISOString()
  const statements = [
    // Null goes to a column that refuses it, and nothing is written.
    rows.update(documentStores, eq(documentStores.id, of.storeId), {
      createdDate: sql`case when ${isAsRead(db, tenant, { source, loader })} then ${documentStores.createdDate} end`,
    } as never),
    ...(cleaning ? [cleaning.statement] : []),
    ...searchIndexes.flatMap((searchIndex) => searchIndex.removeEntries(chunks)),
    rows.delete(documentSources, eq(documentSources.id, source.id)),
    ...(loader ? [rows.update(documentLoaders, eq(documentLoaders.id, loader.id), without(loader, source, now))] : []),
    ...touchStore(db, tenant, { storeId: of.storeId, now }),
  ]
  try {
    await db.batch(statements as never)
  } catch (error) {
    const [found] = await rows.select(documentSources, isAsRead(db, tenant, { source, loader }))
    if (found) throw error
    throw new HeddleError('conflict', IN_USE)
  }
  if (cleaning) await dispatch(services, tenant, { id: cleaning.id, attempt: 0 })
  return { raw: [], affected: 1 }
}

const IN_USE = 'This document store is being read or was just changed. Wait until it is done, and delete the file then'

/** Reads a file with its loader, and the search indexes that hold what was made of it. */
async function openFile(db: Database, tenant: Tenant, { storeId, fileId }: FileOfStore) {
  const rows = scope(db, tenant)
  const current = searchIndexQuery(db, tenant, { storeId })
  const building = searchIndexQuery(db, tenant, { storeId, state: 'building' })
  const isFile = and(eq(documentSources.id, fileId), eq(documentSources.storeId, storeId), documentSources.isStored)
  const ofFile = sql`(select doc_id from ${documentSources} where ${documentSources.id} = ${fileId})`
  const isLoader = and(eq(documentLoaders.storeId, storeId), eq(documentLoaders.id, ofFile))
  const [sources, loaders, stores, ...searchIndexes] = await db.batch([
    rows.select(documentSources, isFile),
    rows.select(documentLoaders, isLoader),
    rows.select(documentStores, eq(documentStores.id, storeId)),
    current.statement,
    building.statement,
  ])
  const [source] = sources as SourceRow[]
  if (!source) throw new HeddleError('not_found', 'File not found')
  const [loader] = loaders as LoaderRow[]
  const [store] = stores as (typeof documentStores.$inferSelect)[]
  const open = [current.open(searchIndexes[0]), building.open(searchIndexes[1])]
  return {
    ...{ source, loader, isElsewhere: Boolean(store?.vectorStoreConfig) },
    searchIndexes: open.filter((searchIndex) => searchIndex !== undefined),
  }
}

/** Holds while the file and its loader are as they were read, and no job that could be reading it has begun. */
function isAsRead(
  db: Database,
  tenant: Tenant,
  { source, loader }: { source: SourceRow; loader?: LoaderRow | undefined },
) {
  const rows = scope(db, tenant)
  const one = { one: sql`1` }
  const { docId, id } = documentSources
  const isSame = and(eq(id, source.id), loader ? eq(docId, loader.id) : isNull(docId))
  const isSaved = and(
    eq(documentLoaders.id, loader?.id ?? ''),
    eq(documentLoaders.loaderConfig, loader?.loaderConfig ?? ''),
  )
  const works = and(
    eq(documentJobs.storeId, source.storeId),
    inArray(documentJobs.state, ['queued', 'running']),
    ne(documentJobs.kind, 'clean'),
  )
  return and(
    exists(db.select(one).from(documentSources).where(rows.foundInWorkspace(documentSources, isSame))),
    loader && exists(db.select(one).from(documentLoaders).where(rows.foundInWorkspace(documentLoaders, isSaved))),
    sql`not exists ${db.select(one).from(documentJobs).where(rows.foundInWorkspace(documentJobs, works))}`,
  )
}

/** Returns what changes of a loader: its inputs, its totals, and whether all that it has could be read. */
function without(loader: LoaderRow, { name, status }: SourceRow, updatedDate: string) {
  const config = parseRecord(loader.loaderConfig) ?? {}
  const left = Object.entries(config).map(([input, value]) => {
    const names = storedFileNames(value)
    return [input, names?.includes(name) ? storedFiles(names.filter((each) => each !== name)) : value]
  })
  return {
    ...{ loaderConfig: JSON.stringify(Object.fromEntries(left)), updatedDate },
    ...countedTotals(loader.id),
    ...(status === 'FAILED' && loader.status === 'STALE' && readState(loader.id)),
  }
}
