/** The interface of jobs to the area and the worker’s entry. */
import { defineJob } from '../../../jobs/instances.ts'
import type { Services } from '../../../services.ts'
import { refreshDueStores } from './control/schedule.ts'
import { dispatchWaiting } from './control/start-jobs.ts'
import type { DocumentJobParams } from './rows/job-rows.ts'
import { runDocumentJob } from './run-job.ts'

export const documentJob = defineJob<DocumentJobParams>({ kind: 'documents', run: runDocumentJob })

/** The minute job: adds refreshes that are due, and starts jobs that nobody works on. */
export async function runDocumentJobs(services: Services, now: Date): Promise<void> {
  await refreshDueStores(services, now)
  await dispatchWaiting(services, now)
}
