/** A model that answers from a cache what it was asked before, word for word. */
import { createHash } from 'node:crypto'
import type { LanguageModelV4Content, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { partsReader } from '../../../llm/model-call.ts'
import type { CallOptions, ChatModel, OpenModel, PartReader, StreamedAnswer } from '../../../models/types.ts'
import type { StepContext } from '../../types.ts'
import type { CacheComponent } from '../component-types.ts'

/** Characters of an answer that is kept. */
const MAX_KEPT = 100_000

/** Answers are shared by the runs of one flow, and never with another flow or another model. */
export function cachedModel(
  open: OpenModel,
  cache: CacheComponent,
  { identity, node, inputs }: Pick<StepContext, 'identity' | 'node' | 'inputs'>,
): OpenModel {
  const scope = [identity.workspaceId, identity.chatflowId, node.name, inputs]
  return { ...open, model: withCache(open.model, cache, scope) }
}

function withCache(model: ChatModel, cache: CacheComponent, scope: unknown): ChatModel {
  const keep = async (key: string, text: string | undefined) => {
    if (text && text.length <= MAX_KEPT) await cache.set(key, text)
  }
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      const key = buildKey(scope, options)
      if (key === undefined) return model.doGenerate(options)
      const kept = await cache.get(key)
      if (kept !== undefined) return { content: [{ type: 'text', text: kept }], ...END, warnings: [] }
      const answer = await model.doGenerate(options)
      if (answer.finishReason.unified === 'stop') await keep(key, textOf(answer.content))
      return answer
    },
    async doStream(options) {
      const key = buildKey(scope, options)
      if (key === undefined) return model.doStream(options)
      const kept = await cache.get(key)
      if (kept !== undefined) return streamed(kept)
      const answer = await model.doStream(options)
      return { ...answer, parts: keeping(answer.parts ?? partsReader(answer.stream), (text) => keep(key, text)) }
    },
  }
}

/** Returns undefined for what is not kept: questions with files. */
function buildKey(scope: unknown, { abortSignal: _, ...options }: CallOptions): string | undefined {
  const hasFiles = options.prompt.some(
    ({ content }) => Array.isArray(content) && content.some(({ type }) => type === 'file'),
  )
  if (hasFiles) return undefined
  return createHash('sha256')
    .update(JSON.stringify([scope, options]))
    .digest('hex')
}

/** Returns undefined for an answer that is more than text. */
function textOf(content: readonly LanguageModelV4Content[]): string | undefined {
  if (!content.every(({ type }) => type === 'text' || type === 'reasoning')) return undefined
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

const OTHER_CONTENT: readonly LanguageModelV4StreamPart['type'][] = ['tool-call', 'tool-result', 'file', 'source']

/** Reads on, and keeps the text of an answer that is complete and nothing else. */
function keeping(reader: PartReader, keep: (text: string) => Promise<void>): PartReader {
  let text = ''
  let isPlain = true
  return {
    async read() {
      const parts = await reader.read()
      for (const part of parts ?? []) {
        if (part.type === 'text-delta') text += part.delta
        else if (OTHER_CONTENT.includes(part.type)) isPlain = false
        else if (part.type === 'finish' && isPlain && part.finishReason.unified === 'stop') await keep(text)
      }
      return parts
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

const NO_USAGE: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

const END = { usage: NO_USAGE, finishReason: { unified: 'stop', raw: undefined } } as const

function streamed(text: string): StreamedAnswer {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-end', id: '0' },
    { type: 'finish', ...END },
  ]
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  return { stream }
}
