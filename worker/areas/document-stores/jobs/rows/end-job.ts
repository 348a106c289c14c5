/** Ends a job, or stops it for a person, and says what has become of its store and loaders. No store stays in work. */
import { and, desc, eq, ne, sql } from 'drizzle-orm'
import { UNINDEXED } from '#contract/document-stores/states.ts'
import { documentJobs, documentLoaders, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { dispatchNext } from '../control/start-jobs.ts'
import { type JobContext, type Statement, type Unit, writeUnit } from '../job-context.ts'
import type { JobRow } from './job-rows.ts'

/** Jobs of a store that its history keeps. */
const MAX_HISTORY = 100

interface JobEnd {
  state: 'done' | 'failed' | 'paused' | 'asking' | 'cancelled'
  /** For people; null when all is well. */
  reason: string | null
  /** Every chunk is found in all the ways that the store is set up for. */
  isComplete?: boolean
}

/** Ends the job in one unit and starts the one that waits. */
export async function endJob(task: JobContext, end: JobEnd, unit: Unit = {}): Promise<void> {
  const { services, tenant, job } = task
  const now = services.clock.now().toISOString()
  await writeUnit(task, {
    ...unit,
    set: jobColumns(end, now),
    statements: [...(unit.statements ?? []), ...settleStatements(services, tenant, job, end)],
  })
  await dispatchNext(services, tenant, job)
}

const isOver = ({ state }: JobEnd) => state === 'done' || state === 'failed' || state === 'cancelled'

export const jobColumns = (end: JobEnd, now: string) => ({
  state: end.state,
  stateReason: end.reason,
  leaseUntil: null,
  endedDate: isOver(end) ? now : null,
})

/** Statements that update the store, its loaders and its history after a job ended. Run them after the job's own statement. */
export function settleStatements(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tenant: Tenant,
  { id, storeId, kind }: Pick<JobRow, 'id' | 'storeId' | 'kind'>,
  end: JobEnd,
): Statement[] {
  const rows = scope(db, tenant)
  const now = clock.now().toISOString()
  const wasComplete = sql`exists (select 1 from ${documentJobs} own where own.id = ${id}
    and own.cursor ->> 'before' = 'UPSERTED' and own.num_added + own.num_updated + own.num_deleted = 0)`
  const isUnindexed = sql`exists (select 1 from ${documentJobs} own where own.id = ${id}
    and own.cursor ->> 'before' = 'STALE' and own.cursor ->> 'filled' is null)`
  const status = end.isComplete
    ? sql`'UPSERTED'`
    : sql`case when ${isUnindexed} then 'STALE' when ${wasComplete} then 'UPSERTED' when ${documentStores.totalChunks} > 0 then 'SYNC' else 'EMPTY' end`
  const isDone = end.state === 'done'
  const isSync = isDone && kind !== 'clean' && kind !== 'index'
  const inWork = sql`${documentLoaders.id} = (select own.cursor ->> 'docId' from ${documentJobs} own where own.id = ${id})`
  const stopped = end.reason ?? 'Processing was stopped'
  const statements: Statement[] = [
    rows.update(documentStores, eq(documentStores.id, storeId), {
      status: status as unknown as 'SYNC',
      statusReason:
        sql`case when ${isUnindexed} then coalesce(${end.reason}, ${UNINDEXED}) else ${end.reason} end` as unknown as string,
      updatedDate: now,
      ...(isSync && { lastSyncDate: now }),
    }),
  ]
  if (!isDone) {
    const isReading = and(eq(documentLoaders.storeId, storeId), eq(documentLoaders.status, 'SYNCING'), inWork)
    statements.push(rows.update(documentLoaders, isReading, { status: 'STALE', statusReason: stopped }))
  }
  if (isOver(end)) statements.push(deleteOldJobs({ db }, tenant, { storeId, kind }))
  return statements
}

/** Cleaning does not drive what people did out of the history. */
function deleteOldJobs(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  { storeId, kind }: Pick<JobRow, 'storeId' | 'kind'>,
): Statement {
  const rows = scope(db, tenant)
  const isAlike = kind === 'clean' ? eq(documentJobs.kind, kind) : ne(documentJobs.kind, 'clean')
  const ended = and(eq(documentJobs.storeId, storeId), isAlike, sql`${documentJobs.endedDate} is not null`)
  const kept = db
    .select({ id: documentJobs.id })
    .from(documentJobs)
    .where(rows.foundInWorkspace(documentJobs, ended))
    .orderBy(desc(documentJobs.createdDate), desc(documentJobs.id))
    .limit(MAX_HISTORY)
  return rows.delete(documentJobs, and(ended, sql`${documentJobs.id} not in (${kept})`))
}
