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
  // The platform's own runs on the real clock.
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

/** A model whose stream says one part each `pause` milliseconds, or nothing for ever. */
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

/** How a step ends while the clock runs on, and when. */
async function outcome(model: MockLanguageModelV4, limit: number) {
  const started = Date.now()
  let ended: { error: Error; after: number } | undefined
  runStep(llm, {}, { model }).catch((error) => {
    ended = { error, after: Date.now() - started }
  })
  while (!ended && Date.now() - started < limit) await vi.advanceTimersByTimeAsync(second)
  return ended
}

describe('a model that does not answer in time is stopped', () => {
  test('when nothing comes', async () => {
    const { model, calls } = slowModel(() => undefined, second)
    const ended = await outcome(model, 20 * minute)
    expect(ended?.error.message).toContain('did not answer in time')
    expect(ended?.after).toBeGreaterThanOrEqual(2 * minute)
    expect(ended?.after).toBeLessThanOrEqual(4 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('when it falls silent in the middle', async () => {
    const { model, calls } = slowModel((index) => (index < 5 ? word(index) : undefined), second)
    const ended = await outcome(model, 20 * minute)
    expect(ended?.error.message).toContain('did not answer in time')
    expect(ended?.after).toBeLessThanOrEqual(3 * minute)
    expect(calls.stopped).toBe(true)
  })

  test('when it goes on for ever', async () => {
    const { model, calls } = slowModel(word, 30 * second)
    const ended = await outcome(model, 30 * minute)
    expect(ended?.error.message).toContain('did not answer in time')
    expect(ended?.after).toBeGreaterThan(14 * minute)
    expect(ended?.after).toBeLessThanOrEqual(16 * minute)
    expect(calls.stopped).toBe(true)
  })
})
