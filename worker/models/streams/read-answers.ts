/**
 * Reads streamed answers in one loop. The provider's SDK still writes the requests and judges failed responses, but its
 * chain of streams and checks costs more for each token than everything else that happens to it.
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { readerOf } from '../../ports/limit-body.ts'
import type { ModelFetch } from '../model-fetch.ts'
import type { ChatModel, PartReader } from '../types.ts'
import { ChatCompletion } from './chat-completions.ts'
import { EventStream } from './event-stream.ts'

/** @param open opens the SDK's model with what sends its requests. That costs time, so it is done for the calls that are made. */
export function readingAnswers(
  open: (send: ModelFetch) => ChatModel,
  { send, modelId }: { send: ModelFetch; modelId: string },
): ChatModel {
  let model: ChatModel | undefined
  let asking: ChatModel | undefined
  const ask: ModelFetch = async (input, init) => {
    const response = await send(input, init)
    if (response.ok) throw new Answered(response)
    return response
  }
  return {
    specificationVersion: 'v4',
    provider: 'openai',
    modelId,
    supportedUrls: {},
    doGenerate(options) {
      model ??= open(send)
      return model.doGenerate(options)
    },
    async doStream(options) {
      asking ??= open(ask)
      const parts = readParts(await answered(asking.doStream(options)))
      return { parts, stream: streamOf(parts) }
    },
  }
}

/** Takes a response out of the SDK before the SDK begins to read it. */
class Answered extends Error {
  readonly response: Response

  constructor(response: Response) {
    super('answered')
    this.response = response
  }
}

async function answered(request: PromiseLike<unknown>): Promise<Response> {
  try {
    await request
  } catch (error) {
    if (error instanceof Answered) return error.response
    throw error
  }
  throw new Error('The provider did not answer')
}

function readParts(response: Response): PartReader {
  const body = readerOf(response)
  const decoder = new TextDecoder()
  const events = new EventStream()
  const answer = new ChatCompletion()
  let hasEnded = false

  const take = (text: string): LanguageModelV4StreamPart[] => {
    const parts: LanguageModelV4StreamPart[] = []
    try {
      for (const event of events.push(text)) parts.push(...answer.take(event))
      if (hasEnded) parts.push(...answer.end())
    } catch (error) {
      // What was said before it counts.
      hasEnded = true
      parts.push({ type: 'error', error })
    }
    return parts
  }

  return {
    async read() {
      while (!hasEnded) {
        const chunk = await body.read()
        hasEnded = chunk === undefined
        const parts = take(decoder.decode(chunk, { stream: !hasEnded }))
        if (parts.length > 0) return parts
      }
      return undefined
    },
    cancel: (reason) => body.cancel(reason),
  }
}

function streamOf(parts: PartReader): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      async pull(controller) {
        const together = await parts.read()
        if (!together) return controller.close()
        for (const part of together) controller.enqueue(part)
      },
      cancel: (reason) => parts.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
