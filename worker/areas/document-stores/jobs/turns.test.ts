import { expect, it } from 'vitest'
import { CHARS_CUT_PER_TURN, turnsOf } from './turns.ts'

it('others have their turn each time that so many characters have been worked on', async () => {
  const slept: number[] = []
  const takeTurns = turnsOf({ now: () => new Date(), sleep: async (ms) => void slept.push(ms) })
  const turnsAfter = async (chars: number) => {
    await takeTurns(chars)
    return slept.length
  }
  expect(await turnsAfter(CHARS_CUT_PER_TURN - 1)).toBe(0)
  expect(await turnsAfter(1)).toBe(1)
  expect(await turnsAfter(CHARS_CUT_PER_TURN / 2)).toBe(1)
  expect(await turnsAfter(CHARS_CUT_PER_TURN / 2)).toBe(2)
})
