/** The Workflow of one job. It can be interrupted and restarted at any point: each unit is one conditional write. */
import { eq } from 'drizzle-orm'
import { errorMessage, isUnavailable } from '#contract/errors.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import { documentStores } from '#db/schema/index.ts'
import { openSearchIndex } from '#db/search-index/search-index.ts'
import { STEP, type Steps } from '../../../jobs/instances.ts'
import { ProviderRefusal } from '../../../providers/service.ts'
import type { Services } from '../../../services.ts'
import { dispatch } from './control/start-jobs.ts'
import { type JobContext, LostJob, openJobContext, writeUnit } from './job-context.ts'
import { claimJob } from './rows/claim-job.ts'
import { endJob } from './rows/end-job.ts'
import type { DocumentJobParams, JobCursor } from './rows/job-rows.ts'
import { cleanVectors } from './units/cleanup/clean-vectors.ts'
import { removeOrphanedEntries } from './units/cleanup/remove-orphaned-entries.ts'
import { embedChunks, fillWords, openEmbedding, removeUnused } from './units/embed-chunks.ts'
import { finishLoader } from './units/finish/finish-loader.ts'
import { listSources } from './units/list-sources.ts'
import { type OpenReading, readSources, shareReadings } from './units/read/read-sources.ts'
import { yieldToCalls } from './work-budget.ts'

/** The platform allows 1,024 steps and 1,000 requests of one instance; then another goes on. */
const STEPS = 12
const UNITS_PER_STEP = 10
/** After so many a step takes no further unit: large documents take several for one. */
const BATCHES_PER_STEP = 40
/** Instances that one unit may break, besides the reading of a source, before the job is given up. */
const MAX_LOSSES = 6

export async function runDocumentJob(services: Services, params: DocumentJobParams, step: Steps): Promise<void> {
  const attempt = await step.do('claim', STEP, async () => (await claimJob(services, params)) ?? null)
  if (attempt === null) return
  for (let number = 1; number <= STEPS; number++) {
    const isOpen = await step.do(`work ${number}`, STEP, () => work(services, { ...params, attempt }))
    if (!isOpen) return
  }
  await step.do('hand over', STEP, () => handOver(services, { ...params, attempt }))
}

type HeldJob = DocumentJobParams & { attempt: number }

/** Returns whether the job is still open and held. */
async function work(services: Services, held: HeldJob): Promise<boolean> {
  const task = await openJobContext(services, held)
  if (!task) return false
  try {
    return await doUnits(task)
  } catch (error) {
    return stop(task, error)
  }
}

async function doUnits(task: JobContext): Promise<boolean> {
  if ((task.cursor.losses ?? 0) >= MAX_LOSSES) {
    await endJob(task, {
      state: 'failed',
      reason: 'The worker stopped again and again at the same place. Try again later.',
    })
    return false
  }
  let embedding: Awaited<ReturnType<typeof openEmbedding>> | 'unopened' = 'unopened'
  const openReading = shareReadings(task)
  for (let unit = 0; unit < UNITS_PER_STEP && task.batches < BATCHES_PER_STEP; unit++) {
    if (unit > 0) await yieldToCalls(task.services.clock)
    if (task.job.kind === 'clean') {
      if (!(await cleanVectors(task))) return false
    } else if (task.cursor.filled === undefined) {
      await fillWords(task)
    } else if (task.job.kind === 'index') {
      await endJob(task, { state: 'done', reason: null, isComplete: task.store.embeddingConfig === null })
      return false
    } else if (task.cursor.phase === 'embed') {
      if (embedding === 'unopened') embedding = await openEmbedding(task)
      if (!(await embedChunks(task, embedding))) return false
    } else if (!(await readUnit(task, openReading))) return false
  }
  return true
}

/** One unit of reading. Returns false when the job is no longer open. */
async function readUnit(task: JobContext, openReading: OpenReading): Promise<boolean> {
  const { cursor } = task
  if (cursor.phase === 'tidy') return goOn(task, task.loaders.length)
  const index = task.loaders.findIndex(({ id }) => id === cursor.docId)
  const loader = task.loaders[index]
  if (!loader) return goOn(task, 0)
  if (cursor.phase === 'list') await listSources(task, loader)
  else if (cursor.phase === 'read') await readSources(task, loader, openReading)
  else {
    const outcome = await finishLoader(task, { loader, next: cursorAt(task, index + 1) })
    if (outcome === 'asked') return false
    if (outcome === 'settled') return task.cursor.docId !== null || goOn(task, index + 1)
  }
  return true
}

/** Where the job stands when it comes to this loader, or behind the last one. */
function cursorAt({ cursor, loaders }: JobContext, index: number): JobCursor {
  const docId = loaders[index]?.id ?? null
  return {
    ...cursor,
    phase: docId === null ? 'tidy' : 'list',
    part: undefined,
    isMarked: undefined,
    walk: undefined,
    docId,
  }
}

/** Goes on with this loader or, behind the last one, to tidy, and then to embed or end. */
async function goOn(task: JobContext, index: number): Promise<boolean> {
  const { db, tenant, rows, job, store } = task
  const cursor = cursorAt(task, index)
  if (cursor.docId !== null) {
    await writeUnit(task, { cursor })
    return true
  }
  task.cursor = cursor
  const searchIndex = await openSearchIndex(db, tenant, store.id)
  if (searchIndex && (await removeOrphanedEntries(task, searchIndex))) return true
  if (job.kind !== 'process') {
    const upserting = rows.update(documentStores, eq(documentStores.id, store.id), { status: 'UPSERTING' })
    await writeUnit(task, { cursor: { ...cursor, phase: 'embed' }, statements: [upserting] })
    return true
  }
  const embedding = await openEmbedding(task)
  if (embedding && task.cursor.unused) await removeUnused(embedding, task.cursor.unused)
  await endJob(task, { state: 'done', reason: null, isComplete: embedding === undefined })
  return false
}

/** A provider that refuses, or does not answer, pauses the job: what was done stays, and a person goes on. */
async function stop(task: JobContext, error: unknown): Promise<false> {
  if (error instanceof LostJob) return false
  // The step is tried again then.
  if (isDatabaseFailure(error) || isUnavailable(error)) throw error
  const isPaused = error instanceof ProviderRefusal || (task.cursor.phase === 'embed' && task.job.kind !== 'index')
  try {
    await endJob(task, { state: isPaused ? 'paused' : 'failed', reason: errorMessage(error) }, { cursor: task.cursor })
  } catch (failure) {
    if (!(failure instanceof LostJob)) throw failure
  }
  return false
}

/** Another instance goes on: this one has made as many steps and requests as it may. */
async function handOver(services: Services, held: HeldJob): Promise<void> {
  const task = await openJobContext(services, held)
  if (!task) return
  try {
    await writeUnit(task, { set: { state: 'queued', leaseUntil: null } })
  } catch (error) {
    if (!(error instanceof LostJob)) throw error
  }
  await dispatch(services, task.tenant, task.job)
}
