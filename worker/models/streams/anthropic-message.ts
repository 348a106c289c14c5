/** Turns the events of a streamed Anthropic message into parts of an answer: text, thinking, and calls of our tools. */
import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import type { AnswerEvents } from '../types.ts'
import { streamError } from './stream-error.ts'
import { MAX_CALLS, tooManyCalls } from './tool-calls.ts'

type Part = LanguageModelV4StreamPart
type Fields = Record<string, unknown>

const REASONS: Record<string, LanguageModelV4FinishReason['unified']> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  refusal: 'content-filter',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
}

/** An error inside a stream has no status of its own. */
const STATUS: Record<string, number> = {
  invalid_request_error: 400,
  billing_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
}

/** A block that has begun and not ended. */
type Block = { type: 'text' | 'reasoning' } | { type: 'call'; id: string; name: string; input: string }

export class AnthropicMessage implements AnswerEvents {
  #parts: Part[] = []
  readonly #blocks = new Map<unknown, Block>()
  #usage: Fields = {}
  #reason: string | undefined
  #calls = 0

  take(data: string): Part[] {
    this.#parts = []
    const event = tryParseJson(data)
    if (!isRecord(event)) throw new Error(`The model sent an event that is not JSON: ${data.slice(0, 200)}`)
    this.#takeEvent(event)
    return this.#parts
  }

  end(): Part[] {
    if (this.#reason === undefined) return []
    const unified = Object.hasOwn(REASONS, this.#reason) ? (REASONS[this.#reason] ?? 'other') : 'other'
    return [{ type: 'finish', finishReason: { unified, raw: this.#reason }, usage: toUsage(this.#usage) }]
  }

  #takeEvent({ type, index, content_block: block, delta, message, usage, error }: Fields): void {
    switch (type) {
      case 'message_start':
        if (isRecord(message)) this.#count(message.usage)
        break
      case 'content_block_start':
        if (isRecord(block)) this.#begin(index, block)
        break
      case 'content_block_delta':
        if (isRecord(delta)) this.#continue(index, delta)
        break
      case 'content_block_stop':
        this.#finish(index)
        break
      case 'message_delta':
        this.#count(usage)
        if (isRecord(delta) && typeof delta.stop_reason === 'string') this.#reason = delta.stop_reason
        break
      case 'error':
        throw failure(error)
    }
  }

  /** Later counts replace earlier ones. */
  #count(usage: unknown): void {
    if (!isRecord(usage)) return
    const known = Object.entries(usage).filter(([, value]) => value !== null)
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) }
  }

  #begin(index: unknown, { type, data, id, name, input }: Fields): void {
    const block = String(index)
    if (type === 'text') {
      this.#blocks.set(index, { type: 'text' })
      this.#parts.push({ type: 'text-start', id: block })
    } else if (type === 'thinking' || type === 'redacted_thinking') {
      this.#blocks.set(index, { type: 'reasoning' })
      const isHidden = type === 'redacted_thinking' && typeof data === 'string'
      this.#parts.push({
        type: 'reasoning-start',
        id: block,
        ...(isHidden && { providerMetadata: { anthropic: { redactedData: data } } }),
      })
    } else if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string') {
      if (++this.#calls > MAX_CALLS) throw tooManyCalls()
      const isKnown = isRecord(input) && Object.keys(input).length > 0
      this.#blocks.set(index, { type: 'call', id, name, input: isKnown ? JSON.stringify(input) : '' })
      this.#parts.push({ type: 'tool-input-start', id, toolName: name })
    }
  }

  #continue(index: unknown, { type, text, thinking, signature, partial_json: json }: Fields): void {
    const block = this.#blocks.get(index)
    const id = String(index)
    if (type === 'text_delta' && typeof text === 'string' && block?.type === 'text')
      this.#parts.push({ type: 'text-delta', id, delta: text })
    else if (type === 'thinking_delta' && typeof thinking === 'string' && block?.type === 'reasoning')
      this.#parts.push({ type: 'reasoning-delta', id, delta: thinking })
    else if (type === 'signature_delta' && typeof signature === 'string' && block?.type === 'reasoning')
      this.#parts.push({ type: 'reasoning-delta', id, delta: '', providerMetadata: { anthropic: { signature } } })
    else if (type === 'input_json_delta' && typeof json === 'string' && json !== '' && block?.type === 'call') {
      block.input += json
      this.#parts.push({ type: 'tool-input-delta', id: block.id, delta: json })
    }
  }

  #finish(index: unknown): void {
    const block = this.#blocks.get(index)
    if (!block) return
    this.#blocks.delete(index)
    if (block.type !== 'call') {
      this.#parts.push({ type: `${block.type}-end`, id: String(index) })
      return
    }
    const { id, name: toolName, input } = block
    this.#parts.push(
      { type: 'tool-input-end', id },
      { type: 'tool-call', toolCallId: id, toolName, input: input === '' ? '{}' : input },
    )
  }
}

function failure(error: unknown): Error {
  const { type, message } = isRecord(error) ? error : {}
  return streamError({ error: { type, message, code: typeof type === 'string' ? STATUS[type] : undefined } })
}

function toUsage(usage: Fields): LanguageModelV4Usage {
  const [input, output] = [count(usage.input_tokens), count(usage.output_tokens)]
  const cacheRead = count(usage.cache_read_input_tokens) ?? 0
  const cacheWrite = count(usage.cache_creation_input_tokens) ?? 0
  const { output_tokens_details: details } = usage
  const reasoning = isRecord(details) ? count(details.thinking_tokens) : undefined
  return {
    inputTokens: {
      total: input === undefined ? undefined : input + cacheRead + cacheWrite,
      noCache: input,
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: output,
      text: output === undefined || reasoning === undefined ? undefined : output - reasoning,
      reasoning,
    },
  }
}

const count = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
