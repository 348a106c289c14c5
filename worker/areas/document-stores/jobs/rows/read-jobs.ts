/** Jobs as callers see them: their state, their history, their results. */
import { and, asc, desc, eq, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { AcceptedJob, DocumentJob, UpsertResult } from '#contract/document-stores/jobs.ts'
import type { listUpsertHistorySchema } from '#contract/document-stores/upsert.ts'
import { HeddleError } from '#contract/errors.ts'
import { documentJobs, documentStores } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../../../services.ts'
import { answerJob } from '../../answer-stores.ts'
import type { JobRow } from './job-rows.ts'

type Reading = Pick<Services, 'db'>

const jobNotFound = (id: string) => new HeddleError('not_found', `Job ${id} not found`)

/** Throws `not_found`. */
export async function readJob({ db }: Reading, tenant: Tenant, id: string): Promise<JobRow> {
  const [row] = await scope(db, tenant).select(documentJobs, eq(documentJobs.id, id))
  if (!row) throw jobNotFound(id)
  return row as JobRow
}

/** Newest first. Throws `not_found` when there is no such store. */
export async function listJobs({ db }: Reading, tenant: Tenant, storeId: string): Promise<DocumentJob[]> {
  const rows = scope(db, tenant)
  const [[store], jobs] = await db.batch([
    rows.count(documentStores, eq(documentStores.id, storeId)),
    rows
      .select(documentJobs, eq(documentJobs.storeId, storeId))
      .orderBy(desc(documentJobs.createdDate), desc(documentJobs.id))
      .limit(200),
  ])
  if (store?.count !== 1) throw new HeddleError('not_found', `Document store ${storeId} not found`)
  return (jobs as JobRow[]).map(answerJob)
}

/** Time a call waits for its job. */
const MAX_WAIT_MS = 50_000
const LONGEST_PAUSE_MS = 1000

/** Waits until the job is over or stands, at most for a while, and not for jobs before it. */
export async function waitForJob(services: Services, tenant: Tenant, id: string): Promise<JobRow> {
  const { clock } = services
  const first = await readJob(services, tenant, id)
  if (await isBehind(services, tenant, first)) return first
  const end = clock.now().getTime() + MAX_WAIT_MS
  for (let pause = 25; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const job = await readJob(services, tenant, id)
    const isOpen = job.state === 'queued' || job.state === 'running'
    if (!isOpen || clock.now().getTime() + pause > end) return job
    await clock.sleep(pause)
  }
}

async function isBehind({ db }: Reading, tenant: Tenant, { storeId, createdDate }: JobRow): Promise<boolean> {
  const isBefore = and(
    eq(documentJobs.storeId, storeId),
    lt(documentJobs.createdDate, createdDate),
    inArray(documentJobs.state, ['queued', 'running']),
  )
  const [before] = await scope(db, tenant).count(documentJobs, isBefore)
  return (before?.count ?? 0) > 0
}

export const acceptedJob = (id: string): AcceptedJob => ({
  jobId: id,
  statusUrl: `/api/v1/document-store/jobs/${id}`,
})

export function resultOf({ id, docId, numAdded, numUpdated, numDeleted, numSkipped }: JobRow): UpsertResult {
  const totalKeys = numAdded + numUpdated + numSkipped
  const counts = { numAdded, numDeleted, numUpdated, numSkipped, totalKeys }
  return { ...counts, addedDocs: [], ...(docId !== null && { docId }), jobId: id }
}

type HistoryQuery = z.infer<typeof listUpsertHistorySchema>

/** Jobs that embedded, in Flowise's shape. */
export async function listHistory(
  { db }: Reading,
  tenant: Tenant,
  { storeId, order = 'DESC', startDate, endDate }: HistoryQuery & { storeId: string },
) {
  const { createdDate, id } = documentJobs
  const condition = and(
    isHistory(storeId),
    startDate === undefined ? undefined : gte(createdDate, startDate),
    endDate === undefined ? undefined : lte(createdDate, endDate),
  )
  const by = order === 'ASC' ? asc : desc
  const jobs = (await scope(db, tenant).select(documentJobs, condition).orderBy(by(createdDate), by(id))) as JobRow[]
  return jobs.map((job) => ({
    ...{ id: job.id, chatflowid: job.storeId, result: resultOf(job), flowData: {} },
    date: job.endedDate ?? job.createdDate,
  }))
}

const isHistory = (storeId?: string) =>
  and(
    storeId === undefined ? undefined : eq(documentJobs.storeId, storeId),
    inArray(documentJobs.kind, ['upsert', 'refresh']),
    sql`${documentJobs.endedDate} is not null`,
  )

/** Jobs that are not over stay. */
export async function deleteHistory({ db }: Reading, tenant: Tenant, ids: string[]) {
  const listed = sql`${documentJobs.id} in (select value from json_each(${JSON.stringify(ids)}))`
  const deleted = await scope(db, tenant)
    .delete(documentJobs, and(isHistory(), listed))
    .returning({ id: documentJobs.id })
  return { raw: [], affected: deleted.length }
}
