import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { RunEvent } from '#contract/runs/events.ts'
import type { ChatModel } from '../models/types.ts'
import { llm } from '../nodes/agentflow/llm.ts'
import { runStep, scriptedModel } from '../nodes/testing/steps.ts'
import { Transcript } from './transcript.ts'

type Part = LanguageModelV4StreamPart

const emptyUsage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}
const second = 1000
const minute = 60 * second

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A model whose stream sends a part every `pause` milliseconds, or never sends anything. */
function slowModel(parts: (index: number) => Part | undefined, pause: number) {
  const calls = { stopped: false }
  const model: ChatModel = {
    ...scriptedModel(),
    doStream: async ({ abortSignal }) => ({
      stream: new ReadableStream<Part>({
        start(controller) {
          let index = 0
          const timer = setInterval(() => {
            const part = parts(index++)
            if (part) controller.enqueue(part)
          }, pause)
          abortSignal?.addEventListener('abort', () => {
            calls.stopped = true
            clearInterval(timer)
            controller.error(abortSignal.reason)
          })
        },
      }),
    }),
  }
  return { model, calls }
}

const word = (index: number): Part =>
  index === 0 ? { type: 'text-start', id: 't' } : { type: 'text-delta', id: 't', delta: 'a ' }

/** Returns how and when a step ends while the fake clock advances. */
async function outcome(model: ChatModel, limit: number, streaming = true) {
  const started = Date.now()
  let ended: { error: Error; after: number } | undefined
  runStep(llm, {}, { model, streaming }).catch((error) => {
    ended = { error, after: Date.now() - started }
  })
  while (!ended && Date.now() - started < limit) await vi.advanceTimersByTimeAsync(second)
  return ended
}

