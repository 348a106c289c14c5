/** Makes the chunks of stores found that came without an index, as with an import. */
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '#db/client.ts'
import { documentJobs } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import type { Statement } from '../job-context.ts'
import { dispatch } from './start-jobs.ts'

/** The statements that add a job for each store, for the caller's batch; `startIndexing` starts them afterwards. */
export function newIndexJobs(
  db: Database,
  tenant: Tenant,
  { storeIds, now }: { storeIds: readonly string[]; now: string },
): Statement[] {
  const added = { kind: 'index' as const, state: 'queued' as const, request: {}, createdDate: now }
  return storeIds.map((storeId) =>
    scope(db, tenant).insert(documentJobs, { ...added, id: crypto.randomUUID(), storeId, docId: null }),
  )
}

/** Returns the ids of the jobs. */
export async function startIndexing(
  services: Pick<Services, 'db' | 'backgroundRuns'>,
  tenant: Tenant,
  storeIds: string[],
): Promise<string[]> {
  if (storeIds.length === 0) return []
  const { kind, state, storeId } = documentJobs
  const isNew = and(inArray(storeId, storeIds), eq(kind, 'index'), eq(state, 'queued'))
  const jobs = await scope(services.db, tenant).select(documentJobs, isNew)
  await Promise.all(jobs.map((job) => dispatch(services, tenant, job as { id: string; attempt: number })))
  return jobs.map(({ id }) => id)
}
