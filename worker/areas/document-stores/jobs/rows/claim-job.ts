/** Claims a job for one instance with a conditional update: of a store's jobs one is worked on at a time. */
import { and, asc, eq, sql } from 'drizzle-orm'
import { documentJobs, documentStores } from '#db/schema/index.ts'
import { isInUse, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { type DocumentJobParams, parseCursor } from './job-rows.ts'

/** A unit that takes longer is done again by another instance. */
const LEASE_MS = 3 * 60_000

export const leaseFrom = (now: Date): string => new Date(now.getTime() + LEASE_MS).toISOString()

/** Returns the attempt that this instance holds; undefined when the job is not to be worked on. */
export async function claimJob(
  services: Pick<Services, 'db' | 'clock'>,
  { jobId, workspaceId }: DocumentJobParams,
): Promise<number | undefined> {
  const { db, clock } = services
  const tenant = { workspaceId }
  const rows = scope(db, tenant)
  const [row] = await db
    .select({ job: documentJobs, before: documentStores.status })
    .from(documentJobs)
    .innerJoin(documentStores, eq(documentStores.id, documentJobs.storeId))
    .where(rows.foundInWorkspace(documentJobs, eq(documentJobs.id, jobId)))
  if (!row) return undefined
  const { job, before } = row
  const now = clock.now()
  const cursor = parseCursor(job, before)
  const claimed =
    job.state === 'running'
      ? { ...cursor, losses: (cursor.losses ?? 0) + 1, isCareful: cursor.phase === 'read' }
      : cursor
  const isFree = and(
    eq(documentJobs.id, jobId),
    eq(documentJobs.attempt, job.attempt),
    sql`${documentJobs.endedDate} is null`,
    sql`(${documentJobs.state} = 'queued' or ${documentJobs.state} = 'running' and ${documentJobs.leaseUntil} <= ${now.toISOString()})`,
    sql`not exists (${othersBefore(tenant, job)})`,
    isInUse(documentJobs.workspaceId),
  )
  const [updated] = await db.batch([
    rows
      .update(documentJobs, isFree, {
        state: 'running',
        stateReason: null,
        attempt: job.attempt + 1,
        leaseUntil: leaseFrom(now),
        startedDate: sql`coalesce(${documentJobs.startedDate}, ${now.toISOString()})` as unknown as string,
        cursor: JSON.stringify(claimed),
      })
      .returning({ attempt: documentJobs.attempt }),
    rows.update(documentStores, and(eq(documentStores.id, job.storeId), holds(jobId, job.attempt + 1)), {
      status: job.kind === 'upsert' || claimed.phase === 'embed' ? 'UPSERTING' : 'SYNCING',
      statusReason: null,
    }),
  ])
  return updated[0]?.attempt
}

/** Jobs of the store that are worked on, or that came first. */
function othersBefore(tenant: Tenant, { id, storeId, createdDate }: typeof documentJobs.$inferSelect) {
  return sql`select 1 from ${documentJobs} other where other.workspace_id = ${tenant.workspaceId}
    and other.store_id = ${storeId} and other.id <> ${id} and other.ended_date is null
    and (other.state = 'running' or other.state = 'queued'
      and (other.created_date < ${createdDate} or other.created_date = ${createdDate} and other.id < ${id}))`
}

const holds = (jobId: string, attempt: number) =>
  sql`exists (select 1 from ${documentJobs} held where held.id = ${jobId} and held.state = 'running' and held.attempt = ${attempt})`

/** Returns the job of the store that is next, if any waits. */
export async function findNextJob({ db }: Pick<Services, 'db'>, tenant: Tenant, storeId: string) {
  const isQueued = and(eq(documentJobs.storeId, storeId), eq(documentJobs.state, 'queued'))
  const [next] = await scope(db, tenant)
    .select(documentJobs, isQueued)
    .orderBy(asc(documentJobs.createdDate), asc(documentJobs.id))
    .limit(1)
  return next as typeof documentJobs.$inferSelect | undefined
}
