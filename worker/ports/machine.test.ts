import { afterEach, expect, it, vi } from 'vitest'
import { createMachine } from './machine.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('says nothing after a second when the program does not answer', async () => {
  vi.useFakeTimers()
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
  const state = createMachine({ fetch: () => new Promise(() => {}) }).read()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await state).toEqual({ isStopping: false, residentBytes: {} })
  expect(errors).toHaveBeenCalledOnce()
})
