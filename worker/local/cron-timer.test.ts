import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startCronTimer } from './cron-timer.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-01T10:00:42.500Z') })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('fires at the start of each minute, continues after a failure, and stops', async () => {
  const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
  const fired: string[] = []
  const stop = startCronTimer(async () => {
    fired.push(new Date().toISOString())
    if (fired.length === 1) throw new Error('no')
  })
  await vi.advanceTimersByTimeAsync(140_000)
  stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(fired).toEqual(['2026-01-01T10:01:00.000Z', '2026-01-01T10:02:00.000Z', '2026-01-01T10:03:00.000Z'])
  expect(complaint).toHaveBeenCalledOnce()
})
