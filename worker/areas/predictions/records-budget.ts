/** A workspace's budget of bytes a day for what the calls of anonymous callers leave in the database. */
import { and, eq, gte, sql } from 'drizzle-orm'
import { formatFileSize } from '#contract/data/format.ts'
import { executionSteps, executions } from '#db/schema/index.ts'
import { scope, type Tenant } from '#db/scope.ts'
import { rateLimited, takeStatement } from '../../http/rate-limit.ts'
import type { RunContext } from '../../runs/context/run-context.ts'
import type { StoredCall } from '../../runs/inputs/call.ts'
import type { Statement } from '../../runs/records/run-record.ts'
import { runTreeOf } from '../../runs/records/run-tree.ts'
import type { Services } from '../../services.ts'

const DAY_SECONDS = 24 * 60 * 60

type Budgeted = Pick<Services, 'db' | 'clock' | 'config'>

const encoder = new TextEncoder()

/** Throws `rate_limited` once the workspace's budget of the day is used up. */
export function assertRecordsLeft(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  { anonymousRecords }: Pick<RunContext, 'anonymousRecords'>,
): void {
  const max = config.anonymousBytesPerDay
  if (max === undefined || !anonymousRecords || anonymousRecords.bytes < max) return
  const secondsLeft = anonymousRecords.windowEnd - Math.floor(clock.now().getTime() / 1000)
  if (secondsLeft > 0) throw rateLimited(secondsLeft, usedUp(max))
}

/** Returns the statements that take the bytes of a call. They belong in the batch that stores its question. */
export function callStatements({ db, clock, config }: Budgeted, tenant: Tenant, call: StoredCall): Statement[] {
  if (config.anonymousBytesPerDay === undefined) return []
  return [takeStatement(db, { ...windowOf(tenant), amount: bytesOf(JSON.stringify(call)) }, clock)]
}

/**
 * Returns the statements that take the bytes of a run of an anonymous caller, with those of the runs that it called. They
 * belong in the batch of its end.
 * @param since when the call arrived: what the run wrote before was taken by an earlier call
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
      bytes: sql`coalesce(sum(length(${executionSteps.item}) + length(coalesce(${executionSteps.sealed}, ''))), 0)`,
    })
    .from(executionSteps)
    .innerJoin(executions, eq(executions.id, executionSteps.executionId))
    .where(rows.inWorkspace(executions, and(isOfRun, gte(executionSteps.finishedAt, from))))
  const inputs = db
    .select({ bytes: sql`coalesce(sum(length(${executions.input})), 0)` })
    .from(executions)
    .where(rows.inWorkspace(executions, and(isOfRun, gte(executions.createdDate, from))))
  const amount = sql`${bytesOf(answer)} + (${steps}) + (${inputs})`
  return [takeStatement(db, { ...windowOf(tenant), amount }, clock)]
}

const windowOf = ({ workspaceId }: Tenant) => ({ key: `records ${workspaceId}`, windowSeconds: DAY_SECONDS })

const bytesOf = (text: string): number => encoder.encode(text).length

const usedUp = (max: number) =>
  `Callers without an API key have used up the ${formatFileSize(max)} that this workspace keeps of their calls within a day. Send an API key, or try again later. The owner of the flow can limit its calls, or who may call it, under Share.`
