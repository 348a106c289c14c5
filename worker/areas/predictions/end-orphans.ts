/** Leaves no run hanging: runs whose worker is gone are taken up where they stopped, or ended with a reason. */
import { sql } from 'drizzle-orm'
import { errorMessage } from '#contract/errors.ts'
import type { Services } from '../../services.ts'
import { type Claimed, claimOrphans } from '../executions/index.ts'
import { giveUp, reasonToGiveUp } from './give-up.ts'
import { readGround } from './ground.ts'
import { runFlow } from './run-flow.ts'
import { goOn } from './run-start.ts'

/** The minute job. */
export const endOrphans = (services: Services): Promise<void> => endOrphansOf(services)

/** With a flow's id only its runs. Resolves when every run that was taken up has ended. */
export async function endOrphansOf(services: Services, flowId?: string): Promise<void> {
  const orphans = await claimOrphans(services.db, services.clock.now(), flowId)
  await Promise.all(orphans.map((orphan) => endOrphan(services, orphan)))
}

async function endOrphan(services: Services, orphan: Claimed): Promise<void> {
  try {
    const run = sql`${orphan.id}`
    const ground = await readGround(services.db, { flowId: orphan.agentflowId, tenant: orphan, version: 'own', run })
    const start = goOn(ground, orphan.lease)
    const reason = ground.run?.parentExecutionId ? CALLER_ENDED : reasonToGiveUp(start)
    if (reason) await giveUp(services, start, reason)
    else await runFlow(services, start, { emit: () => {} })
  } catch (thrown) {
    console.error(`run ${orphan.id} could not be taken up:`, errorMessage(thrown))
  }
}

const CALLER_ENDED = 'This run was interrupted, and the run that called it has ended.'
