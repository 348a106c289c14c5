/** A run that nobody asked a question for: the clock or a request starts it. */
import { eq, sql } from 'drizzle-orm'
import type { Prediction } from '#contract/predictions.ts'
import { executions } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import { type ChatType, type StoredCall, triggeredCall } from '../../runs/call.ts'
import { failRun, failureReason } from '../../runs/fail-run.ts'
import { claimSubrun } from '../../runs/orphans.ts'
import { resumeRun } from '../../runs/resume.ts'
import { type RunContext, readRunContext, runContextRead } from '../../runs/run-context.ts'
import { continueRun, createRun, type RunStart } from '../../runs/run-start.ts'
import { openingStatements } from '../../runs/run-statements.ts'
import type { Services } from '../../services.ts'
import { runContextQuery } from './predict.ts'

export interface TriggeredRun {
  flow: { id: string; workspaceId: string }
  /** The run's id: the same for the same occasion, so that it cannot begin twice. */
  executionId: string
  chatType: Extract<ChatType, 'SCHEDULED' | 'WEBHOOK'>
  input: Pick<StoredCall, 'question' | 'form' | 'webhook'>
  /** The conversation that it belongs to; one of its own unless told. */
  chatId?: string
}

type Target = Pick<TriggeredRun, 'flow' | 'executionId' | 'chatId'>

/**
 * Reads what the run stands on, for those who have more to read in the same round trip: what the flow has published, or
 * what the run began with when there is one already. `read` throws `not_found` when there is no such flow.
 */
export function readTriggeredRunContext({ db }: Pick<Services, 'db'>, { flow, executionId, chatId }: Target) {
  return runContextRead(db, {
    flowId: flow.id,
    tenant: flow,
    version: 'own',
    run: sql`${executionId}`,
    ...(chatId && { sessionId: chatId }),
  })
}

/** A new run; its rows are written behind it. Throws `bad_request` when flows of this kind cannot run. */
export function startTriggeredRun(services: Services, runContext: RunContext, triggeredRun: TriggeredRun): RunStart {
  const { executionId, chatId = crypto.randomUUID() } = triggeredRun
  const call = triggeredCall(runContext, triggeredRun)
  const start = createRun(services, { executionId, chatId, sessionId: chatId, call, runContext })
  return { ...start, opening: openingStatements(services.db, start) }
}

/**
 * The rest of a run that was begun and whose worker is gone, under a lease of our own; undefined while somebody has it,
 * and when it is over: also when it was just given up, because it keeps breaking its workers.
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
  return continueRun(read([...(await db.batch(statements))]), claimed.lease)
}

/** What a person answered to a run of the flow that waits for them. Throws as a prediction with `humanInput` does. */
export async function respondToTriggeredRun(
  services: Services,
  { flow, body }: { flow: TriggeredRun['flow']; body: Prediction },
): Promise<RunStart> {
  const query = runContextQuery(services, flow.id, { body, chatType: 'WEBHOOK' })
  const runContext = await readRunContext(services.db, { ...query, tenant: flow })
  if (!body.humanInput) throw new Error('answerOccasion was called without an answer')
  return resumeRun(services, runContext, body.humanInput)
}
