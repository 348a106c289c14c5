/** A run's answer to its caller: as JSON when it has ended, or as events while it goes. */
import type { Context } from 'hono'
import { errorReport, HeddleError } from '#contract/errors.ts'
import { outlineAction, outlineEvent, outlineItem, showsFullTrace } from '#contract/outline.ts'
import type { PredictionAnswer } from '#contract/predictions.ts'
import type { AppEnv } from '../../http/route.ts'
import { withoutCredentialIds } from '../../runs/credential-ids.ts'
import { type RunEnd, type RunOptions, runFlow } from '../../runs/run-flow.ts'
import type { RunStart } from '../../runs/run-start.ts'
import { hasFailed } from '../../runs/run-statements.ts'
import { type Emit, eventStream } from './sse.ts'

/**
 * Who gets an answer. `member`: somebody of the flow's workspace, or a key of it. `caller`: anybody who may call the flow.
 * `visitor`: who has the link of a shared run, and may not know the ids of its chat.
 */
export type Audience = 'member' | 'caller' | 'visitor'

export interface ResponseOptions {
  streaming: boolean
  audience: Audience
  /** Streams begin with the run's id, for a caller that shows the run elsewhere while it goes. */
  announces?: boolean
  /** More that is written together with the run's end. */
  closing?: RunOptions['closing']
  /** Called when the run's end is stored; nobody waits for it. */
  after?(): Promise<void>
}

/** Runs what was prepared. Throws `run_failed` when there is no answer. */
export async function respondWithRun(c: Context<AppEnv>, start: RunStart, manner: ResponseOptions): Promise<Response> {
  const services = c.get('services')
  const keepAlive = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise.catch(report))
  const seesAll = manner.audience === 'member' || showsFullTrace(start.runContext.flow.apiConfig)
  const run = async (emit: Emit) => {
    const end = await runFlow(services, start, { emit: seesAll ? emit : outlined(emit), closing: manner.closing })
    if (manner.after && !end.isNotStored) keepAlive(manner.after())
    return seesAll ? end : outlineEnd(end)
  }
  if (manner.streaming) {
    const work = async (emit: Emit) => {
      if (manner.announces) emit({ event: 'metadata', data: { executionId: start.executionId } })
      sendEnd(await run(emit), { start, manner, emit })
    }
    return eventStream(work, keepAlive)
  }
  const running = run(() => {})
  keepAlive(running)
  const end = await running
  if (hasFailed(end)) throw failure(start, end)
  return new Response(withoutCredentialIds(answerOf(start, end, manner)), {
    headers: { 'Content-Type': 'application/json' },
  })
}

const report = (thrown: unknown) => console.error('after a run:', errorReport(thrown))

const outlined =
  (emit: Emit): Emit =>
  (event) => {
    const outline = outlineEvent(event)
    if (outline) emit(outline)
  }

function outlineEnd({ action, ...end }: RunEnd): RunEnd {
  return { ...end, trace: end.trace.map(outlineItem), ...(action && { action: outlineAction(action) }) }
}

/** After the run's own events: what the client must know of the stored answer, or why there is none. */
function sendEnd(end: RunEnd, { start, manner, emit }: { start: RunStart; manner: ResponseOptions; emit: Emit }): void {
  // Clients read it once more after the question.
  if (end.action) emit({ event: 'agentFlowEvent', data: 'STOPPED' })
  if (hasFailed(end)) emit({ event: 'error', data: failure(start, end).message })
  else emit({ event: 'metadata', data: metadataOf(start, end, manner) })
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

function answerOf(start: RunStart, end: RunEnd, manner: ResponseOptions): PredictionAnswer {
  return {
    text: end.text,
    form: start.call.question === undefined ? start.call.form : undefined,
    ...metadataOf(start, end, manner),
    agentFlowExecutedData: end.trace,
  }
}
