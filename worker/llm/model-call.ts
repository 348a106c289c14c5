/** One call of a chat model, with timeouts, one retry before the first token, and cancellation. */
import type { JSONSchema7, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { UsageMetadata } from '#contract/runs/events.ts'
import { type AssistantMessage, buildPrompt, type ModelMessage } from '../models/messages.ts'
import type { CallOptions, ModelTool, OpenModel, PartReader } from '../models/types.ts'
import type { StepContext } from '../nodes/types.ts'
import { orAborted, startDeadline } from '../ports/deadline.ts'
import { metrics } from '../ports/metrics/metrics.ts'
import { providerError, retryDelay } from '../providers/provider-error.ts'
import { withFiles } from './file-parts.ts'
import { type ModelOutput, Transcript } from './transcript.ts'
import { toUsage } from './usage.ts'

export type { ModelToolCall } from './transcript.ts'

/** Local models may take minutes to load before their first token. */
const TIMEOUT = { firstPartMs: 180_000, partMs: 120_000, totalMs: 900_000 }

interface ModelCall {
  open: OpenModel
  messages: ModelMessage[]
  tools?: ModelTool[]
  /** By default, the model decides. */
  toolChoice?: CallOptions['toolChoice']
  /** JSON Schema that the answer must match. */
  schema?: Record<string, unknown>
  /** True if the answer belongs in the chat. It is streamed when the caller of the run listens. */
  speak: boolean
}

interface ModelAnswer extends ModelOutput {
  /** The answer as messages for the next call, without results of its tool calls. */
  messages: AssistantMessage[]
  usage: UsageMetadata
  finishReason: string
}

/** The services that a model call needs, usually from a step. */
export type CallContext = Pick<StepContext, 'signal' | 'clock' | 'emit' | 'charge'> &
  Partial<Pick<StepContext, 'files' | 'streaming'>>

/** Calls the model and charges the run for its usage. @throws Error with the provider's message */
export async function callModel(call: ModelCall, context: CallContext): Promise<ModelAnswer> {
  const answer = await ask(call, context).catch((error) => {
    metrics.modelCalls.add(1, { outcome: context.signal.aborted ? 'stopped' : 'failed' })
    throw error
  })
  metrics.modelCalls.add(1, { outcome: 'answered' })
  metrics.modelTokens.add(answer.usage.input_tokens, { direction: 'input' })
  metrics.modelTokens.add(answer.usage.output_tokens, { direction: 'output' })
  context.charge(answer.usage)
  context.signal.throwIfAborted()
  return answer
}

async function ask(call: ModelCall, context: CallContext): Promise<ModelAnswer> {
  const { open, schema } = call
  const deadline = startDeadline(TIMEOUT.totalMs, tooSlow, context.signal)
  const speaks = call.speak && !schema
  const streams = speaks && context.streaming && open.streams !== false
  const startedAt = context.clock.now()
  const transcript = new Transcript(speaks ? context.emit : () => {}, context.clock)
  try {
    const options = await buildOptions(call, { signal: deadline.signal, files: context.files })
    const work = async () => {
      if (!streams) return transcript.takeAll(await open.model.doGenerate(options), startedAt)
      const { stream, parts = partsReader(stream) } = await open.model.doStream(options)
      await listen(parts, transcript, deadline)
    }
    await withRetry(work, { signal: deadline.signal, clock: context.clock, mayRetry: () => !transcript.hasBegun })
    if (!transcript.end) throw new Error('The model stopped before its answer was complete')
    const { usage, finishReason } = transcript.end
    return {
      ...transcript.said,
      messages: transcript.messages(),
      usage: toUsage(usage, open.price),
      finishReason: finishReason.unified,
    }
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : providerError(error)
  } finally {
    deadline.clear()
  }
}

async function buildOptions(
  { open, messages, tools, toolChoice = { type: 'auto' }, schema }: ModelCall,
  { signal, files }: Pick<CallContext, 'signal' | 'files'>,
): Promise<CallOptions> {
  return {
    ...open.settings,
    prompt: buildPrompt(await withFiles(messages, files)),
    ...(tools && { tools, toolChoice }),
    ...(schema && { responseFormat: { type: 'json', schema: schema as JSONSchema7 } }),
    abortSignal: signal,
  }
}

interface Retry extends Pick<CallContext, 'signal' | 'clock'> {
  /** False once something has been said. */
  mayRetry(): boolean
}

/** Works a second time when the provider says that this may help. */
async function withRetry(work: () => Promise<void>, { signal, clock, mayRetry }: Retry): Promise<void> {
  try {
    await orAborted(work(), signal)
  } catch (error) {
    const delay = retryDelay(error)
    if (delay === undefined || signal.aborted || !mayRetry()) throw error
    await clock.sleep(delay, signal)
    await orAborted(work(), signal)
  }
}

type Deadline = ReturnType<typeof startDeadline>

/** Reads until the end. Cancels the answer when it stalls, when the deadline's signal aborts, and when a part is an error. */
async function listen(parts: PartReader, transcript: Transcript, { signal, abort }: Deadline): Promise<void> {
  let isStopped = signal.aborted
  const stop = () => {
    isStopped = true
    parts.cancel(signal.reason).catch(() => {})
  }
  const watch = watchParts(() => abort(tooSlow()))
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const together = await parts.read()
      if (isStopped) throw signal.reason
      if (!together) return
      for (const part of together) transcript.take(part)
      if (transcript.hasBegun) watch.note()
    }
  } finally {
    watch.end()
    signal.removeEventListener('abort', stop)
    stop()
  }
}

/** Reads a stream one part after the other. */
export function partsReader(stream: ReadableStream<LanguageModelV4StreamPart>): PartReader {
  const reader = stream.getReader()
  return {
    async read() {
      const { done, value } = await reader.read()
      return done ? undefined : [value]
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

/** Calls `stalled` when the first part of the answer, or the next one, is late. Sets no timer for each part. */
function watchParts(stalled: () => void) {
  let lastAt = 0
  const check = () => {
    const left = lastAt + TIMEOUT.partMs - Date.now()
    if (left <= 0) stalled()
    else timer = setTimeout(check, left)
  }
  let timer = setTimeout(stalled, TIMEOUT.firstPartMs)
  return {
    note() {
      const isFirst = lastAt === 0
      lastAt = Date.now()
      if (!isFirst) return
      clearTimeout(timer)
      timer = setTimeout(check, TIMEOUT.partMs)
    },
    end: () => clearTimeout(timer),
  }
}

const tooSlow = () => new Error('The model did not respond in time')
