import { expect, it } from 'vitest'
import { registerRun, unregisterRun } from '../../../runs/running.ts'
import { CHARS_CUT_PER_TURN, giveTurn, QUIET_TURNS, turnsOf } from './turns.ts'

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

it('a job pauses as long as flows are called, and some time after', async () => {
  const slept: number[] = []
  const clock = { now: () => new Date(), sleep: async (ms: number) => void slept.push(ms) }
  const pausesIn = async (turns: number) => {
    slept.length = 0
    for (let turn = 0; turn < turns; turn++) await giveTurn(clock)
    return slept.filter((ms) => ms > 0).length
  }
  await pausesIn(QUIET_TURNS)
  expect(await pausesIn(10)).toBe(0)
  registerRun('run', { flowId: 'flow', chatId: 'chat' })
  unregisterRun('run')
  expect(await pausesIn(QUIET_TURNS + 10)).toBe(QUIET_TURNS)
})
