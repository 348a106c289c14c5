// @defends many-custom-functions
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTurns } from './turns.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const turnsOf = (atOnce: number) =>
  createTurns({ atOnce, waitMs: 30_000, turnMs: 60_000, refusal: () => new Error('too many') })

/** The state of a promise. */
function watch<Value>(promise: Promise<Value>) {
  const seen: { value?: Value; error?: unknown } = {}
  promise.then(
    (value) => {
      seen.value = value
    },
    (error) => {
      seen.error = error
    },
  )
  return seen
}

it('admits a limited number at once and the others in order of arrival', async () => {
  const turns = turnsOf(2)
  const [first, second, third, fourth] = [1, 2, 3, 4].map(() => watch(turns.take()))
  await vi.advanceTimersByTimeAsync(1000)
  expect([first, second, third, fourth].map((each) => each?.value !== undefined)).toEqual([true, true, false, false])
  second?.value?.()
  await vi.advanceTimersByTimeAsync(100)
  expect([third?.value !== undefined, fourth?.value !== undefined]).toEqual([true, false])
})

it('rejects a waiter after a time and removes it from the queue', async () => {
  const turns = turnsOf(1)
  const held = watch(turns.take())
  const waiting = watch(turns.take())
  await vi.advanceTimersByTimeAsync(31_000)
  expect(waiting.error).toEqual(new Error('too many'))
  const next = watch(turns.take())
  held.value?.()
  await vi.advanceTimersByTimeAsync(100)
  expect(next.value).toBeDefined()
})

it('ends a wait when the caller leaves', async () => {
  const turns = turnsOf(1)
  watch(turns.take())
  const gone = new AbortController()
  const waiting = watch(turns.take(gone.signal))
  gone.abort(new Error('person left'))
  await vi.advanceTimersByTimeAsync(100)
  expect(waiting.error).toEqual(new Error('person left'))
})

it('takes back the turn of a caller that left without ending it', async () => {
  const turns = turnsOf(1)
  watch(turns.take())
  await vi.advanceTimersByTimeAsync(65_000)
  const waiting = watch(turns.take())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(waiting.value).toBeDefined()
})
