/** Reads what a prediction call needs before it may be refused or run. */
import type { Prediction } from '#contract/predictions/predictions.ts'
import type { CallerTools } from '#contract/runs/caller-tools.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { runContextQuery } from '../../runs/call-context.ts'
import { type RunContext, readRunContext } from '../../runs/context/run-context.ts'
import type { ChatType } from '../../runs/inputs/call.ts'
import type { Services } from '../../services.ts'
import { isAnonymous, withOwnSession } from './anonymous-session.ts'

export interface PredictionCall {
  flowId: string
  body: Prediction
  chatType: ChatType
  /** The files of a multipart body. */
  files?: File[]
  /** Replaces the body's history, for formats with more roles. */
  turns?: ChatTurn[]
  callerTools?: CallerTools
}

/** A call with the context of the flow that it names. */
export interface LoadedCall extends PredictionCall {
  runContext: RunContext
  /** For the caller: what was asked for in vain. */
  notice?: string
}

/**
 * Reads the conversation that the caller may continue: callers with a key and members name any, others that of their
 * random chat id, or one that `authorizeCaller` finds signed. Throws `not_found` when there is no such flow.
 */
export async function loadRunContext(services: Services, call: PredictionCall, keyHash?: string): Promise<LoadedCall> {
  const read = async (asked: PredictionCall) => ({
    ...asked,
    runContext: await readRunContext(services.db, { ...runContextQuery(services, asked), keyHash }),
  })
  const anonymous = { ...call, ...withOwnSession(call) }
  if (call.chatType !== 'INTERNAL' && !keyHash) return read(anonymous)
  const loaded = await read(call)
  return isAnonymous(loaded, services.clock.now()) ? read(anonymous) : loaded
}
