import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** Returns the parts of a streamed answer. @throws the error that ends it */
export async function readParts(stream: ReadableStream<LanguageModelV4StreamPart>) {
  const parts: LanguageModelV4StreamPart[] = []
  for (const reader = stream.getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return parts
    if (value.type === 'error') throw value.error
    parts.push(value)
  }
}
