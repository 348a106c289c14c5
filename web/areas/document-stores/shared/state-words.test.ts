import { expect, it } from 'vitest'
import { JOB_STATES, type JobKind, type JobState } from '#contract/document-stores/jobs.ts'
import {
  LOADER_STATES,
  type LoaderState,
  STORE_STATES,
  type StoreState,
  UNINDEXED,
} from '#contract/document-stores/states.ts'
import { JOB_WORDS, loaderWords, storeWords } from './state-words.ts'

const EMBEDDINGS = { name: 'openAIEmbeddings', config: {} }
const plain = { status: 'UPSERTED' as StoreState, statusReason: null, embeddingConfig: null, job: null }
const job = (kind: JobKind, state: JobState, stateReason: string | null = null) => ({ kind, state, stateReason })

it.each<[StoreState, string]>([
  ['EMPTY', 'Empty'],
  ['NEW', 'Not read'],
  ['SYNCING', 'Reading…'],
  ['STALE', 'Out of date'],
  ['SYNC', 'Ready'],
  ['UPSERTING', 'Embedding…'],
  ['UPSERTED', 'Ready'],
])('a store that is %s is called %s', (status, label) => {
  expect(storeWords({ ...plain, status }).label).toBe(label)
})

it('every state has words', () => {
  expect(STORE_STATES.every((status) => storeWords({ ...plain, status }).label)).toBe(true)
  expect(JOB_STATES.every((state) => JOB_WORDS[state].label)).toBe(true)
})

it.each<[JobKind, string]>([
  ['process', 'Reading…'],
  ['upsert', 'Embedding…'],
  ['refresh', 'Refreshing…'],
  ['index', 'Indexing…'],
])('while a job to %s runs, its store is called %s whatever it was', (kind, label) => {
  for (const status of STORE_STATES) {
    expect(storeWords({ ...plain, status, statusReason: 'Before', job: job(kind, 'running') }).label).toBe(label)
  }
})

it.each<JobState>(['paused', 'asking', 'failed'])('a store whose job is %s says what the job says', (state) => {
  const words = storeWords({ ...plain, job: job('upsert', state, 'Incorrect API key') })
  expect(words).toMatchObject({ label: 'Needs attention', tone: 'danger', text: 'Incorrect API key' })
})

it.each<JobState>(['done', 'cancelled'])('a job that is %s leaves the state of its store', (state) => {
  expect(storeWords({ ...plain, job: job('upsert', state, 'Old') }).label).toBe('Ready')
})

it('a store that something else went wrong with needs attention, but not one whose job a person cancelled', () => {
  expect(storeWords({ ...plain, statusReason: 'The index is gone' })).toMatchObject({ text: 'The index is gone' })
  const cancelled = { ...plain, status: 'STALE' as const, statusReason: 'Stopped', job: job('process', 'cancelled') }
  expect(storeWords(cancelled).label).toBe('Out of date')
})

it('a store that was not indexed to the end says so, whoever stopped it', () => {
  const unindexed = { ...plain, status: 'STALE' as const, statusReason: UNINDEXED, job: job('index', 'cancelled') }
  expect(storeWords(unindexed)).toMatchObject({ label: 'Needs attention', text: UNINDEXED })
})

it('a store with embeddings is ready once it is embedded, one without as soon as it is read', () => {
  expect(storeWords({ ...plain, status: 'SYNC', embeddingConfig: EMBEDDINGS }).label).toBe('Not embedded')
  expect(storeWords({ ...plain, status: 'UPSERTED', embeddingConfig: EMBEDDINGS }).label).toBe('Ready')
})

const loader = { id: 'one', status: 'SYNC' as LoaderState, statusReason: null, filesFailed: 0 }

it.each<[LoaderState, string]>([
  ['NEW', 'Not read'],
  ['SYNCING', 'Not read'],
  ['SYNC', 'Ready'],
  ['STALE', 'Incomplete'],
])('a loader that is %s is called %s', (status, label) => {
  expect(loaderWords({ ...loader, status }, []).label).toBe(label)
})

it('a loader whose job waits for another one is not called after it', () => {
  const waiting = { kind: 'process' as const, docId: 'one', state: 'queued' as const }
  expect(loaderWords({ ...loader, status: 'SYNCING' }, [waiting]).label).toBe('Not read')
})

it('a loader is called as the job that works on it', () => {
  const running = (kind: JobKind, docId: string | null) => ({ kind, docId, state: 'running' as const })
  for (const status of LOADER_STATES) {
    expect(loaderWords({ ...loader, status }, [running('process', 'one')]).label).toBe('Reading…')
    expect(loaderWords({ ...loader, status }, [running('refresh', null)]).label).toBe('Refreshing…')
  }
  expect(loaderWords(loader, [running('process', 'another')]).label).toBe('Ready')
  expect(loaderWords(loader, [running('upsert', null)]).label).toBe('Ready')
})

it('a loader with failed files is incomplete and says why', () => {
  expect(loaderWords({ ...loader, filesFailed: 1, statusReason: '1 of 3 files' }, [])).toMatchObject({
    label: 'Incomplete',
    text: '1 of 3 files',
  })
})
