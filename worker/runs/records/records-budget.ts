/**
 * A workspace's budget of bytes a day for what the calls of anonymous callers leave in the database: predictions, answers
 * to shared runs, unsigned webhooks, calls with the token of an MCP server, upserts, and
 * leads.
 */
import { and, eq, gte, sql } from 'drizzle-orm'
import { formatFileSize } from '#contract/data/format.ts'
import { HeddleError } from '#contract/errors.ts'
import { recordsQuotaOf } from '#contract/files/files.ts'
import { byteLength } from '#db/long-text.ts'
import { takeStatement } from '#db/rate-windows.ts'
import { executionSteps, executions, rateLimits, runTexts, workspaces } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import type { RunContext } from '../context/run-context.ts'
import type { Statement } from './run-record.ts'
import { runTreeOf } from './run-tree.ts'

const DAY_SECONDS = 24 * 60 * 60

type Budgeted = Pick<Services, 'db' | 'clock' | 'config'>

const encoder = new TextEncoder()

/**
 * Throws `rate_limited` once the workspace's budget of the day is used up, and `too_large` when it has no room for runs
 * and messages. Members and callers with a key are never refused for it.
 */
export function assertRecordsLeft(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  { anonymousRecords, recordsSize }: Pick<RunContext, 'anonymousRecords' | 'recordsSize'>,
): void {
  const quota = recordsQuotaOf(config.platformType)
  if (quota !== undefined && recordsSize >= quota) throw new HeddleError('too_large', isFull(recordsSize, quota))
  const max = config.anonymousBytesPerDay
  if (max === undefined || !anonymousRecords || anonymousRecords.bytes < max) return
  const secondsLeft = anonymousRecords.windowEnd - secondsOf(clock)
  if (secondsLeft > 0) throw new HeddleError('rate_limited', usedUp(max), { retryAfterSeconds: secondsLeft })
}

/** Reads what `assertRecordsLeft` asks for, where no run is prepared. */
export async function readRecordsUse(
  { db, config }: Pick<Budgeted, 'db' | 'config'>,
  tenant: Tenant,
): Promise<Pick<RunContext, 'anonymousRecords' | 'recordsSize'>> {
  const isLimited = config.anonymousBytesPerDay !== undefined || recordsQuotaOf(config.platformType) !== undefined
  if (!isLimited) return { recordsSize: 0 }
  const [row] = await db
    .select({ recordsSize: workspaces.recordsSize, bytes: rateLimits.count, windowEnd: rateLimits.windowEnd })
    .from(workspaces)
    .leftJoin(rateLimits, eq(rateLimits.key, windowOf(tenant).key))
    .where(eq(workspaces.id, tenant.workspaceId))
  if (!row) return { recordsSize: 0 }
  const { recordsSize, bytes, windowEnd } = row
  return { recordsSize, ...(bytes !== null && windowEnd !== null && { anonymousRecords: { bytes, windowEnd } }) }
}

/** Returns the statements that take the bytes of what is stored as JSON. They belong in the batch that stores it. */
export function storedStatements(services: Budgeted, tenant: Tenant, stored: unknown): Statement[] {
  return bytesStatements(services, tenant, bytesOf(JSON.stringify(stored)))
}

export function bytesStatements({ db, clock, config }: Budgeted, tenant: Tenant, bytes: number): Statement[] {
  if (config.anonymousBytesPerDay === undefined) return []
  return [takeStatement(db, { ...windowOf(tenant), amount: bytes, now: secondsOf(clock) })]
}

/**
 * Returns the statements that take the bytes of a run of an anonymous caller, with those of the runs that it called. They
 * belong in the batch of its end.
 * @param since what the run wrote before was taken already
 */
export function runStatements(
  { db, clock, config }: Budgeted,
  tenant: Tenant,
  { executionId, answer, since }: { executionId: string; answer: string; since: Date },
): Statement[] {
  if (config.anonymousBytesPerDay === undefined) return []
  const isOfRun = sql`${executions.id} in ${runTreeOf(sql`(select ${executionId})`)}`
  const rows = scope(db, tenant)
  const from = since.toISOString()
  const steps = db
    .select({
      bytes: sql`coalesce(sum(
        ${byteLength(executionSteps.item)} + length(coalesce(${executionSteps.texts}, '')) + coalesce(${byteLength(executionSteps.sealed)}, 0)
      ), 0)`,
    })
    .from(executionSteps)
    .innerJoin(executions, eq(executions.id, executionSteps.executionId))
    .where(rows.inWorkspace(executions, and(isOfRun, gte(executionSteps.finishedAt, from))))
  const texts = db
    .select({ bytes: sql`coalesce(sum(${byteLength(runTexts.text)}), 0)` })
    .from(runTexts)
    .innerJoin(executions, eq(executions.id, runTexts.executionId))
    .where(rows.inWorkspace(executions, and(isOfRun, gte(runTexts.createdDate, from))))
  const inputs = db
    .select({
      bytes: sql`coalesce(sum(length(${executions.input}) + length(coalesce(${executions.inputTexts}, ''))), 0)`,
    })
    .from(executions)
    .where(rows.inWorkspace(executions, and(isOfRun, gte(executions.createdDate, from))))
  const amount = sql`${bytesOf(answer)} + (${steps}) + (${texts}) + (${inputs})`
  return [takeStatement(db, { ...windowOf(tenant), amount, now: secondsOf(clock) })]
}

const windowOf = ({ workspaceId }: Tenant) => ({ key: `records ${workspaceId}`, windowSeconds: DAY_SECONDS })

const secondsOf = (clock: Services['clock']) => Math.floor(clock.now().getTime() / 1000)

const bytesOf = (text: string): number => encoder.encode(text).length

const isFull = (used: number, quota: number) =>
  `The runs and messages of this workspace use ${formatFileSize(used)} of ${formatFileSize(quota)}, so it takes no calls without an API key. Its owner can delete runs, or keep them for fewer days`

const usedUp = (max: number) =>
  `Calls without an API key have used up the ${formatFileSize(max)} that this workspace keeps of them within a day. Try again later, or with an API key. The owner of the flow can limit its calls, or who may call it, under Share.`
