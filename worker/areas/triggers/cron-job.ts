import type { Services } from '../../services.ts'
import { claimDue } from './claim-due.ts'
import { dispatchQueued } from './dispatch.ts'
import { recoverLostDeliveries } from './recover-deliveries.ts'
import { deleteExpired } from './retention.ts'

/** The minute job: recovers lost deliveries, creates due ones, dispatches queued ones and deletes expired ones. */
export async function runDueTriggers(services: Services, now: Date): Promise<void> {
  await recoverLostDeliveries(services)
  await claimDue(services, now)
  await dispatchQueued(services, now)
  await deleteExpired(services, now)
}
