/** A run's answer to its caller: as JSON when it has ended, or as events while it goes. */
import type { Context } from 'hono'
import { errorReport, HeddleError } from '#contract/errors.ts'
import type { PredictionAnswer } from '#contract/predictions.ts'
import type { AppEnv } from '../../http/route.ts'
import { answerJson } from '../executions/index.ts'
import { hasFailed } from './rows.ts'
import { type RunEnd, runFlow, type Surroundings } from './run-flow.ts'
import type { RunStart } from './run-start.ts'
import { type Emit, eventStream } from './sse.ts'

export interface Manner {
  streaming: boolean
  /** Whether the caller may know the ids of the chat. */
  tellsChat: boolean
  /** Streams begin with the run's id, for a caller that shows the run elsewhere while it goes. */
  announces?: boolean
  /** More that is written together with the run's end. */
  closing?: Surroundings['closing']
  /** Called when the run's end is stored; nobody waits for it. */
  after?(): Promise<void>
}

/** Runs what was prepared. Throws `run_failed` when there is no answer. */
export async function answerRun(c: Context<AppEnv>, start: RunStart, manner: Manner): Promise<Response> {
  const services = c.get('services')
  const keepAlive = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise.catch(report))
  const run = async (emit: Emit) => {
    const end = await runFlow(services, start, { emit, closing: manner.closing })
    if (manner.after && !end.isNotStored) keepAlive(manner.after())
    return end
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
  return new Response(answerJson(answerOf(start, end, manner)), { headers: { 'Content-Type': 'application/json' } })
}

const report = (thrown: unknown) => console.error('after a run:', errorReport(thrown))

/** After the run's own events: what the client must know of the stored answer, or why there is none. */
function sendEnd(end: RunEnd, { start, manner, emit }: { start: RunStart; manner: Manner; emit: Emit }): void {
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
  manner: Pick<Manner, 'tellsChat'>,
) {
  return {
    chatMessageId: call.apiMessageId,
    question,
    executionId,
    ...(manner.tellsChat && { chatId, sessionId }),
    ...(action && { action }),
  }
}

/** What a caller gets who waits for the end of the run. */
export function answerOf(start: RunStart, end: RunEnd, manner: Pick<Manner, 'tellsChat'>): PredictionAnswer {
  return {
    text: end.text,
    form: start.call.question === undefined ? start.call.form : undefined,
    ...metadataOf(start, end, manner),
    agentFlowExecutedData: end.trace,
  }
}
