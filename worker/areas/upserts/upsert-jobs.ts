/** The rows of upserts that nobody waits for: who works on one, how far it is, and how it ended. */
import { and, eq, isNotNull, isNull, lte, sql } from 'drizzle-orm'
import { tryParseJson } from '#contract/data/json.ts'
import { HeddleError } from '#contract/errors.ts'
import type { UpsertProgress } from '#contract/runs/events.ts'
import type { FlowUpsertJob } from '#contract/upserts/upserts.ts'
import { upsertJobs } from '#db/schema/index.ts'
import { acrossWorkspaces, isInUse, scope, type Tenant } from '#db/scope.ts'
import { createInstances, MAX_BATCH, replaceableId } from '../../jobs/instances.ts'
import type { JobParams, Services } from '../../services.ts'

/** An instance that says nothing for so long is replaced. */
const LEASE_MS = 60_000

export type UpsertJobRow = typeof upsertJobs.$inferSelect
/** The version of the flow: members upsert what they see on the canvas, callers what is published. */
export type UpsertVersion = UpsertJobRow['version']

export interface UpsertJobParams extends JobParams {
  kind: 'upsert'
  jobId: string
  workspaceId: string
}

type Starting = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>
type Writing = Pick<Services, 'db' | 'clock'>

const NOTHING_DONE: UpsertProgress = { sources: 0, done: 0, tokens: 0 }

const isOpen = (condition: ReturnType<typeof eq>) => and(condition, isNull(upsertJobs.endedDate))
const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString()

/** Takes the place of the flow's last upsert, and returns its id. Throws `conflict` while that one is open. */
export async function startUpsertJob(
  services: Starting,
  tenant: Tenant,
  { flowId, storeId, version }: { flowId: string; storeId: string; version: UpsertVersion },
): Promise<string> {
  const { db, clock, backgroundRuns } = services
  const rows = scope(db, tenant)
  const now = clock.now()
  const id = crypto.randomUUID()
  const ofFlow = eq(upsertJobs.chatflowid, flowId)
  const [, , [added]] = await db.batch([
    rows.delete(upsertJobs, and(ofFlow, isNotNull(upsertJobs.endedDate))),
    rows.insertFound(upsertJobs, {
      values: {
        ...{ id: sql`${id}`, chatflowid: sql`${flowId}`, storeId: sql`${storeId}` },
        ...{ version: sql`${version}`, state: sql`'queued'` },
        ...{ progress: sql`${JSON.stringify(NOTHING_DONE)}`, attempt: sql`0` },
        ...{ leaseUntil: sql`${leaseFrom(now)}`, createdDate: sql`${now.toISOString()}` },
      },
      from: sql`where not exists ${rows.select(upsertJobs, ofFlow)}`,
    }),
    rows.select(upsertJobs, eq(upsertJobs.id, id)),
  ])
  if (!added) throw new HeddleError('conflict', 'An upsert of this flow is running. Wait for it, or cancel it')
  const { workspaceId } = added as UpsertJobRow
  await createInstances<UpsertJobParams>(backgroundRuns, [
    { id: `upsert-${id}`, params: { kind: 'upsert', jobId: id, workspaceId } },
  ])
  return id
}

/** Returns the newest upsert of the flow that nobody waits for. */
export async function readUpsertJob(
  { db }: Pick<Services, 'db'>,
  tenant: Tenant,
  flowId: string,
): Promise<FlowUpsertJob | null> {
  const [row] = await scope(db, tenant).select(upsertJobs, eq(upsertJobs.chatflowid, flowId))
  return row ? answerOf(row as UpsertJobRow) : null
}

function answerOf(row: UpsertJobRow): FlowUpsertJob {
  const { workspaceId: _, attempt: __, leaseUntil: ___, version: ____, progress, result, ...answer } = row
  return {
    ...answer,
    progress: (tryParseJson(progress) ?? NOTHING_DONE) as UpsertProgress,
    result: result === null ? null : JSON.parse(result),
  }
}

/** Ends the upsert of the flow that is open. Keeps what was already written. Throws `not_found`. */
export async function cancelUpsertJob({ db, clock }: Writing, tenant: Tenant, flowId: string): Promise<FlowUpsertJob> {
  const ended = { state: 'cancelled' as const, endedDate: clock.now().toISOString() }
  const open = isOpen(eq(upsertJobs.chatflowid, flowId))
  const [row] = await scope(db, tenant).update(upsertJobs, open, ended).returning()
  if (!row) throw new HeddleError('not_found', 'No upsert of this flow is running')
  return answerOf(row as UpsertJobRow)
}

/** Claims an upsert with a conditional update. Undefined: another instance has it, or it has ended. */
export async function claimUpsertJob(
  { db, clock }: Writing,
  { jobId, workspaceId }: UpsertJobParams,
): Promise<UpsertJobRow | undefined> {
  const now = clock.now()
  const { state, leaseUntil, attempt } = upsertJobs
  const isFree = sql`(${state} = 'queued' or ${leaseUntil} <= ${now.toISOString()}) and ${isInUse(upsertJobs.workspaceId)}`
  const [row] = await scope(db, { workspaceId })
    .update(upsertJobs, and(isOpen(eq(upsertJobs.id, jobId)), isFree), {
      ...{ state: 'running', leaseUntil: leaseFrom(now), progress: JSON.stringify(NOTHING_DONE) },
      attempt: sql`${attempt} + 1` as unknown as number,
    })
    .returning()
  return row as UpsertJobRow | undefined
}

const isHeld = ({ id, attempt }: UpsertJobRow) => and(isOpen(eq(upsertJobs.id, id)), eq(upsertJobs.attempt, attempt))

/** Says how far it is and renews the lease. Returns false when it was cancelled, or another instance has it. */
export async function renewUpsertJob(
  { db, clock }: Writing,
  held: UpsertJobRow,
  progress: UpsertProgress,
): Promise<boolean> {
  const change = { progress: JSON.stringify(progress), leaseUntil: leaseFrom(clock.now()) }
  const renewed = await scope(db, held).update(upsertJobs, isHeld(held), change).returning({ id: upsertJobs.id })
  return renewed.length > 0
}

type Ended = Pick<UpsertJobRow, 'state'> & Partial<Pick<UpsertJobRow, 'reason' | 'result' | 'progress'>>

/** The statement that ends it, unless somebody else did. */
export function endStatement({ db, clock }: Writing, held: UpsertJobRow, ended: Ended) {
  return scope(db, held).update(upsertJobs, isHeld(held), { ...ended, endedDate: clock.now().toISOString() })
}

/** Part of the minute job: upserts whose instance is gone, or never began, get another one. */
export async function restartUpserts({ db, backgroundRuns }: Services, now: Date): Promise<void> {
  const { id, workspaceId, leaseUntil, endedDate } = upsertJobs
  const lost = await acrossWorkspaces(db, 'the minute job continues upserts of every workspace')
    .select({ id, workspaceId, since: sql<string>`${leaseUntil}` })
    .from(upsertJobs)
    .where(and(isNull(endedDate), lte(leaseUntil, now.toISOString()), isInUse(workspaceId)))
    .limit(MAX_BATCH)
  await createInstances<UpsertJobParams>(
    backgroundRuns,
    lost.map((job) => ({
      id: replaceableId(`upsert-${job.id}-again`, { since: job.since, now, replaceAfterMs: LEASE_MS }),
      params: { kind: 'upsert', jobId: job.id, workspaceId: job.workspaceId },
    })),
  )
}
