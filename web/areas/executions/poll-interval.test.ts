import { expect, it } from 'vitest'
import type { RunState } from '#contract/runs/events.ts'
import { nextPollMs } from './poll-interval.ts'

const now = Date.parse('2026-03-09T12:00:00.000Z')

it.each<[RunState, number, number | false]>([
  ['INPROGRESS', 0, 1000],
  ['INPROGRESS', 10_000, 2000],
  ['INPROGRESS', 3_600_000, 10_000],
  ['INPROGRESS', -60_000, 1000],
  ['STOPPED', 0, 15_000],
  ['FINISHED', 0, false],
  ['TIMEOUT', 0, false],
])('polls a run in state %s that was silent for %d ms again after %s ms', (state, silentFor, expected) => {
  expect(nextPollMs(state, new Date(now - silentFor).toISOString(), now)).toBe(expected)
})