describe('a model call times out', () => {
  test('a model call times out when the first token does not arrive', async () => {
    const { model, calls } = slowModel(() => undefined, second)
    const ended = await outcome(model, 20 * minute)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeGreaterThanOrEqual(2 * minute)
    expect(ended?.after).toBeLessThanOrEqual(4 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('a model call times out when the stream stalls', async () => {
    const { model, calls } = slowModel((index) => (index < 5 ? word(index) : undefined), second)
    const ended = await outcome(model, 20 * minute)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeLessThanOrEqual(3 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('a model call times out when the stream never ends', async () => {
    const { model, calls } = slowModel(word, 30 * second)
    const ended = await outcome(model, 30 * minute)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeGreaterThan(14 * minute)
    expect(ended?.after).toBeLessThanOrEqual(16 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('a model call without streaming times out when no answer comes', async () => {
    let signal: AbortSignal | undefined
    const model: ChatModel = {
      ...scriptedModel(),
      doGenerate: (options) => {
        signal = options.abortSignal
        return new Promise(() => {})
      },
    }
    const ended = await outcome(model, 30 * minute, false)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeGreaterThan(14 * minute)
    expect(ended?.after).toBeLessThanOrEqual(16 * minute)
    expect(signal?.aborted).toBe(true)
  })
})

describe('a model call', () => {
  const answer = { words: ['Hel', 'lo'], calls: [], thoughts: 'Hm' }

  test('asks for a stream only when the caller of the run listens', async () => {
    for (const [streaming, isLast, streams] of [
      [true, true, 1],
      [false, true, 0],
      [true, false, 0],
    ] as const) {
      const model = scriptedModel(answer)
      const { result } = await runStep(llm, {}, { model, streaming, isLast })
      expect(result.output.content).toBe('Hello')
      expect(model.streams).toBe(streams)
      expect(model.calls).toHaveLength(1)
    }
  })

  test('gives the same answer, usage and cost whether it is streamed or not', async () => {
    const outputs = []
    for (const streaming of [true, false]) {
      const { result } = await runStep(
        llm,
        {},
        { model: scriptedModel(answer), streaming, price: { input: 1, output: 2 } },
      )
      outputs.push(result.output)
    }
    expect(outputs[0]?.usageMetadata).toMatchObject({ input_tokens: 10, output_tokens: 2, input_cost: 10e-6 })
    expect(outputs[1]).toEqual(outputs[0])
  })

  const overloaded = () =>
    new APICallError({ message: 'overloaded', url: 'https://provider.example', requestBodyValues: {}, statusCode: 503 })

  /** A model that streams these parts, call by call. */
  function streamingModel(...answers: Part[][]) {
    const left = [...answers]
    const model: ChatModel = {
      ...scriptedModel(),
      doStream: async () => {
        const parts = left.shift() ?? []
        return {
          stream: new ReadableStream({
            pull: (stream) => {
              const part = parts.shift()
              if (part) stream.enqueue(part)
              else stream.close()
            },
          }),
        }
      },
    }
    return { model, callsMade: () => answers.length - left.length }
  }

  test('is not made again after the first token', async () => {
    const refusal = overloaded()
    const { model, callsMade } = streamingModel([word(0), word(1), { type: 'error', error: refusal }], [])
    await expect(runStep(llm, {}, { model })).rejects.toThrow('overloaded (HTTP 503)')
    expect(refusal.isRetryable).toBe(true)
    expect(callsMade()).toBe(1)
  })

  test('is made again when the stream fails before the first token, once', async () => {
    const failed: Part[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'error', error: overloaded() },
    ]
    const end = { finishReason: { unified: 'stop', raw: 'stop' }, usage: emptyUsage } as const
    const mended = streamingModel([...failed], [word(0), word(1), { type: 'finish', ...end }])
    const { result, events } = await runStep(llm, {}, { model: mended.model })
    expect(result.output.content).toBe('a ')
    expect(events.filter(({ event }) => event === 'token')).toHaveLength(1)
    const broken = streamingModel([...failed], [...failed], [])
    await expect(runStep(llm, {}, { model: broken.model })).rejects.toThrow('overloaded (HTTP 503)')
    expect(broken.callsMade()).toBe(2)
  })

  test('fails when the answer has no end', async () => {
    const { model } = streamingModel([word(0), word(1)])
    await expect(runStep(llm, {}, { model })).rejects.toThrow('The model stopped before its answer was complete')
  })

  test('takes parts that come together, and none after the run is cancelled', async () => {
    const stop = new AbortController()
    const reason = new DOMException('Cancelled', 'AbortError')
    const cancelled = Promise.withResolvers<unknown>()
    const said = Promise.withResolvers<void>()
    const late = Promise.withResolvers<Part[]>()
    const batches = [Promise.resolve([word(0), word(1), word(2), word(3)]), late.promise]
    const model: ChatModel = {
      ...scriptedModel(),
      doStream: async () => ({
        stream: new ReadableStream(),
        parts: {
          read: () => batches.shift() ?? Promise.resolve(undefined),
          cancel: async (given) => cancelled.resolve(given),
        },
      }),
    }
    const words: unknown[] = []
    const emit = ({ event, data }: RunEvent) => {
      if (event === 'token' && words.push(data) === 3) said.resolve()
    }
    const step = runStep(llm, {}, { model, signal: stop.signal, emit })
    await said.promise
    stop.abort(reason)
    await expect(step).rejects.toBe(reason)
    expect(await cancelled.promise).toBe(reason)
    late.resolve([word(4)])
    await vi.advanceTimersByTimeAsync(1)
    expect(words).toEqual(['a ', 'a ', 'a '])
  })

  test.each([true, false])('is aborted at the provider when its run is cancelled; streamed: %s', async (streaming) => {
    const stop = new AbortController()
    const given: AbortSignal[] = []
    let cancelled: unknown
    const begun = Promise.withResolvers<void>()
    const begin = ({ abortSignal }: { abortSignal?: AbortSignal }) => {
      if (abortSignal) given.push(abortSignal)
      begun.resolve()
    }
    const model: ChatModel = {
      ...scriptedModel(),
      doGenerate: (options) => {
        begin(options)
        return new Promise(() => {})
      },
      doStream: async (options) => {
        begin(options)
        const cancel = (reason: unknown) => {
          cancelled = reason
        }
        return { stream: new ReadableStream({ cancel }) }
      },
    }
    const step = runStep(llm, {}, { model, streaming, signal: stop.signal })
    await begun.promise
    await vi.advanceTimersByTimeAsync(1)
    stop.abort(new DOMException('Cancelled', 'AbortError'))
    await expect(step).rejects.toBe(stop.signal.reason)
    expect(given.map(({ aborted }) => aborted)).toEqual([true])
    if (streaming) expect(cancelled).toBe(stop.signal.reason)
  })

  test('leaves out nothing that the provider needs to see again', async () => {
    const providerMetadata = { anthropic: { signature: 's1' } }
    const parts: Part[] = [
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-end', id: '1' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Hello' },
      { type: 'text-end', id: '1' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: '{"q":1}', providerExecuted: true },
      { type: 'tool-result', toolCallId: 'c1', toolName: 'search', result: { at: 1 }, preliminary: true },
      { type: 'tool-result', toolCallId: 'c1', toolName: 'search', result: { at: 2 } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'add', input: 'no JSON' },
    ]
    const transcript = new Transcript(() => {}, { now: () => new Date(0), sleep: async () => {} })
    for (const part of parts) transcript.take(part)
    expect(transcript.messages()).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', providerOptions: providerMetadata },
          { type: 'text', text: 'Hello' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 1 }, providerExecuted: true },
          { type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { type: 'json', value: { at: 2 } } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'add', input: {} },
        ],
      },
    ])
    expect(transcript.said).toMatchObject({
      toolCalls: [{ id: 'c2', name: 'add', input: 'no JSON' }],
      providerTools: [{ tool: 'search', toolInput: { q: 1 }, toolOutput: { at: 2 } }],
    })
  })
})
