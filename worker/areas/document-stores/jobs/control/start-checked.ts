/** Starts jobs of stores and loaders that exist. */
import { and, eq } from 'drizzle-orm'
import { documentLoaders, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { loaderNotFound } from '../../loaders.ts'
import { storeNotFound } from '../../read-stores.ts'
import type { LoaderRow } from '../rows/job-rows.ts'
import { type NewJob, startJob } from './start-jobs.ts'

/** Reads all of a loader into chunks. Throws `not_found`. */
export async function startLoaderJob(services: Services, tenant: Tenant, docId: string): Promise<string> {
  const [loader] = await scope(services.db, tenant).select(documentLoaders, eq(documentLoaders.id, docId))
  if (!loader) throw loaderNotFound(docId)
  const { storeId } = loader as LoaderRow
  return startJob(services, tenant, { storeId, docId, kind: 'process', request: { all: true } })
}

/** Throws `not_found`. */
export async function startStoreJob(services: Services, tenant: Tenant, job: NewJob): Promise<string> {
  const { storeId, docId } = job
  const rows = scope(services.db, tenant)
  const isLoader = and(eq(documentLoaders.id, docId ?? ''), eq(documentLoaders.storeId, storeId))
  const [[stores], [loaders]] = await services.db.batch([
    rows.count(documentStores, eq(documentStores.id, storeId)),
    rows.count(documentLoaders, isLoader),
  ])
  if (stores?.count !== 1) throw storeNotFound(storeId)
  if (docId !== null && loaders?.count !== 1) throw loaderNotFound(docId)
  return startJob(services, tenant, job)
}
