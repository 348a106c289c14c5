/** Reads what a prediction call needs before it may be refused or run. */
import type { Prediction } from '#contract/predictions/predictions.ts'
import type { CallerTools } from '#contract/runs/caller-tools.ts'
import type { ChatTurn } from '#contract/runs/events.ts'
import { runContextQuery } from '../../runs/call-context.ts'
import { type RunContext, readRunContext } from '../../runs/context/run-context.ts'
import type { ChatType } from '../../runs/inputs/call.ts'
import type { Services } from '../../services.ts'

export interface PredictionCall {
  flowId: string
  body: Prediction
  chatType: ChatType
  /** Of a multipart body. */
  files?: File[]
  /** Replaces the body's history, for formats with more roles. */
  turns?: ChatTurn[]
  callerTools?: CallerTools
}

/** A call with the context of the flow that it names. */
export interface LoadedCall extends PredictionCall {
  runContext: RunContext
}

/** Throws `not_found` when there is no such flow. */
export async function loadRunContext(services: Services, call: PredictionCall, keyHash?: string): Promise<LoadedCall> {
  const runContext = await readRunContext(services.db, { ...runContextQuery(services, call), keyHash })
  return { ...call, runContext }
}
