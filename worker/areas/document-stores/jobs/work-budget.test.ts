import { expect, it } from 'vitest'
import { registerRun, unregisterRun } from '../../../runs/running.ts'
import { CUT_CHARS_BUDGET, createYield, IDLE_MS, yieldToCalls } from './work-budget.ts'

it('others have their turn each time that so many characters have been worked on', async () => {
  const slept: number[] = []
  const yieldAfter = createYield({ now: () => new Date(), sleep: async (ms) => void slept.push(ms) })
  const turnsAfter = async (chars: number) => {
    await yieldAfter(chars)
    return slept.length
  }
  expect(await turnsAfter(CUT_CHARS_BUDGET - 1)).toBe(0)
  expect(await turnsAfter(1)).toBe(1)
  expect(await turnsAfter(CUT_CHARS_BUDGET / 2)).toBe(1)
  expect(await turnsAfter(CUT_CHARS_BUDGET / 2)).toBe(2)
})

it('a job pauses as long as flows are called, and a second more', async () => {
  const slept: number[] = []
  const called = new Date('2026-01-01T12:00:00Z')
  const turnAfter = (ms: number) =>
    yieldToCalls({ now: () => new Date(called.getTime() + ms), sleep: async (pause) => void slept.push(pause) })
  registerRun('run', { flowId: 'flow', chatId: 'chat', now: called })
  unregisterRun('run')
  await turnAfter(IDLE_MS - 1)
  expect(slept[0]).toBeGreaterThan(0)
  await turnAfter(IDLE_MS)
  expect(slept[1]).toBe(0)
})
