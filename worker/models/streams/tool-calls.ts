/** Assembles streamed tool calls, whose names and arguments come in pieces. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type StreamingToolCallDelta, StreamingToolCallTracker } from '@ai-sdk/provider-utils'
import { isRecord } from '#contract/data/json.ts'

/** Far more than a model makes. The tracker compares each piece with all calls. */
export const MAX_CALLS = 500

interface Delta extends StreamingToolCallDelta {
  function: { name: string | undefined; arguments: string | undefined }
  signature: string | undefined
}

export class ToolCalls {
  readonly #tracker: StreamingToolCallTracker<Delta>
  /** Calls without a name yet, by their index: some servers send it in a later piece. */
  readonly #nameless = new Map<number, Delta>()
  readonly #named = new Set<number>()
  #count = 0

  constructor(add: (part: LanguageModelV4StreamPart) => void) {
    const enqueue = (part?: LanguageModelV4StreamPart) => {
      if (part?.type === 'tool-input-start') this.#count++
      if (part) add(part)
    }
    this.#tracker = new StreamingToolCallTracker(
      { enqueue },
      {
        extractMetadata: ({ signature }) => (signature ? { openai: { thoughtSignature: signature } } : undefined),
        buildToolCallProviderMetadata: (metadata) => metadata,
      },
    )
  }

  /** @throws Error when there are too many calls, or one has no name */
  take(call: Record<string, unknown>): void {
    const delta = toDelta(call)
    const { index } = delta
    if (typeof index !== 'number' || this.#named.has(index)) this.#track(delta)
    else {
      const whole = joined(this.#nameless.get(index), delta)
      this.#nameless.set(index, whole)
      if (this.#nameless.size > MAX_CALLS) throw tooManyCalls()
      if (whole.function.name === undefined) return
      this.#nameless.delete(index)
      this.#named.add(index)
      this.#track(whole)
    }
  }

  /** Calls are complete only now: arguments that parse may still go on. */
  end(): void {
    for (const delta of this.#nameless.values()) this.#track(delta)
    this.#nameless.clear()
    this.#tracker.flush()
  }

  #track(delta: Delta): void {
    this.#tracker.processDelta(delta)
    if (this.#count > MAX_CALLS) throw tooManyCalls()
  }
}

export const tooManyCalls = () => new Error(`The model called more than ${MAX_CALLS} tools at once`)

function toDelta({ index, id, function: called, extra_content: extra }: Record<string, unknown>): Delta {
  const { name, arguments: args } = isRecord(called) ? called : {}
  const google = isRecord(extra) && isRecord(extra.google) ? extra.google : {}
  return {
    index: typeof index === 'number' ? index : undefined,
    id: textOf(id),
    function: { name: textOf(name), arguments: textOf(args) },
    signature: textOf(google.thought_signature),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function joined(before: Delta | undefined, delta: Delta): Delta {
  if (!before) return delta
  const args = `${before.function.arguments ?? ''}${delta.function.arguments ?? ''}`
  return {
    index: delta.index,
    id: before.id ?? delta.id,
    function: { name: delta.function.name, arguments: args },
    signature: before.signature ?? delta.signature,
  }
}
