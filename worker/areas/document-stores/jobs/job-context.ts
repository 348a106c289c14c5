/** The context of an instance that holds a job. */
import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { Database } from '#db/client.ts'
import { documentJobs, documentLoaders, documentStores } from '#db/schema/index.ts'
import { isInUse, type Scope, scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../services.ts'
import { leaseFrom } from './rows/claim-job.ts'
import {
  type DocumentJobParams,
  type JobCounts,
  type JobCursor,
  type JobRow,
  type LoaderRow,
  parseCursor,
  type StoreRow,
} from './rows/job-rows.ts'

export type Statement = BatchItem<'sqlite'>

export interface JobContext {
  services: Services
  db: Database
  tenant: Tenant
  rows: Scope
  job: JobRow
  store: StoreRow
  /** Those that the job is about, in their order. */
  loaders: LoaderRow[]
  cursor: JobCursor
  /** Chunks of the workspace, and tokens that it has had embedded this month. */
  used: { chunks: number; tokens: number }
  /** Batches that this step has written. */
  batches: number
}

/** Another instance holds the job, a person ended it, or its workspace was deleted: nothing more may be written. */
export class LostJob extends Error {
  override name = 'LostJob'
}

/** Ends the job, with the reason for people. */
export class JobProblem extends Error {
  override name = 'JobProblem'
}

/** Reads what the job needs in one round trip. Undefined when this attempt no longer holds it. */
export async function openJobContext(
  services: Services,
  { jobId, workspaceId, attempt }: DocumentJobParams & { attempt: number },
): Promise<JobContext | undefined> {
  const { db } = services
  const tenant = { workspaceId }
  const rows = scope(db, tenant)
  const ofJob = sql`(select ${documentJobs.storeId} from ${documentJobs} where ${documentJobs.id} = ${jobId})`
  const month = services.clock.now().toISOString().slice(0, 7)
  const [jobs, stores, loaders, [chunks], [tokens]] = await db.batch([
    rows.select(documentJobs, eq(documentJobs.id, jobId)),
    rows.select(documentStores, eq(documentStores.id, ofJob)),
    rows
      .select(documentLoaders, eq(documentLoaders.storeId, ofJob))
      .orderBy(asc(documentLoaders.createdDate), asc(documentLoaders.id)),
    db
      .select({ sum: sql<number>`coalesce(sum(${documentStores.totalChunks}), 0)` })
      .from(documentStores)
      .where(rows.inWorkspace(documentStores)),
    db
      .select({ sum: sql<number>`coalesce(sum(${documentJobs.tokens}), 0)` })
      .from(documentJobs)
      .where(rows.inWorkspace(documentJobs, and(gte(documentJobs.createdDate, month)))),
  ])
  const job = jobs[0] as JobRow | undefined
  const store = stores[0] as StoreRow | undefined
  if (!job || !store || job.state !== 'running' || job.attempt !== attempt) return undefined
  return {
    ...{ services, db, tenant, rows, job, store },
    loaders: (loaders as LoaderRow[]).filter(({ id }) => job.docId === null || job.docId === id),
    cursor: parseCursor(job, store.status),
    used: { chunks: chunks?.sum ?? 0, tokens: tokens?.sum ?? 0 },
    batches: 0,
  }
}

export interface Unit {
  /** Where the job stands then. */
  cursor?: JobCursor
  add?: JobCounts
  statements?: Statement[]
  /** It prepares a unit whose own batch follows, so that the instances lost since the last unit stay counted. */
  prepares?: boolean
  /** Changes of the job itself, as at its end. */
  set?: Partial<Pick<JobRow, 'state' | 'stateReason' | 'endedDate' | 'leaseUntil'>>
}

/**
 * Writes one unit of work in one batch. Its first statement renews the lease; when the job is no longer held, null goes to
 * a column that refuses it, and nothing is written. Throws `LostJob` then.
 */
export async function writeUnit(task: JobContext, unit: Unit): Promise<void> {
  const { cursor, add = {}, statements = [], prepares = false, set = {} } = unit
  const { db, rows, job, services } = task
  const isHeld = sql`${documentJobs.state} = 'running' and ${documentJobs.attempt} = ${job.attempt} and ${isInUse(documentJobs.workspaceId)}`
  const counts = Object.entries(add).filter(([, count]) => count !== 0)
  const next = !prepares && (cursor || task.cursor.losses) && { ...(cursor ?? task.cursor), losses: undefined }
  const guard = rows
    .update(documentJobs, eq(documentJobs.id, job.id), {
      leaseUntil: leaseFrom(services.clock.now()),
      ...(next && { cursor: JSON.stringify(next) }),
      ...Object.fromEntries(
        counts.map(([name, count]) => {
          const column = documentJobs[name as keyof JobCounts]
          return [name, sql`coalesce(${column}, 0) + ${count}`]
        }),
      ),
      ...set,
      createdDate: sql`case when ${isHeld} then ${documentJobs.createdDate} end` as unknown as string,
    })
    .returning({ id: documentJobs.id })
  let held: { id: string }[]
  try {
    ;[held] = (await db.batch([guard, ...statements] as never)) as unknown as [{ id: string }[]]
  } catch (error) {
    if (await isLost(task)) throw new LostJob()
    throw error
  }
  if (held.length === 0) throw new LostJob()
  task.batches += 1
  if (next) task.cursor = next
  for (const [name, count] of counts) job[name as keyof JobCounts] = (job[name as keyof JobCounts] ?? 0) + count
}

async function isLost({ rows, job }: JobContext): Promise<boolean> {
  const [row] = await rows.select(documentJobs, and(eq(documentJobs.id, job.id), isInUse(documentJobs.workspaceId)))
  return row?.state !== 'running' || row.attempt !== job.attempt
}

/** Returns the object that a JSON text holds; empty for any other text. */
export function parseConfig(text: string | null): Record<string, unknown> {
  const value = text === null ? null : tryParseJson(text)
  return isRecord(value) ? value : {}
}
