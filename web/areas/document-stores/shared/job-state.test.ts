import { expect, it } from 'vitest'
import { JOB_STATES, type JobState } from '#contract/document-stores/jobs.ts'
import { isOpen, pollMs } from './job-state.ts'

const jobs = (...states: JobState[]) => states.map((state) => ({ state }))

it('only jobs that are done, failed or cancelled are closed', () => {
  expect(JOB_STATES.filter((state) => !isOpen({ state }))).toEqual(['done', 'failed', 'cancelled'])
  expect(isOpen(null)).toBe(false)
})

it.each<[JobState[], number | false]>([
  [[], false],
  [['done', 'failed', 'cancelled'], false],
  [['done', 'running'], 1000],
  [['queued'], 1000],
  [['paused', 'done'], 10_000],
  [['asking', 'running'], 1000],
])('jobs that are %j are read again after %s', (states, ms) => {
  expect(pollMs([...jobs(...states), null])).toBe(ms)
})
