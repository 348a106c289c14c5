/** An answer that came at once, as the parts of a stream. */
import type { LanguageModelV4Content, LanguageModelV4GenerateResult, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { StreamedAnswer } from '../types.ts'

type Part = LanguageModelV4StreamPart

export function streamWhole({
  content,
  finishReason,
  usage,
  warnings,
}: Pick<LanguageModelV4GenerateResult, 'content' | 'finishReason' | 'usage' | 'warnings'>): StreamedAnswer {
  const parts: Part[] = [
    { type: 'stream-start', warnings },
    ...content.flatMap((part, index) => toParts(part, String(index))),
    { type: 'finish', finishReason, usage },
  ]
  const stream = new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  return { stream }
}

function toParts(part: LanguageModelV4Content, id: string): Part[] {
  if (part.type !== 'text' && part.type !== 'reasoning') return [part]
  const { type, text, providerMetadata } = part
  return [
    { type: `${type}-start`, id, providerMetadata },
    { type: `${type}-delta`, id, delta: text, providerMetadata },
    { type: `${type}-end`, id, providerMetadata },
  ]
}
