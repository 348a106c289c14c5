/** Adds jobs, and gives those that wait an instance. */
import { and, asc, eq, lte, type SQL, sql } from 'drizzle-orm'
import type { JobKind, JobRequest } from '#contract/document-stores/jobs.ts'
import { documentJobs } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope, type Tenant } from '#db/scope.ts'
import { createInstances, MAX_BATCH, replaceableId } from '../../../../jobs/instances.ts'
import type { Services } from '../../../../services.ts'
import { findNextJob } from '../rows/claim-job.ts'
import type { DocumentJobParams, JobRow } from '../rows/job-rows.ts'

/** An instance that did not claim its job by then is replaced. */
const REPLACE_AFTER_MS = 60_000

export interface NewJob {
  storeId: string
  /** Null: all loaders of the store. */
  docId: string | null
  kind: JobKind
  request: JobRequest
}

type Starting = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>

/** The statement that adds a job, for the caller's batch; `dispatch` starts it afterwards. */
function newJob({ db, clock }: Pick<Services, 'db' | 'clock'>, tenant: Tenant, job: NewJob) {
  const id = crypto.randomUUID()
  const row = { ...job, id, state: 'queued' as const, createdDate: clock.now().toISOString() }
  return { id, statement: scope(db, tenant).insert(documentJobs, row) }
}

/** Adds a job and starts it, or leaves it waiting for the job before it. Returns its id. */
export async function startJob(services: Starting, tenant: Tenant, job: NewJob): Promise<string> {
  const { id, statement } = newJob(services, tenant, job)
  await statement
  await dispatch(services, tenant, { id, attempt: 0 })
  return id
}

/** Gives a queued job an instance. */
export function dispatch(
  { backgroundRuns }: Pick<Services, 'backgroundRuns'>,
  { workspaceId }: Tenant,
  { id, attempt }: Pick<JobRow, 'id' | 'attempt'>,
): Promise<void> {
  const params: DocumentJobParams = { kind: 'documents', jobId: id, workspaceId }
  return createInstances(backgroundRuns, [{ id: `documents-${id}-${attempt}`, params }])
}

/** Starts the job that waited for one that is over. Its first instance may have come too early, and its id is used up. */
export async function dispatchNext(
  services: Starting,
  tenant: Tenant,
  over: Pick<JobRow, 'id' | 'storeId' | 'attempt'>,
): Promise<void> {
  const next = await findNextJob(services, tenant, over.storeId)
  if (!next) return
  const params: DocumentJobParams = { kind: 'documents', jobId: next.id, workspaceId: tenant.workspaceId }
  const id = `documents-${next.id}-${next.attempt}-${over.id}-${over.attempt}`
  await createInstances(services.backgroundRuns, [{ id, params }])
}

/** Part of the minute job: jobs that nobody began, and jobs whose instance is gone, get another one. */
export async function dispatchWaiting({ db, backgroundRuns }: Starting, now: Date): Promise<void> {
  const all = acrossWorkspaces(db, 'the minute job starts waiting jobs of every workspace')
  const open = (state: SQL | undefined) =>
    all
      .select({
        ...{ id: documentJobs.id, workspaceId: documentJobs.workspaceId, attempt: documentJobs.attempt },
        since: sql<string>`coalesce(${documentJobs.leaseUntil}, ${documentJobs.createdDate})`,
      })
      .from(documentJobs)
      .where(and(sql`${documentJobs.endedDate} is null`, isInUse(documentJobs.workspaceId), state))
      .orderBy(asc(documentJobs.leaseUntil))
      .limit(MAX_BATCH)
  const isLost = and(eq(documentJobs.state, 'running'), lte(documentJobs.leaseUntil, now.toISOString()))
  const waiting = (await db.batch([open(eq(documentJobs.state, 'queued')), open(isLost)])).flat()
  const instances = waiting.map(({ id, workspaceId, attempt, since }) => ({
    id: replaceableId(`documents-${id}-${attempt}-again`, { since, now, replaceAfterMs: REPLACE_AFTER_MS }),
    params: { kind: 'documents' as const, jobId: id, workspaceId },
  }))
  await createInstances<DocumentJobParams>(backgroundRuns, instances)
}
