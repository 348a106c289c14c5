/** The Workflow of an upsert that nobody waits for. It may die anywhere: another instance begins anew, and writes the same ids. */
import { errorMessage, HeddleError, isUnavailable } from '#contract/errors.ts'
import type { UpsertProgress } from '#contract/runs/events.ts'
import { isDatabaseFailure } from '#db/database-failure.ts'
import { defineJob, STEP } from '../../jobs/instances.ts'
import { readRunContext } from '../../runs/context/run-context.ts'
import type { Services } from '../../services.ts'
import { openUpsert } from './fill-store.ts'
import { claimUpsertJob, endStatement, renewUpsertJob, type UpsertJobParams, type UpsertJobRow } from './upsert-jobs.ts'

/** Instances that an upsert may break. */
const MAX_ATTEMPTS = 3
/** Interval at which the job reports progress and checks for cancellation. */
const RENEW_MS = 1000

export const upsertJob = defineJob<UpsertJobParams>({
  kind: 'upsert',
  async run(services, params, steps) {
    await steps.do('upsert', STEP, async () => {
      const held = await claimUpsertJob(services, params)
      if (held) await work(services, held)
    })
  },
})

async function work(services: Services, held: UpsertJobRow): Promise<void> {
  try {
    if (held.attempt > MAX_ATTEMPTS)
      throw new HeddleError('run_failed', 'The worker stopped again and again. Put the documents into a document store')
    await fill(services, held)
  } catch (error) {
    // The minute job gives it to another instance then.
    if ((isDatabaseFailure(error) || isUnavailable(error)) && held.attempt < MAX_ATTEMPTS) throw error
    await endStatement(services, held, { state: 'failed', reason: reasonOf(error) })
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof HeddleError ? errorMessage(error) : 'Something went wrong. Upsert again'

async function fill(services: Services, held: UpsertJobRow): Promise<void> {
  const { chatflowid: flowId, storeId, workspaceId, version } = held
  const runContext = await readRunContext(services.db, { flowId, tenant: { workspaceId }, version })
  const { fill } = await openUpsert(services, { runContext, body: { stopNodeId: storeId }, files: [], isMember: true })
  let progress = JSON.parse(held.progress) as UpsertProgress
  const ended = new AbortController()
  const lost = new AbortController()
  const renewing = renew(services, held, { progress: () => progress, ended: ended.signal, onLost: () => lost.abort() })
  try {
    await fill({
      signal: lost.signal,
      emit: (event) => {
        if (event.event === 'upsertProgress') progress = event.data
      },
      alongside: ({ addedDocs: _, ...counts }) => [
        endStatement(services, held, {
          ...{ state: 'done', result: JSON.stringify(counts), progress: JSON.stringify(progress) },
        }),
      ],
    })
  } finally {
    ended.abort()
    await renewing
  }
}

interface Renewing {
  progress(): UpsertProgress
  ended: AbortSignal
  onLost(): void
}

async function renew(services: Services, held: UpsertJobRow, { progress, ended, onLost }: Renewing): Promise<void> {
  while (!ended.aborted) {
    await services.clock.sleep(RENEW_MS, ended).catch(() => undefined)
    if (ended.aborted) return
    // A database that is away for a moment is asked again: the lease lasts longer.
    const isHeld = await renewUpsertJob(services, held, progress()).catch(() => true)
    if (isHeld) continue
    return onLost()
  }
}
