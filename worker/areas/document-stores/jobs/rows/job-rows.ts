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
  /**
   * `list` what is at the origin, `read` it, `settle` what is gone; then `tidy` the search index, and `embed` what is
   * new.
   */
  phase: 'list' | 'read' | 'settle' | 'tidy' | 'embed'
  /** The loader in work; null before the first and after the last. */
  docId: string | null
  /** Where a list that comes in parts goes on. */
  part?: string | undefined
  /** The store's state before the job. */
  before: StoreState
  /** The search index that has all chunks of the store. Every job first writes those that it lacks. */
  filled?: string | undefined
  /** Instances that were lost since the last unit. */
  losses?: number | undefined
  /** An instance was lost while this loader was read: its sources are read one by one. */
  isCareful?: boolean | undefined
  /** The source that is read then. */
  trying?: string | undefined
  /** The sources of the loader that are gone have been marked, and no person needs to be asked. */
  isMarked?: boolean | undefined
  /** Progress of renumbering the loader's chunks. */
  walk?: ChunkWalk | undefined
  /** The search index that is looked through for entries without a chunk, and the last of them that was. */
  cleaned?: { searchIndex: string; to: number } | undefined
  /** Chunks that left and that a vector store elsewhere may still hold. */
  unused?: string[] | undefined
}

/** A walk along the chunks of a loader, from the first to the last or back. */
export interface ChunkWalk {
  isDown?: boolean | undefined
  /** The row of the source to go on with, and the number and row of the chunk in it that was last; absent: at the end. */
  source?: number | undefined
  after?: [number, number] | undefined
  /** That of the chunk that was last; on the way down that of the next. */
  number: number
  /** Characters of the chunks on the way up. */
  chars: number
  /** Numbers of some chunks must rise. */
  rises?: boolean | undefined
}

/** Changes of a unit to the job's counters. */
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

export function parseCursor({ cursor, kind }: Pick<JobRow, 'cursor' | 'kind'>, before: StoreState): JobCursor {
  const stored = cursor === null ? undefined : (tryParseJson(cursor) as JobCursor | undefined)
  return stored ?? { phase: READING.includes(kind) ? 'list' : 'embed', docId: null, before }
}
