/** Runs a prepared run and answers its caller: with JSON when it has ended, or with a stream of events. */
import type { Context } from 'hono'
import { errorReport, HeddleError } from '#contract/errors.ts'
import type { PredictionAnswer } from '#contract/predictions.ts'
import { outlineAction, outlineEvent, outlineItem, showsFullTrace } from '#contract/runs/outline.ts'
import type { AppEnv } from '../../http/route.ts'
import { withoutCredentialIds } from '../../runs/records/credential-ids.ts'
import { hasFailed, type RunEnd } from '../../runs/records/run-end.ts'
import { type RunOptions, runFlow } from '../../runs/run-flow.ts'
import type { RunStart } from '../../runs/run-start.ts'
import { type Emit, eventStream } from './sse.ts'

/**
 * `member`: a user or key of the flow's workspace. `caller`: anybody who may call the flow. `visitor`: anybody who has
 * the link of a shared run; they must not learn the ids of its chat.
 */
export type Audience = 'member' | 'caller' | 'visitor'

export interface ResponseOptions {
  streaming: boolean
  audience: Audience
  /** The stream begins with the run's id. */
  announces?: boolean
  /** Statements to write in the same batch as the run's end. */
  closing?: RunOptions['closing']
  /** Called when the run's end is stored; the response does not wait for it. */
  after?(): Promise<void>
}

/** Throws `run_failed` when there is no answer and nothing was streamed. */
export async function respondWithRun(c: Context<AppEnv>, start: RunStart, options: ResponseOptions): Promise<Response> {
  const services = c.get('services')
  const keepAlive = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise.catch(report))
  const seesAll = options.audience === 'member' || showsFullTrace(start.runContext.flow.apiConfig)
  const run = async (emit: Emit) => {
    const { streaming, closing } = options
    const end = await runFlow(services, start, { emit: seesAll ? emit : outlined(emit), streaming, closing })
    if (options.after && !end.isNotStored) keepAlive(options.after())
    return seesAll ? end : outlineEnd(end)
  }
  if (options.streaming) {
    const work = async (emit: Emit) => {
      if (options.announces) emit({ event: 'metadata', data: { executionId: start.executionId } })
      sendEnd(await run(emit), { start, options, emit })
    }
    return eventStream(work, keepAlive)
  }
  const running = run(() => {})
  keepAlive(running)
  const end = await running
  if (hasFailed(end)) throw failure(start, end)
  return new Response(withoutCredentialIds(predictionAnswer(start, end, options)), {
    headers: { 'Content-Type': 'application/json' },
  })
}

const report = (error: unknown) => console.error('after a run:', errorReport(error))

const outlined =
  (emit: Emit): Emit =>
  (event) => {
    const outline = outlineEvent(event)
    if (outline) emit(outline)
  }

function outlineEnd({ action, ...end }: RunEnd): RunEnd {
  return { ...end, trace: end.trace.map(outlineItem), ...(action && { action: outlineAction(action) }) }
}

/** Sends the events that end a stream: metadata of the stored answer, or the error. */
function sendEnd(
  end: RunEnd,
  { start, options, emit }: { start: RunStart; options: ResponseOptions; emit: Emit },
): void {
  // Flowise's clients expect this event again after the question.
  if (end.action) emit({ event: 'agentFlowEvent', data: 'STOPPED' })
  if (hasFailed(end)) emit({ event: 'error', data: failure(start, end).message })
  else emit({ event: 'metadata', data: metadataOf(start, end, options) })
  emit({ event: 'end', data: '[DONE]' })
}

function failure({ executionId }: RunStart, { error }: RunEnd): HeddleError {
  return new HeddleError('run_failed', error ?? 'The run failed', { executionId })
}

function metadataOf(
  { executionId, call, question, chatId, sessionId }: RunStart,
  { action }: RunEnd,
  { audience }: ResponseOptions,
) {
  return {
    chatMessageId: call.apiMessageId,
    question,
    executionId,
    ...(audience !== 'visitor' && { chatId, sessionId }),
    ...(action && { action }),
  }
}

function predictionAnswer(start: RunStart, end: RunEnd, options: ResponseOptions): PredictionAnswer {
  return {
    text: end.text,
    form: start.call.question === undefined ? start.call.form : undefined,
    ...metadataOf(start, end, options),
    agentFlowExecutedData: end.trace,
  }
}
