/** Runs a prepared run and answers its caller: with JSON when it has ended, or with a stream of events. */
import { errorReport, HeddleError } from '#contract/errors.ts'
import { factsOf } from '#contract/flow/kinds/facts.ts'
import type { PredictionAnswer } from '#contract/predictions/predictions.ts'
import { waitingNote } from '#contract/runs/approvers.ts'
import { outlineAction, outlineEvent, outlineItem, showsFullTrace, withoutStepTexts } from '#contract/runs/outline.ts'
import { withSafeEventSources, withSafeSources } from '#contract/runs/sources.ts'
import type { Services } from '../../services.ts'
import { withoutCredentialIds } from '../records/credential-ids.ts'
import { hasFailed, type RunEnd } from '../records/run-end.ts'
import { type RunOptions, runFlow } from '../run-flow.ts'
import type { RunStart } from '../run-start.ts'
import { asChatEvents, chatFields } from './chat-answer.ts'
import { writeFollowUps } from './follow-up-prompts.ts'
import { type Emit, eventStream } from './sse.ts'

/**
 * `member`: a user or key of the flow's workspace. `caller`: anybody who may call the flow. `visitor`: anybody who has
 * the link of a shared run; they must not learn the ids of its chat.
 */
type Audience = 'member' | 'caller' | 'visitor'

export interface ResponseOptions {
  streaming: boolean
  audience: Audience
  /** The stream begins with the run's id. */
  announces?: boolean
  /** For the caller: what was asked for in vain. */
  notice?: string
  /** Adds to the end of the stream, such as the sound of the answer. */
  beforeEnd?(run: { start: RunStart; end: RunEnd; emit: Emit }): Promise<void>
  /** Statements to write in the same batch as the run's end. */
  closing?: RunOptions['closing']
  /** Called when the run's end is stored; the response does not wait for it. */
  after?(): Promise<void>
}

/** The request of a caller: Hono's context has it. */
interface RequestOfCaller {
  var: { services: Services }
  executionCtx: { waitUntil(promise: Promise<unknown>): void }
}

/** Throws `run_failed` when there is no answer and nothing was streamed. */
export async function respondWithRun(c: RequestOfCaller, start: RunStart, options: ResponseOptions): Promise<Response> {
  const { services } = c.var
  const keepAlive = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise.catch(report))
  const seesAll = options.audience === 'member' || showsFullTrace(start.runContext.flow.apiConfig)
  const isChat = factsOf(start.runContext.flow.type).answersAs === 'chat'
  const withSteps = options.audience === 'member'
  const run = async (emitAll: Emit) => {
    const { streaming, closing } = options
    const emit = isChat ? asChatEvents(emitAll, { withSteps }) : emitAll
    const shownTo = withWaitingNote(seesAll ? whole(emit) : outlined(emit, start), options)
    const end = await runFlow(services, start, { emit: shownTo, streaming, closing })
    if (options.after && !end.isNotStored) keepAlive(options.after())
    const shown = seesAll ? { ...end, trace: end.trace.map(withSafeSources) } : outlineEnd(end, start)
    const followUps = await writeFollowUps(services, start, end)
    return { ...shown, followUps, ...(isChat && { chat: chatOf(end, start, seesAll) }) }
  }
  if (options.streaming) {
    const work = async (emit: Emit) => {
      if (options.announces) emit({ event: 'metadata', data: { executionId: start.executionId } })
      const end = await run(emit)
      await options.beforeEnd?.({ start, end, emit })
      sendEnd(end, { start, options, emit })
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

/** A run's end as its audience may see it. */
interface ShownEnd extends RunEnd {
  /** Questions to go on with. */
  followUps: string[]
  /** Chat flows only: the fields beside the text. */
  chat?: ReturnType<typeof chatFields>
}

const report = (error: unknown) => console.error('after a run:', errorReport(error))

const isPostProcessed = ({ runContext: { flow } }: RunStart) => flow.settings.postProcessing.enabled

const whole =
  (emit: Emit): Emit =>
  (event) =>
    emit(withSafeEventSources(event))

/** Callers read who is waited for, in any client: a question that is not theirs has no buttons. */
function withWaitingNote(emit: Emit, { audience }: ResponseOptions): Emit {
  return (event) => {
    const note = event.event === 'action' && audience !== 'member' && waitingNote(event.data)
    if (note) emit({ event: 'token', data: `\n\n${note}` })
    emit(event)
  }
}

function outlined(emit: Emit, start: RunStart): Emit {
  const conceals = isPostProcessed(start)
  return (event) => {
    const outline = outlineEvent(event)
    if (!outline) return
    const isTrace = conceals && outline.event === 'agentFlowExecutedData'
    emit(isTrace ? { ...outline, data: withoutStepTexts(outline.data) } : outline)
  }
}

function outlineEnd({ action, ...end }: RunEnd, start: RunStart): RunEnd {
  const trace = end.trace.map(outlineItem)
  return {
    ...end,
    trace: isPostProcessed(start) ? withoutStepTexts(trace) : trace,
    ...(action && { action: outlineAction(action) }),
  }
}

/** The value that post-processing was given stays with the owner. */
function chatOf({ trace }: RunEnd, start: RunStart, seesAll: boolean): ReturnType<typeof chatFields> {
  const { json, ...fields } = chatFields(trace, seesAll)
  return json === undefined || isPostProcessed(start) ? fields : { ...fields, json }
}

/** Sends the events that end a stream: metadata of the stored answer, or the error. */
function sendEnd(
  end: ShownEnd,
  { start, options, emit }: { start: RunStart; options: ResponseOptions; emit: Emit },
): void {
  // Flowise's clients expect this event again after the question.
  if (end.action) emit({ event: 'agentFlowEvent', data: 'STOPPED' })
  if (hasFailed(end)) emit({ event: 'error', data: failure(start, end).message })
  else emit({ event: 'metadata', data: buildMetadata(start, end, options) })
  emit({ event: 'end', data: '[DONE]' })
}

function failure({ executionId }: RunStart, { error }: RunEnd): HeddleError {
  return new HeddleError('run_failed', error ?? 'The run failed', { executionId })
}

function buildMetadata(
  { executionId, call, question, chatId, sessionId }: RunStart,
  { action, chat, followUps }: ShownEnd,
  { audience, notice }: ResponseOptions,
) {
  return {
    ...(chat?.memoryType && { memoryType: chat.memoryType }),
    chatMessageId: call.apiMessageId,
    question,
    executionId,
    ...(audience !== 'visitor' && { chatId, sessionId }),
    ...(notice && { notice }),
    ...(action && { action }),
    // Flowise's clients parse it twice in a JSON answer and once in a stream.
    ...(followUps.length > 0 && { followUpPrompts: JSON.stringify(followUps) }),
  }
}

function predictionAnswer(start: RunStart, end: ShownEnd, options: ResponseOptions): PredictionAnswer {
  const { followUpPrompts, ...metadata } = buildMetadata(start, end, options)
  const note = end.action && options.audience !== 'member' ? waitingNote(end.action) : ''
  return {
    text: [end.text, note].filter(Boolean).join('\n\n'),
    form: start.call.question === undefined ? start.call.form : undefined,
    ...metadata,
    ...(followUpPrompts && { followUpPrompts: JSON.stringify(followUpPrompts) }),
    ...end.chat,
    ...((!end.chat || options.audience === 'member') && { agentFlowExecutedData: end.trace }),
  }
}
