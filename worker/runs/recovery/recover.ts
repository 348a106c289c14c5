/** Recovers runs whose worker is gone: each resumes where it stopped, or ends with a reason. */
import { sql } from 'drizzle-orm'
import { createInstances, defineJob, replaceableId, STEP } from '../../jobs/instances.ts'
import { inPlace, keepPlace, placesForLost } from '../../jobs/places.ts'
import type { Services } from '../../services.ts'
import { readRunContext } from '../context/run-context.ts'
import { runFlow } from '../run-flow.ts'
import { continueRun } from '../run-start.ts'
import { failRun, failureReason } from './fail-run.ts'
import { claimOrphan, findOrphans, readClaimed } from './orphans.ts'

export interface OrphanParams {
  kind: 'orphan'
  executionId: string
  workspaceId: string
}

type Dispatching = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>

/** Run every minute. It runs no flow itself: a run that breaks its worker breaks an instance of its own. */
export const dispatchOrphans = (services: Dispatching): Promise<void> => dispatch(services)

/** Dispatches the orphans of one flow. */
export const dispatchFlowOrphans = (services: Dispatching, flowId: string): Promise<void> => dispatch(services, flowId)

async function dispatch({ db, clock, backgroundRuns }: Dispatching, flowId?: string): Promise<void> {
  const now = clock.now()
  const orphans = await findOrphans(db, { now, limit: placesForLost(), ...(flowId !== undefined && { flowId }) })
  const instances = orphans.map(({ id, workspaceId, attempts, since }) => {
    keepPlace(id, workspaceId, null)
    return {
      id: replaceableId(`orphan-${id}-${attempts}`, { since, now }),
      params: { kind: 'orphan' as const, executionId: id, workspaceId },
    }
  })
  await createInstances<OrphanParams>(backgroundRuns, instances)
}

/** Does nothing when another worker was faster. */
export const recoveryJob = defineJob<OrphanParams>({
  kind: 'orphan',
  run: (services, { executionId, workspaceId }, step) =>
    step.do('recover', STEP, () => inPlace(executionId, workspaceId, () => recover(services, executionId))),
})

/** Decides whether to give a run up before anything of it is read: reading alone may break the worker. */
async function recover(services: Services, executionId: string): Promise<void> {
  const { db, clock } = services
  const claimed = await claimOrphan(db, clock.now(), executionId)
  if (!claimed) return
  const reason = claimed.parentExecutionId ? CALLER_ENDED : failureReason(claimed)
  if (reason) return failRun(services, claimed, reason)
  const run = sql`${executionId}`
  const query = { flowId: claimed.agentflowId, tenant: claimed, version: 'own' as const, run }
  const runContext = await readClaimed(services, claimed, () => readRunContext(db, query))
  await runFlow(services, continueRun(runContext, claimed.lease), { emit() {} })
}

const CALLER_ENDED = 'This run was interrupted, and the run that called it has ended.'
