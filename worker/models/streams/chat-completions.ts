/**
 * Turns the events of a streamed chat completion into parts of an answer: as OpenAI sends them, and with what Mistral,
 * Groq, DeepSeek, vLLM, Gemini and other servers add or leave out.
 */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { AnswerEvents } from '../types.ts'
import { streamError } from './stream-error.ts'
import { ToolCalls } from './tool-calls.ts'

type Part = LanguageModelV4StreamPart
type Fields = Record<string, unknown>
type Kind = 'text' | 'reasoning'

const IDS: Record<Kind, string> = { text: 'txt-0', reasoning: 'reasoning-0' }
const REASONS: Record<string, LanguageModelV4FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  function_call: 'tool-calls',
  tool_calls: 'tool-calls',
  error: 'error',
}

export class ChatCompletion implements AnswerEvents {
  #parts: Part[] = []
  readonly #calls = new ToolCalls((part) => this.#parts.push(part))
  #open: Kind | undefined
  #usage: Fields | undefined
  #reason: string | undefined
  #isDone = false
  #hasRefusal = false

  take(data: string): Part[] {
    this.#parts = []
    if (data === '[DONE]') this.#isDone = true
    else this.#takeChunk(tryParseJson(data), data)
    return this.#parts
  }

  end(): Part[] {
    this.#parts = []
    this.#switchTo(undefined)
    this.#calls.end()
    const raw = this.#reason
    if (raw !== undefined || this.#isDone) {
      const unified = unifiedReason(raw)
      const isRefused = this.#hasRefusal && unified === 'stop'
      const finishReason = { unified: isRefused ? 'content-filter' : unified, raw }
      this.#parts.push({ type: 'finish', finishReason, usage: toUsage(this.#usage) })
    }
    return this.#parts
  }

  #takeChunk(chunk: unknown, data: string): void {
    if (!isRecord(chunk)) throw new Error(`The model sent an event that is not JSON: ${data.slice(0, 200)}`)
    const { error, choices, usage, x_groq: groq } = chunk
    if (error || (!Array.isArray(choices) && typeof chunk.message === 'string')) throw streamError(chunk)
    if (isRecord(usage)) this.#usage = usage
    else if (isRecord(groq) && isRecord(groq.usage)) this.#usage = groq.usage
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
    if (!isRecord(choice)) return
    if (typeof choice.finish_reason === 'string') this.#reason = choice.finish_reason
    if (isRecord(choice.delta)) this.#takeDelta(choice.delta)
  }

  #takeDelta({ content, refusal, reasoning_content, reasoning, tool_calls }: Fields): void {
    this.#say('reasoning', reasoning_content ?? reasoning)
    if (Array.isArray(content)) for (const part of content) this.#takeContent(part)
    else this.#say('text', content)
    if (typeof refusal === 'string' && refusal !== '') {
      this.#hasRefusal = true
      this.#say('text', refusal)
    }
    if (!Array.isArray(tool_calls) || tool_calls.length === 0) return
    if (this.#open === 'reasoning') this.#switchTo(undefined)
    for (const call of tool_calls) if (isRecord(call)) this.#calls.take(call)
  }

  #takeContent(part: unknown): void {
    if (!isRecord(part)) return
    if (part.type === 'text') this.#say('text', part.text)
    else if (part.type === 'thinking' && Array.isArray(part.thinking))
      for (const thought of part.thinking) if (isRecord(thought)) this.#say('reasoning', thought.text)
  }

  #say(kind: Kind, delta: unknown): void {
    if (typeof delta !== 'string' || delta === '') return
    if (this.#open !== kind) this.#switchTo(kind)
    this.#parts.push({ type: `${kind}-delta`, id: IDS[kind], delta })
  }

  #switchTo(kind: Kind | undefined): void {
    if (this.#open) this.#parts.push({ type: `${this.#open}-end`, id: IDS[this.#open] })
    if (kind) this.#parts.push({ type: `${kind}-start`, id: IDS[kind] })
    this.#open = kind
  }
}

export const unifiedReason = (raw: string | undefined): LanguageModelV4FinishReason['unified'] =>
  (Object.hasOwn(REASONS, raw ?? '') && REASONS[raw ?? '']) || 'other'

export function toUsage(usage: Fields | undefined): LanguageModelV4Usage {
  const details = fieldsOf(usage?.prompt_tokens_details ?? usage?.prompt_token_details)
  const input = count(usage?.prompt_tokens)
  const output = count(usage?.completion_tokens)
  const cacheRead = count(usage?.num_cached_tokens ?? details.cached_tokens) ?? 0
  const cacheWrite = count(details.cache_write_tokens)
  const reasoning = count(fieldsOf(usage?.completion_tokens_details).reasoning_tokens) ?? 0
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : Math.max(0, input - cacheRead - (cacheWrite ?? 0)),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : Math.max(0, output - reasoning),
      reasoning,
    },
  }
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})
const count = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
