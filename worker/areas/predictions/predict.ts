/** The prediction call: everything that can be refused is refused before the run, as an HTTP status. */
import type { Context } from 'hono'
import { errorReport } from '#contract/errors.ts'
import type { Prediction } from '#contract/predictions.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { type Audience, answerRun } from './answer.ts'
import { type ChatType, completeCall, sessionOf } from './call.ts'
import type { Ground, GroundQuery } from './ground.ts'
import { dispatchOrphansOf } from './recover.ts'
import { resumeRun, runToAnswer } from './resume.ts'
import { openingStatements } from './rows.ts'
import { begin, type RunStart } from './run-start.ts'
import { keepUploads, receiveUploads } from './uploads.ts'

/** A call whose caller may run the flow. */
export interface PredictionCall {
  body: Prediction
  chatType: ChatType
  ground: Ground
  /** Of a multipart body. */
  files?: File[]
}

/** What is read of the flow that a call with this body names. Callers from outside get what is published. */
export function groundQueryOf(
  { db, clock }: Services,
  flowId: string,
  { body, chatType }: Pick<PredictionCall, 'body' | 'chatType'>,
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
  const start = body.humanInput ? await resumeRun(services, ground, body.humanInput) : await newRun(services, call)
  if (ground.hasOrphans) {
    const dispatched = dispatchOrphansOf(services, ground.flow.id)
    c.executionCtx.waitUntil(dispatched.catch((thrown) => console.error('orphans stay:', errorReport(thrown))))
  }
  const announces = call.chatType === 'INTERNAL'
  return answerRun(c, start, { streaming: body.streaming, audience: audienceOf(call), announces })
}

function audienceOf({ chatType, ground: { flow, key } }: PredictionCall): Audience {
  return chatType === 'INTERNAL' || key?.workspaceId === flow.workspaceId ? 'member' : 'caller'
}

async function newRun(services: Services, { body, chatType, ground, files = [] }: PredictionCall): Promise<RunStart> {
  const { chatId, sessionId } = sessionOf(body)
  const received = await receiveUploads(services, { body, files, ground, chatId })
  const question = [body.question, ...received.spoken].filter(Boolean).join('\n\n')
  const call = completeCall({ ...body, question }, ground, chatType)
  const { uploads, fresh } = await keepUploads(services, ground, { chatId, files: received.files })
  const kept = uploads.length > 0 ? { ...call, uploads } : call
  const start = begin(services, { executionId: crypto.randomUUID(), chatId, sessionId, call: kept, ground, fresh })
  return { ...start, opening: openingStatements(services.db, start) }
}
