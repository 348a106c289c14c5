/** Rows of jobs, and where one stands in its work. */
import { tryParseJson } from '#contract/data/json.ts'
import type { StoreState } from '#contract/document-stores/states.ts'
import type { documentJobs, documentLoaders, documentSources, documentStores } from '#db/schema/index.ts'

export type JobRow = typeof documentJobs.$inferSelect
export type StoreRow = typeof documentStores.$inferSelect
export type LoaderRow = typeof documentLoaders.$inferSelect
export type SourceRow = typeof documentSources.$inferSelect

/** The parameters of an instance that works on a job. */
export interface DocumentJobParams {
  kind: 'documents'
  jobId: string
  workspaceId: string
}

/** Stored with each unit of work, so that another instance goes on behind it. */
export interface JobCursor {
  /** `list` what is at the origin, `read` it, `settle` what is gone, `embed` what is new. */
  phase: 'list' | 'read' | 'settle' | 'embed'
  /** The loader in work; null before the first and after the last. */
  docId: string | null
  /** Where a list that comes in parts goes on. */
  part?: string | undefined
  /** The store's state before the job. */
  before: StoreState
  /** The shelf that has all chunks of the store. Every job first writes those that it lacks. */
  filled?: string | undefined
  /** Instances that were lost since the last unit. */
  losses?: number | undefined
  /** An instance was lost while this loader was read: its sources are read one by one. */
  isCareful?: boolean | undefined
  /** The source that is read then. */
  trying?: string | undefined
  /** A person knows that the loader's service does not show some of its sources. */
  isForbidden?: boolean | undefined
  /** Chunks that left and that a vector store elsewhere may still hold. */
  unused?: string[] | undefined
}

/** What a unit adds to the job's counters. */
export type JobCounts = Partial<
  Record<
    | 'filesTotal'
    | 'filesDone'
    | 'filesFailed'
    | 'pages'
    | 'chunksTotal'
    | 'chunksDone'
    | 'tokens'
    | 'cost'
    | 'numAdded'
    | 'numUpdated'
    | 'numDeleted'
    | 'numSkipped',
    number
  >
>

const READING: JobRow['kind'][] = ['process', 'refresh']

export function cursorOf({ cursor, kind }: Pick<JobRow, 'cursor' | 'kind'>, before: StoreState): JobCursor {
  const stored = cursor === null ? undefined : (tryParseJson(cursor) as JobCursor | undefined)
  return stored ?? { phase: READING.includes(kind) ? 'list' : 'embed', docId: null, before }
}
