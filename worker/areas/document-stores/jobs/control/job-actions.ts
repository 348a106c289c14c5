/** Actions on a job: cancel, resume, approve, retry. */
import { and, eq, sql } from 'drizzle-orm'
import type { DocumentJob, JobAction, JobState } from '#contract/document-stores/jobs.ts'
import { HeddleError } from '#contract/errors.ts'
import { documentJobs } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { answerJob } from '../../answer-stores.ts'
import { jobColumns, settleStatements } from '../rows/end-job.ts'
import type { JobRow } from '../rows/job-rows.ts'
import { readJob } from '../rows/read-jobs.ts'
import { dispatch, dispatchNext, startJob } from './start-jobs.ts'

const OPEN: readonly JobState[] = ['queued', 'running', 'paused', 'asking']

/** The states in which each action is allowed. */
const FROM: Record<JobAction, readonly JobState[]> = {
  cancel: OPEN,
  resume: ['paused'],
  agree: ['asking'],
  retry: ['done', 'failed', 'cancelled'],
}

/** Returns the job or, for `retry`, the new one. Throws `not_found`, and `conflict` when its state does not allow it. */
export async function applyJobAction(
  services: Services,
  tenant: Tenant,
  { id, action }: { id: string; action: JobAction },
): Promise<DocumentJob> {
  const job = await readJob(services, tenant, id)
  if (!FROM[action].includes(job.state))
    throw new HeddleError('conflict', `This job is ${job.state}, so it cannot ${WORDS[action]}`)
  if (action === 'cancel') await cancel(services, tenant, job)
  else if (action === 'retry') return retry(services, tenant, job)
  else await goOn(services, tenant, job)
  return answerJob(await readJob(services, tenant, id))
}

const WORDS: Record<JobAction, string> = {
  cancel: 'be cancelled',
  resume: 'be resumed',
  agree: 'be agreed to',
  retry: 'be tried again yet',
}

/** The instance that works on it loses the job with the next unit, which writes nothing. */
async function cancel(services: Services, tenant: Tenant, job: JobRow): Promise<void> {
  const { db, clock } = services
  const end = { state: 'cancelled' as const, reason: null }
  const isOpen = and(eq(documentJobs.id, job.id), sql`${documentJobs.endedDate} is null`)
  const set = jobColumns(end, clock.now().toISOString())
  const settled = job.state === 'queued' && job.startedDate === null ? [] : settleStatements(services, tenant, job, end)
  await db.batch([scope(db, tenant).update(documentJobs, isOpen, set), ...settled] as never)
  await dispatchNext(services, tenant, job)
}

async function goOn(services: Services, tenant: Tenant, job: JobRow): Promise<void> {
  const isStanding = and(eq(documentJobs.id, job.id), eq(documentJobs.state, job.state))
  const request = { ...job.request, ...(job.state === 'asking' && { agreed: true }) }
  await scope(services.db, tenant).update(documentJobs, isStanding, { state: 'queued', stateReason: null, request })
  await dispatch(services, tenant, job)
}

/** Reads only what failed, or does all of it where the job itself failed. */
async function retry(services: Services, tenant: Tenant, job: JobRow): Promise<DocumentJob> {
  const { storeId, docId, kind, request } = job
  if (job.state === 'done' && job.filesFailed === 0)
    throw new HeddleError('conflict', 'Nothing of this job failed, so there is nothing to try again')
  const failedOnly = job.state === 'done'
  const id = await startJob(services, tenant, { storeId, docId, kind, request: { ...request, failedOnly } })
  return answerJob(await readJob(services, tenant, id))
}
