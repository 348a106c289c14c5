/** A run that nobody asked a question for: the clock or a request starts it. */
import { eq, sql } from 'drizzle-orm'
import type { Prediction } from '#contract/predictions.ts'
import { executions } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { Services } from '../../services.ts'
import { claimCalled } from '../executions/index.ts'
import { type ChatType, occasionCall, type StoredCall } from './call.ts'
import { giveUp, reasonToGiveUp } from './give-up.ts'
import { type Ground, groundRead, readGround } from './ground.ts'
import { groundQueryOf } from './predict.ts'
import { resumeRun } from './resume.ts'
import { openingStatements } from './rows.ts'
import { begin, goOn, type RunStart } from './run-start.ts'

export interface Occasion {
  flow: { id: string; workspaceId: string }
  /** The run's id: the same for the same occasion, so that it cannot begin twice. */
  executionId: string
  chatType: Extract<ChatType, 'SCHEDULED' | 'WEBHOOK'>
  input: Pick<StoredCall, 'question' | 'form' | 'webhook'>
  /** The conversation that it belongs to; one of its own unless told. */
  chatId?: string
}

type Target = Pick<Occasion, 'flow' | 'executionId' | 'chatId'>

/**
 * Reads what the run stands on, for those who have more to read in the same round trip: what the flow has published, or
 * what the run began with when there is one already. `read` throws `not_found` when there is no such flow.
 */
export function occasionGround({ db }: Pick<Services, 'db'>, { flow, executionId, chatId }: Target) {
  return groundRead(db, {
    flowId: flow.id,
    tenant: flow,
    version: 'own',
    run: sql`${executionId}`,
    ...(chatId && { sessionId: chatId }),
  })
}

/** A new run; its rows are written behind it. Throws `bad_request` when flows of this kind cannot run. */
export function beginOccasion(services: Services, ground: Ground, occasion: Occasion): RunStart {
  const { executionId, chatId = crypto.randomUUID() } = occasion
  const call = occasionCall(ground, occasion)
  const start = begin(services, { executionId, chatId, sessionId: chatId, call, ground })
  return { ...start, opening: openingStatements(services.db, start) }
}

/**
 * The rest of a run that was begun and whose worker is gone, under a lease of our own; undefined while somebody has it,
 * and when it is over: also when it was just given up, because it keeps breaking its workers.
 */
export async function takeUpOccasion(services: Services, target: Target): Promise<RunStart | undefined> {
  const { db, clock } = services
  const isOpen = await scope(db, target.flow).count(
    executions,
    sql`${eq(executions.id, target.executionId)} and ${executions.state} = 'INPROGRESS'`,
  )
  const claimed = isOpen[0]?.count ? await claimCalled(db, clock.now(), target.executionId) : undefined
  if (!claimed) return undefined
  const reason = reasonToGiveUp(claimed)
  if (reason) {
    await giveUp(services, claimed, reason)
    return undefined
  }
  const { statements, read } = occasionGround(services, target)
  return goOn(read([...(await db.batch(statements))]), claimed.lease)
}

/** What a person answered to a run of the flow that waits for them. Throws as a prediction with `humanInput` does. */
export async function answerOccasion(
  services: Services,
  { flow, body }: { flow: Occasion['flow']; body: Prediction },
): Promise<RunStart> {
  const query = groundQueryOf(services, flow.id, { body, chatType: 'WEBHOOK' })
  const ground = await readGround(services.db, { ...query, tenant: flow })
  if (!body.humanInput) throw new Error('answerOccasion was called without an answer')
  return resumeRun(services, ground, body.humanInput)
}
