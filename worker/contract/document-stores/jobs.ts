/** Payloads of the jobs that read, embed and refresh a store. */
import * as z from 'zod'
import { dateSchema } from '../schemas/responses.ts'
import { MAX_ADDED_DOCS } from '../upserts/upserts.ts'

/**
 * `process` reads a loader into chunks; `upsert` embeds what is not yet; `refresh` does both for what changed at its
 * origin; `clean` takes vectors away; `index` makes chunks found by their words, which every other job does first.
 */
export const JOB_KINDS = ['process', 'upsert', 'refresh', 'clean', 'index'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** `asking`: it waits for a person, as a refresh that would drop half. `paused`: a provider refused; `stateReason` says what it said. */
export const JOB_STATES = ['queued', 'running', 'paused', 'asking', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

export interface JobRequest {
  /** Added to the metadata of each chunk. */
  metadata?: Record<string, unknown>
  /** Reads sources that did not change as well, as after a change of the splitter. */
  all?: boolean
  /** A person has agreed to what the job asked. */
  agreed?: boolean
  /** Only sources that failed. */
  failedOnly?: boolean
  /** Chunks that left, and that a vector store elsewhere may still hold. Absent: a `clean` takes all vectors away. */
  unused?: string[]
}

export const documentJobSchema = z
  .object({
    id: z.string(),
    storeId: z.string(),
    docId: z.string().nullable().describe('The loader; null: all of the store'),
    kind: z.enum(JOB_KINDS),
    state: z.enum(JOB_STATES),
    stateReason: z.string().nullable(),
    filesTotal: z.int(),
    filesDone: z.int(),
    filesFailed: z.int(),
    pages: z.int(),
    chunksTotal: z.int(),
    chunksDone: z.int(),
    tokens: z.int(),
    cost: z.number().nullable().describe('US dollars; null when the price is unknown'),
    numAdded: z.int(),
    numUpdated: z.int(),
    numDeleted: z.int(),
    numSkipped: z.int(),
    createdDate: dateSchema,
    startedDate: dateSchema.nullable(),
    endedDate: dateSchema.nullable(),
  })
  .meta({ id: 'DocumentJob' })

/** `POST /document-store/jobs/:id/:action` */
export const JOB_ACTIONS = ['cancel', 'resume', 'retry', 'agree'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

/** The answer to an upsert that was waited for, in Flowise's shape. */
export const upsertResultSchema = z
  .object({
    numAdded: z.int(),
    numDeleted: z.int(),
    numUpdated: z.int(),
    numSkipped: z.int(),
    totalKeys: z.int(),
    addedDocs: z
      .array(z.object({ pageContent: z.string(), metadata: z.record(z.string(), z.unknown()) }))
      .describe(`At most ${MAX_ADDED_DOCS}; none when the job read a loader only, or embedded into a store elsewhere`),
    docId: z.string().optional(),
    jobId: z.string(),
  })
  .meta({ id: 'UpsertResult' })

/** The answer 202 to `async=true`. */
export const acceptedJobSchema = z
  .object({ jobId: z.string(), statusUrl: z.string().describe('The path that says how far it is') })
  .meta({ id: 'AcceptedJob' })

export type DocumentJob = z.infer<typeof documentJobSchema>
export type UpsertResult = z.infer<typeof upsertResultSchema>
export type AcceptedJob = z.infer<typeof acceptedJobSchema>
