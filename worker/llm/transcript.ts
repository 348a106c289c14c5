/** Collects what a model says, part by part, whether it is streamed or comes at once. */
import { Buffer } from 'node:buffer'
import type {
  LanguageModelV4Content,
  LanguageModelV4File,
  LanguageModelV4GenerateResult,
  LanguageModelV4ReasoningFile,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResult,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import { isRecord, tryParseJson } from '#contract/data/json.ts'
import { errorMessage } from '#contract/errors.ts'
import type { RunEvent, UsedTool } from '#contract/runs/events.ts'
import type { AssistantMessage, AssistantPart } from '../models/messages.ts'
import type { Clock } from '../ports/types.ts'

export interface ModelToolCall {
  id: string
  name: string
  input: unknown
}

export interface ModelOutput {
  text: string
  reasoning: string
  reasoningSeconds: number
  toolCalls: ModelToolCall[]
  /** Tools that the provider ran on its servers, with their results. */
  providerTools: UsedTool[]
  /** Files that the model generated, as `data:` URLs. */
  files: string[]
}

/** Parts before the model says something. */
const SILENT = new Set<LanguageModelV4StreamPart['type']>(['stream-start', 'response-metadata', 'raw'])

type End = Pick<LanguageModelV4GenerateResult, 'usage' | 'finishReason'>
type Block = Extract<AssistantPart, { type: 'text' | 'reasoning' }>

export class Transcript {
  readonly said: ModelOutput = {
    text: '',
    reasoning: '',
    reasoningSeconds: 0,
    toolCalls: [],
    providerTools: [],
    files: [],
  }
  /** Absent until the model has finished. */
  end?: End
  /** True once a part of the answer has come. */
  hasBegun = false
  readonly #parts: AssistantPart[] = []
  /** Blocks that are being streamed, by their ids. */
  readonly #texts = new Map<string, Block>()
  readonly #reasonings = new Map<string, Block>()
  readonly #inputs = new Map<string, unknown>()
  readonly #emit: (event: RunEvent) => void
  readonly #clock: Clock
  #thinkingSince = 0

  constructor(emit: (event: RunEvent) => void, clock: Clock) {
    this.#emit = emit
    this.#clock = clock
  }

  /** The answer as a message for the next call, without results of its tool calls; an empty list when nothing was said. */
  messages(): AssistantMessage[] {
    const content = this.#parts.filter((part) => part.type !== 'text' || part.text !== '' || part.providerOptions)
    return content.length > 0 ? [{ role: 'assistant', content }] : []
  }

  /** @throws the error of a part that is one */
  take(part: LanguageModelV4StreamPart): void {
    this.hasBegun ||= part.type !== 'error' && !SILENT.has(part.type)
    switch (part.type) {
      case 'text-start':
        this.#open(this.#texts, part, { type: 'text', text: '' })
        break
      case 'text-delta':
        this.#say(part)
        break
      case 'text-end':
        this.#noteMetadata(this.#texts.get(part.id), part)
        break
      case 'reasoning-start':
        this.#open(this.#reasonings, part, { type: 'reasoning', text: '' })
        break
      case 'reasoning-delta':
        this.#think(part)
        break
      case 'reasoning-end':
        this.#noteMetadata(this.#reasonings.get(part.id), part)
        break
      case 'finish':
        this.finish(part)
        break
      case 'error':
        throw part.error
      case 'tool-call':
      case 'tool-result':
      case 'file':
      case 'reasoning-file':
      case 'custom':
        this.#takeContent(part)
    }
  }

  /** Takes an answer that came at once. When the model began to speak is unknown, so all of the time counts as thinking. */
  takeAll({ content, ...end }: LanguageModelV4GenerateResult, startedAt: Date): void {
    if (content.some(({ type }) => type === 'reasoning')) this.#thinkingSince = startedAt.getTime()
    for (const [index, part] of content.entries()) {
      const id = String(index)
      const { providerMetadata } = part as { providerMetadata?: SharedV4ProviderMetadata }
      if (part.type === 'text') this.#say({ id, delta: part.text, providerMetadata })
      else if (part.type === 'reasoning') this.#think({ id, delta: part.text, providerMetadata })
      else this.#takeContent(part)
    }
    this.finish(end)
  }

  finish({ usage, finishReason }: End): void {
    this.#stopThinking()
    this.end = { usage, finishReason }
  }

  #open(
    blocks: Map<string, Block>,
    { id, ...part }: { id: string; providerMetadata?: SharedV4ProviderMetadata },
    block: Block,
  ): Block {
    this.#parts.push(block)
    blocks.set(id, block)
    this.#noteMetadata(block, part)
    return block
  }

  #noteMetadata(block: Block | undefined, { providerMetadata }: { providerMetadata?: SharedV4ProviderMetadata }): void {
    if (block && providerMetadata) block.providerOptions = providerMetadata
  }

  #say(part: { id: string; delta: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    const block = this.#texts.get(part.id) ?? this.#open(this.#texts, part, { type: 'text', text: '' })
    this.#noteMetadata(block, part)
    if (part.delta === '') return
    this.#stopThinking()
    block.text += part.delta
    this.said.text += part.delta
    this.#emit({ event: 'token', data: part.delta })
  }

  #think(part: { id: string; delta: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    const block = this.#reasonings.get(part.id) ?? this.#open(this.#reasonings, part, { type: 'reasoning', text: '' })
    this.#noteMetadata(block, part)
    this.#thinkingSince ||= this.#clock.now().getTime()
    block.text += part.delta
    this.said.reasoning += part.delta
    this.#emit({ event: 'thinking', data: part.delta })
  }

  #stopThinking(): void {
    if (this.#thinkingSince === 0) return
    const duration = Math.round((this.#clock.now().getTime() - this.#thinkingSince) / 1000)
    this.said.reasoningSeconds += duration
    this.#thinkingSince = 0
    this.#emit({ event: 'thinking', data: '', duration })
  }

  /** Takes a part that is never streamed in pieces. Ignores sources, which no provider expects back. */
  #takeContent(part: LanguageModelV4Content): void {
    if (part.type === 'tool-call') this.#takeCall(part)
    else if (part.type === 'tool-result') this.#takeResult(part)
    else if (part.type === 'file' || part.type === 'reasoning-file') this.#takeFile(part)
    else if (part.type === 'custom')
      this.#parts.push({ type: 'custom', kind: part.kind, providerOptions: part.providerMetadata })
  }

  #takeCall({ toolCallId, toolName, providerExecuted, providerMetadata, ...call }: LanguageModelV4ToolCall): void {
    this.#stopThinking()
    const input = call.input.trim() === '' ? {} : (tryParseJson(call.input) ?? call.input)
    if (providerExecuted) this.#inputs.set(toolCallId, input)
    else this.said.toolCalls.push({ id: toolCallId, name: toolName, input })
    const sent = typeof input === 'object' ? input : {}
    this.#parts.push({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: sent,
      providerExecuted,
      providerOptions: providerMetadata,
    })
  }

  #takeResult(part: LanguageModelV4ToolResult): void {
    const { toolCallId, toolName, result, isError, preliminary, providerMetadata } = part
    if (preliminary) return
    const used = { tool: toolName, toolInput: this.#inputs.get(toolCallId) }
    this.said.providerTools.push(
      isError
        ? { ...used, toolOutput: '', error: errorMessage(result) }
        : { ...used, toolOutput: this.#withoutImages(result) },
    )
    const output = isError
      ? { type: 'error-json' as const, value: result }
      : typeof result === 'string'
        ? { type: 'text' as const, value: result }
        : { type: 'json' as const, value: result }
    this.#parts.push({ type: 'tool-result', toolCallId, toolName, output, providerOptions: providerMetadata })
  }

  /** Ignores files that are elsewhere: nothing is fetched here. */
  #takeFile({
    type,
    data: file,
    mediaType,
    providerMetadata,
  }: LanguageModelV4File | LanguageModelV4ReasoningFile): void {
    if (file.type !== 'data') return
    const data = typeof file.data === 'string' ? file.data : Buffer.from(file.data).toString('base64')
    if (type === 'file') {
      this.said.files.push(`data:${mediaType};base64,${data}`)
      this.#parts.push({ type, data, mediaType, providerOptions: providerMetadata })
    } else this.#parts.push({ type, data: { type: 'data', data }, mediaType, providerOptions: providerMetadata })
  }

  /** Moves an image in a tool result to the files, so that it is not sent to every later model as text. */
  #withoutImages(output: unknown): unknown {
    const result = isRecord(output) ? output.result : undefined
    if (typeof result !== 'string' || !/^(iVBOR|\/9j\/|UklGR)/.test(result)) return output
    const type = result.startsWith('iVBOR') ? 'png' : result.startsWith('UklGR') ? 'webp' : 'jpeg'
    this.said.files.push(`data:image/${type};base64,${result}`)
    return 'An image'
  }
}
