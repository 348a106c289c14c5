/** The prediction call: everything that can be refused is refused before the run, as an HTTP status. */
import type { Context } from 'hono'
import type { Prediction } from '#contract/predictions.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { answerRun } from './answer.ts'
import { type ChatType, completeCall, sessionOf } from './call.ts'
import { endOrphansOf } from './end-orphans.ts'
import type { Ground, GroundQuery } from './ground.ts'
import { answersShared, resumeRun, runToAnswer } from './resume.ts'
import { openingStatements } from './rows.ts'
import { begin, type RunStart } from './run-start.ts'

/** A call whose caller may run the flow. */
export interface PredictionCall {
  body: Prediction
  chatType: ChatType
  ground: Ground
}

/** What is read of the flow that a call with this body names. Callers from outside get what is published. */
export function groundQueryOf(
  { db, clock }: Services,
  flowId: string,
  { body, chatType }: Omit<PredictionCall, 'ground'>,
): GroundQuery {
  const orphansAt = clock.now()
  if (body.humanInput) {
    return { flowId, version: 'own', run: runToAnswer(db, flowId, { body, chatType }), orphansAt }
  }
  const { isKnown, sessionId } = sessionOf(body)
  const version = chatType === 'INTERNAL' ? 'draft' : 'published'
  return { flowId, version, sessionId: isKnown ? sessionId : undefined, orphansAt }
}

export async function predict(c: Context<AppEnv>, call: PredictionCall): Promise<Response> {
  const services = c.get('services')
  const { body, ground } = call
  const start = body.humanInput ? await resumeRun(services, ground, body.humanInput) : newRun(services, call)
  if (ground.hasOrphans) c.executionCtx.waitUntil(endOrphansOf(services, ground.flow.id))
  const announces = call.chatType === 'INTERNAL'
  return answerRun(c, start, { streaming: body.streaming, tellsChat: !answersShared(call), announces })
}

function newRun(services: Services, { body, chatType, ground }: PredictionCall): RunStart {
  const call = completeCall(body, ground, chatType)
  const { chatId, sessionId } = sessionOf(body)
  const start = begin(services, { executionId: crypto.randomUUID(), chatId, sessionId, call, ground })
  return { ...start, opening: openingStatements(services.db, start) }
}
