import { expect, it } from 'vitest'
import type { DocumentJob } from '#contract/document-stores/jobs.ts'
import { progressOf } from './job-progress.ts'

const STARTED = '2026-03-09T10:00:00.000Z'
const after = (seconds: number) => Date.parse(STARTED) + seconds * 1000

const job = (fields: Partial<DocumentJob>): DocumentJob => ({
  id: 'job',
  storeId: 'store',
  docId: null,
  kind: 'refresh',
  state: 'running',
  stateReason: null,
  filesTotal: 0,
  filesDone: 0,
  filesFailed: 0,
  pages: 0,
  chunksTotal: 0,
  chunksDone: 0,
  tokens: 0,
  cost: null,
  numAdded: 0,
  numUpdated: 0,
  numDeleted: 0,
  numSkipped: 0,
  createdDate: STARTED,
  startedDate: STARTED,
  endedDate: null,
  ...fields,
})

it.each<[Partial<DocumentJob>, string, number | undefined]>([
  [{ state: 'queued', startedDate: null }, 'Waiting to start', undefined],
  [{ kind: 'process' }, 'Looking for files and pages', undefined],
  [{ kind: 'process', filesTotal: 4, filesDone: 1 }, 'Reading 1 of 4 files', 25],
  [{ kind: 'process', filesTotal: 1 }, 'Reading 0 of 1 file', 0],
  [{ kind: 'process', filesTotal: 4, filesDone: 4 }, 'Finishing', 100],
  [{ kind: 'index', chunksTotal: 500, chunksDone: 500 }, 'Indexing: 500 chunks ready for keyword search', undefined],
  [{ kind: 'upsert', chunksTotal: 2000, chunksDone: 500 }, 'Embedding 500 of 2k chunks', 25],
  [{ kind: 'refresh', filesTotal: 4, filesDone: 2, chunksTotal: 10, chunksDone: 9 }, 'Reading 2 of 4 files', 25],
  [{ kind: 'refresh', filesTotal: 4, filesDone: 4, chunksTotal: 10, chunksDone: 5 }, 'Embedding 5 of 10 chunks', 75],
  [{ kind: 'refresh', filesTotal: 4, filesDone: 4 }, 'Finishing', 100],
])('a job with %j is %s', (fields, title, percent) => {
  expect(progressOf(job(fields), after(0))).toMatchObject({ title, percent })
})

const figures = (fields: Partial<DocumentJob>, seconds = 0) =>
  Object.fromEntries(progressOf(job(fields), after(seconds)).figures.map(({ label, value }) => [label, value]))

it('counts only what there is', () => {
  expect(figures({})).toEqual({})
  expect(figures({ filesTotal: 12, filesDone: 3, filesFailed: 1, pages: 40 })).toEqual({
    Files: '3 of 12, 1 failed',
    Pages: '40',
  })
})

it('the progress of a job shows what tokens cost, and when the price is unknown', () => {
  expect(figures({ tokens: 1500, cost: 0.03 })).toEqual({ Tokens: '1.5k', Cost: '$0.0300' })
  expect(figures({ tokens: 1500, cost: null })).toEqual({ Tokens: '1.5k', Cost: 'Unknown' })
})

it('tells the rate once it means something, and only while the job runs', () => {
  const done = { chunksTotal: 100, chunksDone: 50 }
  expect(figures(done, 1)).not.toHaveProperty('Rate')
  expect(figures(done, 10)).toMatchObject({ Rate: '5 chunks/s' })
  expect(figures(done, 100)).toMatchObject({ Rate: '30 chunks/min' })
  expect(figures({ filesTotal: 9, filesDone: 6 }, 3)).toMatchObject({ Rate: '2 files/s' })
  expect(figures({ ...done, state: 'paused' }, 10)).not.toHaveProperty('Rate')
})
