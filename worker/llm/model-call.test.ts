import { MockLanguageModelV4 } from 'ai/test'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { llm } from '../nodes/agentflow/llm.ts'
import { runStep } from '../nodes/testing/steps.ts'

type Part =
  Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'] extends ReadableStream<infer Each> ? Each : never

const second = 1000
const minute = 60 * second

beforeEach(() => {
  vi.useFakeTimers()
  // AbortSignal.timeout of the platform uses the real clock.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), ms)
    return controller.signal
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A model whose stream sends a part every `pause` milliseconds, or never sends anything. */
function slowModel(parts: (index: number) => Part | undefined, pause: number) {
  const calls = { stopped: false }
  const model = new MockLanguageModelV4({
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
  })
  return { model, calls }
}

const word = (index: number): Part =>
  index === 0 ? { type: 'text-start', id: 't' } : { type: 'text-delta', id: 't', delta: 'a ' }

/** Returns how and when a step ends while the fake clock advances. */
async function outcome(model: MockLanguageModelV4, limit: number) {
  const started = Date.now()
  let ended: { error: Error; after: number } | undefined
  runStep(llm, {}, { model }).catch((error) => {
    ended = { error, after: Date.now() - started }
  })
  while (!ended && Date.now() - started < limit) await vi.advanceTimersByTimeAsync(second)
  return ended
}

describe('a model call times out', () => {
  test('when the first token does not arrive', async () => {
    const { model, calls } = slowModel(() => undefined, second)
    const ended = await outcome(model, 20 * minute)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeGreaterThanOrEqual(2 * minute)
    expect(ended?.after).toBeLessThanOrEqual(4 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('when the stream stalls', async () => {
    const { model, calls } = slowModel((index) => (index < 5 ? word(index) : undefined), second)
    const ended = await outcome(model, 20 * minute)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeLessThanOrEqual(3 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('when the stream never ends', async () => {
    const { model, calls } = slowModel(word, 30 * second)
    const ended = await outcome(model, 30 * minute)
    expect(ended?.error.message).toContain('did not respond in time')
    expect(ended?.after).toBeGreaterThan(14 * minute)
    expect(ended?.after).toBeLessThanOrEqual(16 * minute)
    expect(calls.stopped).toBe(true)
  })
})
