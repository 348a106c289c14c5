/** Leaves no run hanging: runs whose worker is gone are taken up where they stopped, or ended with a reason. */
import { sql } from 'drizzle-orm'
import type { OrphanParams, Services } from '../services.ts'
import { failRun, failureReason } from './fail-run.ts'
import { createInstances, PATIENCE_MS, STEP, type Steps } from './instances.ts'
import { claimOrphan, findOrphans, type Orphan } from './orphans.ts'
import { readRunContext } from './run-context.ts'
import { runFlow } from './run-flow.ts'
import { continueRun } from './run-start.ts'

type Dispatching = Pick<Services, 'db' | 'clock' | 'backgroundRuns'>

/** The minute job. It runs nothing itself: a run that breaks its worker breaks an instance of its own. */
export const dispatchOrphans = (services: Dispatching): Promise<void> => dispatch(services)

/** The same for one flow's runs. */
export const dispatchOrphansOf = (services: Dispatching, flowId: string): Promise<void> => dispatch(services, flowId)

async function dispatch({ db, clock, backgroundRuns }: Dispatching, flowId?: string): Promise<void> {
  const now = clock.now()
  const orphans = await findOrphans(db, { now, ...(flowId !== undefined && { flowId }) })
  await createInstances(
    backgroundRuns,
    orphans.map((orphan) => ({
      id: instanceIdOf(orphan, now),
      params: { kind: 'orphan', executionId: orphan.id },
    })),
  )
}

/** The same for everybody who finds this orphan, until its instance is not waited for any longer. */
function instanceIdOf({ id, attempts, since }: Orphan, now: Date): string {
  const followed = Math.floor((now.getTime() - Date.parse(since)) / PATIENCE_MS)
  return `orphan-${id}-${attempts}-${followed}`
}

/** What an instance does. Nothing, when somebody else was faster. */
export async function recoverRun(services: Services, { executionId }: OrphanParams, step: Steps): Promise<void> {
  await step.do('recover', STEP, () => recover(services, executionId))
}

/** Whether it is given up is decided before anything of it is read: that alone may break the worker. */
async function recover(services: Services, executionId: string): Promise<void> {
  const { db, clock } = services
  const claimed = await claimOrphan(db, clock.now(), executionId)
  if (!claimed) return
  const reason = claimed.parentExecutionId ? CALLER_ENDED : failureReason(claimed)
  if (reason) return failRun(services, claimed, reason)
  const run = sql`${executionId}`
  const runContext = await readRunContext(db, { flowId: claimed.agentflowId, tenant: claimed, version: 'own', run })
  await runFlow(services, continueRun(runContext, claimed.lease), { emit: () => {} })
}

const CALLER_ENDED = 'This run was interrupted, and the run that called it has ended.'
