/** The prediction call: everything that can be refused is refused before the run, as an HTTP status. */
import type { Context } from 'hono'
import { errorReport } from '#contract/errors.ts'
import type { Prediction } from '#contract/predictions.ts'
import type { AppEnv } from '../../http/route.ts'
import { type ChatType, completeCall, sessionOf } from '../../runs/call.ts'
import { dispatchOrphansOf } from '../../runs/recover.ts'
import { resumeRun, waitingRunQuery } from '../../runs/resume.ts'
import type { RunContext, RunContextQuery } from '../../runs/run-context.ts'
import { createRun, type RunStart } from '../../runs/run-start.ts'
import { openingStatements } from '../../runs/run-statements.ts'
import type { Services } from '../../services.ts'
import { type Audience, respondWithRun } from './respond.ts'
import { keepUploads, receiveUploads } from './uploads.ts'

/** A call whose caller may run the flow. */
export interface PredictionCall {
  body: Prediction
  chatType: ChatType
  runContext: RunContext
  /** Of a multipart body. */
  files?: File[]
}

/** What is read of the flow that a call with this body names. Callers from outside get what is published. */
export function runContextQuery(
  { db, clock }: Services,
  flowId: string,
  { body, chatType }: Pick<PredictionCall, 'body' | 'chatType'>,
): RunContextQuery {
  const orphansAt = clock.now()
  if (body.humanInput) {
    return { flowId, version: 'own', run: waitingRunQuery(db, flowId, { body, chatType }), orphansAt }
  }
  const { isKnown, sessionId } = sessionOf(body)
  const version = chatType === 'INTERNAL' ? 'draft' : 'published'
  return { flowId, version, sessionId: isKnown ? sessionId : undefined, orphansAt }
}

export async function predict(c: Context<AppEnv>, call: PredictionCall): Promise<Response> {
  const services = c.get('services')
  const { body, runContext } = call
  const start = body.humanInput ? await resumeRun(services, runContext, body.humanInput) : await newRun(services, call)
  if (runContext.hasOrphans) {
    const dispatched = dispatchOrphansOf(services, runContext.flow.id)
    c.executionCtx.waitUntil(dispatched.catch((thrown) => console.error('orphans stay:', errorReport(thrown))))
  }
  const announces = call.chatType === 'INTERNAL'
  return respondWithRun(c, start, { streaming: body.streaming, audience: audienceOf(call), announces })
}

function audienceOf({ chatType, runContext: { flow, key } }: PredictionCall): Audience {
  return chatType === 'INTERNAL' || key?.workspaceId === flow.workspaceId ? 'member' : 'caller'
}

async function newRun(
  services: Services,
  { body, chatType, runContext, files = [] }: PredictionCall,
): Promise<RunStart> {
  const { chatId, sessionId } = sessionOf(body)
  const received = await receiveUploads(services, { body, files, runContext, chatId })
  const question = [body.question, ...received.spoken].filter(Boolean).join('\n\n')
  const call = completeCall({ ...body, question }, runContext, chatType)
  const { uploads, fresh } = await keepUploads(services, runContext, { chatId, files: received.files })
  const kept = uploads.length > 0 ? { ...call, uploads } : call
  const start = createRun(services, {
    executionId: crypto.randomUUID(),
    chatId,
    sessionId,
    call: kept,
    runContext,
    fresh,
  })
  return { ...start, opening: openingStatements(services.db, start) }
}
