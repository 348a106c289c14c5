/**
 * Background jobs. Each unit of work runs in a Workflow instance of its own, so that work which breaks its worker harms
 * no other. An instance claims its work by a conditional update: starting it twice does no harm, and one that never
 * began is replaced by another.
 */
import { errorReport } from '#contract/errors.ts'
import { runForCaller } from '#db/callers.ts'
import type { BackgroundRuns, JobParams, Services } from '../services.ts'

/** The platform's limit for one call. */
export const MAX_BATCH = 100
/** An instance that has not claimed its work by then is replaced. */
export const REPLACE_AFTER_MS = 5 * 60_000

/** The part of the platform's `WorkflowStep` in use: the result of a step is kept, and a restarted instance resumes behind it. */
export interface Steps {
  do<Result>(name: string, config: typeof STEP, work: () => Promise<Result>): Promise<Result>
  sleep(name: string, milliseconds: number): Promise<void>
}

/** A step that throws, as when the database was away, is retried. The flow's own limits bound what a run may take. */
export const STEP = {
  retries: { limit: 5, delay: '10 seconds', backoff: 'exponential' },
  timeout: '6 hours',
} as const

export interface Job {
  kind: string
  run(services: Services, params: JobParams, steps: Steps): Promise<void>
}

/** Types a job's parameters: an instance reaches the job that its `kind` names. */
export function defineJob<Params extends JobParams>(job: {
  kind: Params['kind']
  run(services: Services, params: Params, steps: Steps): Promise<void>
}): Job {
  return { kind: job.kind, run: (services, params, steps) => job.run(services, params as Params, steps) }
}

/**
 * Returns the steps of a workspace's job. The platform calls each one back on its own, so the step itself names the workspace
 * for whom it runs. It logs and keeps the error of a step, which must not hold parameters of a query.
 */
export const ownSteps = (steps: Steps, workspaceId: string): Steps => ({
  do: (name, config, work) =>
    steps.do(name, config, () =>
      runForCaller(
        () => workspaceId,
        () =>
          work().catch((error) => {
            throw new Error(errorReport(error))
          }),
      ),
    ),
  sleep: (name, milliseconds) => steps.sleep(name, milliseconds),
})

/** Any number of instances. Those whose id exists are left alone. */
export async function createInstances<Params extends JobParams>(
  backgroundRuns: BackgroundRuns,
  instances: { id: string; params: Params }[],
): Promise<void> {
  for (let from = 0; from < instances.length; from += MAX_BATCH)
    await backgroundRuns.createBatch(instances.slice(from, from + MAX_BATCH))
}

/**
 * Returns an instance id that everybody who finds the same work makes, until the instance is to be replaced.
 * @param since ISO date of when the work was left
 */
export function replaceableId(
  name: string,
  { since, now, replaceAfterMs = REPLACE_AFTER_MS }: { since: string; now: Date; replaceAfterMs?: number },
): string {
  return `${name}-${Math.floor((now.getTime() - Date.parse(since)) / replaceAfterMs)}`
}
