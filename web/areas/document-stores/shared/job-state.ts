/** Jobs as pages follow them. Pure. */
import type { DocumentJob, JobState } from '#contract/document-stores/jobs.ts'

type AnyJob = Pick<DocumentJob, 'state'> | null

const ENDED: readonly JobState[] = ['done', 'failed', 'cancelled']
const WORKING_POLL_MS = 1000
const WAITING_POLL_MS = 10_000

/** Returns true until a job is done, failed or cancelled. */
export const isOpen = (job: AnyJob): boolean => job !== null && !ENDED.includes(job.state)

/** Returns true while a job works without a person. */
export const isWorking = (job: AnyJob): boolean => job?.state === 'queued' || job?.state === 'running'

/** Returns true where a store lacks something until somebody tries again. */
export const isStopped = ({ state, kind }: Pick<DocumentJob, 'state' | 'kind'>): boolean =>
  state === 'failed' || (state === 'cancelled' && kind === 'index')

/** Returns the milliseconds until jobs are read again: short while one works, longer while one waits for a person. */
export function pollMs(jobs: readonly AnyJob[]): number | false {
  if (jobs.some(isWorking)) return WORKING_POLL_MS
  return jobs.some(isOpen) ? WAITING_POLL_MS : false
}

/** Returns the job whose retry reads the failed files of a loader only. @param jobs newest first */
export function retryableJob<Job extends Pick<DocumentJob, 'state' | 'docId' | 'kind' | 'filesFailed'>>(
  jobs: readonly Job[],
  loaderId: string,
): Job | undefined {
  const newest = jobs.find(
    ({ kind, docId }) => kind !== 'upsert' && kind !== 'index' && (docId === null || docId === loaderId),
  )
  return newest?.state === 'done' && newest.filesFailed > 0 ? newest : undefined
}
