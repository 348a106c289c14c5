/** A model that runs in the worker itself and needs no key and no network. */
import { type Reply, replyTo } from './reply.ts'
import type { CallOptions, Generated, Model, StreamPart } from './types.ts'

export const PRACTICE_MODEL = 'practice-model'

const WORD_PAUSE_MS = 8
const CHARACTERS_PER_TOKEN = 4

/** @param nodeLabel the node that its answers name as the place to choose another model */
export function createPracticeModel(nodeLabel?: string): Model {
  const reply = (options: CallOptions) => replyTo(options, nodeLabel)
  return {
    specificationVersion: 'v4',
    provider: 'heddle',
    modelId: PRACTICE_MODEL,
    supportedUrls: {},
    async doGenerate(options) {
      const said = reply(options)
      return { content: [contentOf(said, options)], ...finishReply(said, options), warnings: [] }
    },
    async doStream(options) {
      return { stream: toStream(parts(reply(options), options), options.abortSignal) }
    },
  }
}

function contentOf(reply: Reply, options: CallOptions): Generated['content'][number] {
  if ('text' in reply) return { type: 'text', text: reply.text }
  return { type: 'tool-call', toolCallId: callId(options), toolName: reply.toolName, input: JSON.stringify(reply.args) }
}

async function* parts(reply: Reply, options: CallOptions): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  if ('text' in reply) yield* textParts(reply.text, options.responseFormat?.type === 'json' ? 0 : WORD_PAUSE_MS)
  else yield* toolParts(reply, options)
  yield { type: 'finish', ...finishReply(reply, options) }
}

async function* textParts(text: string, pauseMs: number): AsyncGenerator<StreamPart> {
  yield { type: 'text-start', id: '0' }
  for (const word of text.match(/\S+\s*/g) ?? []) {
    yield { type: 'text-delta', id: '0', delta: word }
    if (pauseMs) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  yield { type: 'text-end', id: '0' }
}

function* toolParts(reply: Exclude<Reply, { text: string }>, options: CallOptions): Generator<StreamPart> {
  const id = callId(options)
  const input = JSON.stringify(reply.args)
  yield { type: 'tool-input-start', id, toolName: reply.toolName }
  yield { type: 'tool-input-delta', id, delta: input }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName: reply.toolName, input }
}

/** Unique within a conversation and deterministic. */
function callId({ prompt }: CallOptions): string {
  return `call_${prompt.length}`
}

function finishReply(reply: Reply, { prompt }: CallOptions): Pick<Generated, 'finishReason' | 'usage'> {
  const said = 'text' in reply ? reply.text : JSON.stringify(reply.args)
  const heard = prompt
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(withoutFiles(content))))
    .join('')
  const output = tokens(said)
  return {
    finishReason: { unified: 'text' in reply ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: tokens(heard), noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: output, text: output, reasoning: undefined },
    },
  }
}

/** Excludes files, whose bytes would be serialized as a list of numbers. */
const withoutFiles = (parts: readonly { type: string }[]) => parts.filter(({ type }) => type !== 'file')

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

function toStream<T>(source: AsyncGenerator<T>, signal: AbortSignal | undefined): ReadableStream<T> {
  return new ReadableStream<T>({
    async pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason)
      const { done, value } = await source.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await source.return(undefined)
    },
  })
}
