/** Workflow instances: what runs in one costs nobody else anything when it breaks its worker. */
import type { BackgroundRunParams, BackgroundRuns } from '../services.ts'

/** The platform's limit. */
export const MAX_BATCH = 100
/** An instance that has not begun its work by then is not waited for any longer: another one follows. */
export const PATIENCE_MS = 5 * 60_000

/** Of the platform's `WorkflowStep`: what a step gave is kept, and its instance goes on behind it after a break. */
export interface Steps {
  do<Result>(name: string, config: typeof STEP, work: () => Promise<Result>): Promise<Result>
  sleep(name: string, milliseconds: number): Promise<void>
}

/** A step that throws (the database was away) is made again; what a flow's run may take is limited by the flow. */
export const STEP = {
  retries: { limit: 5, delay: '10 seconds', backoff: 'exponential' },
  timeout: '6 hours',
} as const

/** Any number; those whose id exists already are left alone. */
export async function createInstances(
  backgroundRuns: BackgroundRuns,
  instances: { id: string; params: BackgroundRunParams }[],
): Promise<void> {
  for (let from = 0; from < instances.length; from += MAX_BATCH)
    await backgroundRuns.createBatch(instances.slice(from, from + MAX_BATCH))
}
