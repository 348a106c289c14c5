import { expect, it } from 'vitest'
import { JOB_STATES, type JobKind, type JobState } from '#contract/document-stores/jobs.ts'
import { isOpen, isStopped, pollMs, retryableJob } from './job-state.ts'

const jobs = (...states: JobState[]) => states.map((state) => ({ state }))

it('only jobs that are done, failed or cancelled are closed', () => {
  expect(JOB_STATES.filter((state) => !isOpen({ state }))).toEqual(['done', 'failed', 'cancelled'])
  expect(isOpen(null)).toBe(false)
})

it('a store lacks something after a job failed, or when its index was cancelled', () => {
  expect(JOB_STATES.filter((state) => isStopped({ state, kind: 'upsert' }))).toEqual(['failed'])
  expect(JOB_STATES.filter((state) => isStopped({ state, kind: 'index' }))).toEqual(['failed', 'cancelled'])
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

const job = (
  id: string,
  docId: string | null,
  more: { kind?: JobKind; state?: JobState; filesFailed?: number } = {},
) => ({
  id,
  docId,
  ...{ kind: 'process' as JobKind, state: 'done' as JobState, filesFailed: 1 },
  ...more,
})

it.each([
  ['the newest that read the loader', [job('b', 'one'), job('a', 'one')], 'b'],
  ['one that read all loaders', [job('a', null, { kind: 'refresh' })], 'a'],
  ['none that read another loader', [job('a', 'two')], undefined],
  ['none that only embedded', [job('b', 'one', { kind: 'upsert' }), job('a', 'one')], 'a'],
  ['none when a newer one read all of it', [job('b', 'one', { filesFailed: 0 }), job('a', 'one')], undefined],
  ['none while it works', [job('a', 'one', { state: 'running' })], undefined],
])('the job whose failed files are tried again is %s', (_, jobs, id) => {
  expect(retryableJob(jobs, 'one')?.id).toBe(id)
})
