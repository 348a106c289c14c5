/**
 * Reads streamed answers in one loop, and plain texts that come at once. The provider's SDK still writes the requests and
 * judges failed responses, but its chain of streams and checks costs more for each token than everything else that happens
 * to it.
 */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { openReader } from '../../ports/limit-body.ts'
import type { ModelFetch } from '../model-fetch.ts'
import type { AnswerEvents, CallOptions, ChatModel, PartReader } from '../types.ts'
import { ChatCompletion } from './chat-completions.ts'
import { EventStream } from './event-stream.ts'
import { readPlainText } from './plain-text.ts'
import { streamWhole } from './whole-answer.ts'

interface Asking {
  send: ModelFetch
  modelId: string
  /** Writes the request of an answer, where that is possible without opening the SDK's model. */
  write?(options: CallOptions, isStreamed: boolean): Promise<{ url: string; request: RequestInit }>
  /** Makes the reader of one answer's events. Default: chat completions. */
  events?(): AnswerEvents
  /** False for calls whose answers the SDK must read. Default: none. */
  canRead?(options: CallOptions): boolean
}

const readCompletion = () => new ChatCompletion()
const call = (model: ChatModel, options: CallOptions, isStreamed: boolean) =>
  isStreamed ? model.doStream(options) : model.doGenerate(options)
const always = () => true

/** @param open opens the SDK's model with what sends its requests. That costs time, so it is done for the calls that need it. */
export function readingAnswers(
  open: (send: ModelFetch) => ChatModel,
  { send, modelId, write, events = readCompletion, canRead = always }: Asking,
): ChatModel {
  let model: ChatModel | undefined
  let asking: ChatModel | undefined
  const sendOnce: ModelFetch = async (input, init) => {
    const response = await send(input, init)
    if (response.ok) throw new CapturedResponse(response)
    return response
  }
  const ask = async (options: CallOptions, isStreamed: boolean): Promise<Response> => {
    if (!write) {
      asking ??= open(sendOnce)
      return awaitAnswer(call(asking, options, isStreamed))
    }
    const { url, request } = await write(options, isStreamed)
    const response = await send(url, request)
    return response.ok
      ? response
      : awaitAnswer(
          call(
            open(async () => response),
            options,
            isStreamed,
          ),
        )
  }
  return {
    specificationVersion: 'v4',
    provider: 'openai',
    modelId,
    supportedUrls: {},
    async doGenerate(options) {
      if (events !== readCompletion || !canRead(options)) {
        model ??= open(send)
        return model.doGenerate(options)
      }
      const response = await ask(options, false)
      const said = await response.text()
      return readPlainText(said) ?? open(async () => new Response(said, response)).doGenerate(options)
    },
    async doStream(options) {
      if (!canRead(options)) {
        model ??= open(send)
        return model.doStream(options)
      }
      const response = await ask(options, true)
      if (isJson(response)) return streamWhole(await open(async () => response).doGenerate(options))
      const parts = readParts(response, events())
      return { parts, stream: toStream(parts) }
    },
  }
}

/** True for a server that answers at once although it was asked to stream. */
const isJson = ({ headers }: Response) => /^application\/json\b/i.test(headers.get('content-type') ?? '')

/** Takes a response out of the SDK before the SDK begins to read it. */
class CapturedResponse extends Error {
  readonly response: Response

  constructor(response: Response) {
    super('answered')
    this.response = response
  }
}

async function awaitAnswer(request: PromiseLike<unknown>): Promise<Response> {
  try {
    await request
  } catch (error) {
    if (error instanceof CapturedResponse) return error.response
    throw error
  }
  throw new Error('The provider did not answer')
}

function readParts(response: Response, answer: AnswerEvents): PartReader {
  const body = openReader(response)
  const decoder = new TextDecoder()
  const events = new EventStream()
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

function toStream(parts: PartReader): ReadableStream<LanguageModelV4StreamPart> {
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
