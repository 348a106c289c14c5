/** The prediction call: everything that can be refused is refused before the run, as an HTTP status. */
import type { Context } from 'hono'
import { HeddleError } from '#contract/errors.ts'
import type { Prediction, PredictionAnswer } from '#contract/predictions.ts'
import type { AppEnv } from '../../http/route.ts'
import type { Services } from '../../services.ts'
import { answerJson, newLease } from '../executions/index.ts'
import { type ChatType, completeCall, runInput, sessionOf } from './call.ts'
import type { Ground, GroundQuery } from './ground.ts'
import { type RunEnd, type RunStart, runFlow } from './run-flow.ts'
import { type Emit, eventStream } from './sse.ts'

/** A call whose caller may run the flow. */
export interface PredictionCall {
  body: Prediction
  chatType: ChatType
  ground: Ground
}

/** What is read of the flow that a call with this body names. */
export function groundQueryOf(flowId: string, body: Prediction): GroundQuery {
  const { isKnown, sessionId } = sessionOf(body)
  return { flowId, sessionId: isKnown ? sessionId : undefined }
}

export async function predict(c: Context<AppEnv>, request: PredictionCall): Promise<Response> {
  const services = c.get('services')
  const start = prepare(services, request)
  const keepAlive = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise)
  if (request.body.streaming) return eventStream((emit) => stream(services, start, emit), keepAlive)
  const running = runFlow(services, start, () => {})
  keepAlive(running)
  const end = await running
  if (end.state === 'ERROR') throw failure(start, end)
  return new Response(answerJson(answerOf(start, end)), { headers: { 'Content-Type': 'application/json' } })
}

function prepare({ clock }: Services, { body, chatType, ground }: PredictionCall): RunStart {
  const startedAt = clock.now()
  const call = completeCall(body, ground, chatType)
  const { chatId, sessionId } = sessionOf(body)
  return { executionId: crypto.randomUUID(), chatId, sessionId, call, ground, lease: newLease(startedAt), startedAt }
}

/** The run's events, then what the client must know of the stored answer. */
async function stream(services: Services, start: RunStart, emit: Emit): Promise<void> {
  const end = await runFlow(services, start, emit)
  if (end.state === 'ERROR') emit({ event: 'error', data: failure(start, end).message })
  else emit({ event: 'metadata', data: metadataOf(start) })
  emit({ event: 'end', data: '[DONE]' })
}

function failure({ executionId }: RunStart, { error }: RunEnd): HeddleError {
  return new HeddleError('run_failed', error ?? 'The run failed', { executionId })
}

function metadataOf(start: RunStart) {
  return {
    chatId: start.chatId,
    chatMessageId: start.call.apiMessageId,
    question: runInput(start.call).text,
    sessionId: start.sessionId,
    executionId: start.executionId,
  }
}

function answerOf(start: RunStart, end: RunEnd): PredictionAnswer {
  const { call } = start
  return {
    text: end.text,
    question: runInput(call).text,
    form: call.form,
    chatId: start.chatId,
    chatMessageId: call.apiMessageId,
    executionId: start.executionId,
    agentFlowExecutedData: end.trace,
    sessionId: start.sessionId,
  }
}
