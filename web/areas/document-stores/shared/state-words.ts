/** Labels for the states of stores, loaders and jobs. Pure. */
import type { DocumentJob, JobKind, JobState } from '#contract/document-stores/jobs.ts'
import type { DocumentLoader } from '#contract/document-stores/loaders.ts'
import type { StoreState } from '#contract/document-stores/states.ts'
import type { DocumentStore } from '#contract/document-stores/stores.ts'
import { isWorking } from './job-state.ts'

export interface StateWords {
  label: string
  tone: 'gray' | 'accent' | 'success' | 'warning' | 'danger'
  /** What it means, or what to do next. */
  text?: string
}

const WORKING: Record<JobKind, string> = {
  process: 'Reading…',
  upsert: 'Embedding…',
  refresh: 'Refreshing…',
  clean: 'Cleaning up…',
  index: 'Indexing…',
}

const STORE_WORDS: Record<StoreState, StateWords> = {
  EMPTY: { label: 'Empty', tone: 'gray', text: 'Add a loader to fill it.' },
  NEW: { label: 'Not read', tone: 'gray', text: 'Process its loaders to make it searchable.' },
  SYNCING: { label: 'Reading…', tone: 'accent' },
  STALE: { label: 'Out of date', tone: 'warning', text: 'Some loaders changed or were not read completely.' },
  SYNC: { label: 'Ready', tone: 'success' },
  UPSERTING: { label: 'Embedding…', tone: 'accent' },
  UPSERTED: { label: 'Ready', tone: 'success' },
}

/** Returns what the state of a store is called. What its newest job does or needs comes first. */
export function storeWords({
  status,
  statusReason,
  embeddingConfig,
  job,
}: Pick<DocumentStore, 'status' | 'statusReason' | 'embeddingConfig'> & {
  job: Pick<DocumentJob, 'kind' | 'state' | 'stateReason'> | null
}): StateWords {
  if (job && isWorking(job)) return { label: WORKING[job.kind], tone: 'accent' }
  if (job && isTrouble(job.state)) return needsAttention(job.stateReason ?? statusReason)
  if (statusReason && (job?.state !== 'cancelled' || job.kind === 'index')) return needsAttention(statusReason)
  if (status === 'SYNC' && embeddingConfig) {
    return { label: 'Not embedded', tone: 'warning', text: 'Found by its words only until it is embedded.' }
  }
  return STORE_WORDS[status]
}

const isTrouble = (state: JobState) => state === 'paused' || state === 'asking' || state === 'failed'

const needsAttention = (text: string | null): StateWords => ({
  label: 'Needs attention',
  tone: 'danger',
  ...(text && { text }),
})

const READING: readonly JobKind[] = ['process', 'refresh']

/** Returns what the state of a loader is called. A job without a loader works on all of them. */
export function loaderWords(
  { id, status, statusReason, filesFailed }: Pick<DocumentLoader, 'id' | 'status' | 'statusReason' | 'filesFailed'>,
  jobs: readonly Pick<DocumentJob, 'docId' | 'kind' | 'state'>[],
): StateWords {
  const own = jobs.find(
    ({ docId, kind, state }) => state === 'running' && (docId ?? (READING.includes(kind) && id)) === id,
  )
  if (own) return { label: WORKING[own.kind], tone: 'accent' }
  const text = statusReason ?? undefined
  if (status === 'NEW' || status === 'SYNCING') {
    return { label: 'Not read', tone: 'gray', text: text ?? 'Process it to make it searchable.' }
  }
  if (status === 'STALE' || filesFailed > 0) return { label: 'Incomplete', tone: 'warning', ...(text && { text }) }
  return { label: 'Ready', tone: 'success', ...(text && { text }) }
}

/** Labels of jobs while they are open, and in the history. */
export const JOB_NAMES: Record<JobKind, string> = {
  process: 'Process',
  upsert: 'Embed',
  refresh: 'Refresh',
  clean: 'Remove vectors',
  index: 'Index',
}

export const JOB_WORDS: Record<JobState, StateWords> = {
  queued: { label: 'Waiting', tone: 'gray' },
  running: { label: 'Running', tone: 'accent' },
  paused: { label: 'Paused', tone: 'warning' },
  asking: { label: 'Waiting for you', tone: 'warning' },
  done: { label: 'Done', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Canceled', tone: 'gray' },
}
