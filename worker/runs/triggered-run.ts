/** Runs that a schedule or a webhook starts. */
import { eq, sql } from 'drizzle-orm'
import type { Prediction } from '#contract/predictions/predictions.ts'
import { OUTSIDER } from '#contract/runs/approvers.ts'
import { executions } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Services } from '../services.ts'
import { runContextQuery } from './call-context.ts'
import { type RunContext, readRunContext, runContextRead } from './context/run-context.ts'
import { type ChatType, type StoredCall, triggeredCall } from './inputs/call.ts'
import { openingStatements } from './records/run-statements.ts'
import { failRun, failureReason } from './recovery/fail-run.ts'
import { claimSubrun, readClaimed } from './recovery/orphans.ts'
import { resumeRun } from './resume.ts'
import { continueRun, createRun, type RunStart } from './run-start.ts'

export interface TriggeredRun {
  flow: { id: string; workspaceId: string }
  /** Made from the delivery and its attempt, so that a run cannot begin twice. */
  executionId: string
  chatType: Extract<ChatType, 'SCHEDULED' | 'WEBHOOK'>
  input: Pick<StoredCall, 'question' | 'form' | 'webhook'>
  /** The conversation that the run belongs to; by default a new one. */
  chatId?: string
}

type Target = Pick<TriggeredRun, 'flow' | 'executionId' | 'chatId'>

/**
 * Returns the statements that read the run's context, to be run in a batch with others. The version is the published
 * one, or the one that a stored run began with. `read` throws `not_found` when there is no such flow.
 */
export function readTriggeredRunContext({ db }: Pick<Services, 'db'>, { flow, executionId, chatId }: Target) {
  return runContextRead(db, {
    flowId: flow.id,
    tenant: flow,
    version: 'own',
    run: sql`${executionId}`,
    ...(chatId && { sessionId: chatId, isInternal: 0 }),
  })
}

/** Returns a new run with the statements that insert it. Throws `bad_request` when flows of this type cannot run. */
export function startTriggeredRun(services: Services, runContext: RunContext, triggeredRun: TriggeredRun): RunStart {
  const { executionId, chatId = crypto.randomUUID() } = triggeredRun
  const call = triggeredCall(runContext, triggeredRun)
  const start = createRun(services, { executionId, chatId, sessionId: chatId, call, runContext })
  return { ...start, opening: openingStatements(services.db, start) }
}

/**
 * Claims a run whose worker is gone and returns the rest of it. Returns undefined while another worker has the run, when
 * it is over, and when it was given up just now because it keeps breaking its workers.
 */
export async function resumeTriggeredRun(services: Services, target: Target): Promise<RunStart | undefined> {
  const { db, clock } = services
  const isOpen = await scope(db, target.flow).count(
    executions,
    sql`${eq(executions.id, target.executionId)} and ${executions.state} = 'INPROGRESS'`,
  )
  const claimed = isOpen[0]?.count ? await claimSubrun(db, clock.now(), target.executionId) : undefined
  if (!claimed) return undefined
  const reason = failureReason(claimed)
  if (reason) {
    await failRun(services, claimed, reason)
    return undefined
  }
  const { statements, read } = readTriggeredRunContext(services, target)
  const answers = await readClaimed(services, claimed, () => db.batch(statements))
  return continueRun(read([...answers]), claimed.lease)
}

/** Answers a run that waits for a person. Throws as a prediction with `humanInput` does. */
export async function respondToTriggeredRun(
  services: Services,
  { flow, body }: { flow: TriggeredRun['flow']; body: Prediction },
): Promise<RunStart> {
  const query = runContextQuery(services, { flowId: flow.id, body, chatType: 'WEBHOOK' })
  const runContext = await readRunContext(services.db, { ...query, tenant: flow })
  if (!body.humanInput) throw new Error('respondToTriggeredRun was called without an answer')
  return resumeRun(services, runContext, { input: body.humanInput, by: { kind: 'caller' }, standing: OUTSIDER })
}
