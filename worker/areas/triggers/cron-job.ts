import type { Services } from '../../services.ts'
import { claimDue } from './claim-due.ts'
import { dispatchQueued } from './dispatch.ts'
import { recoverLostDeliveries } from './recover-deliveries.ts'
import { deleteExpired } from './retention.ts'

/** The minute job: what lost its worker goes on, what is due becomes deliveries, and whatever waits is dispatched. */
export async function runDueTriggers(services: Services, now: Date): Promise<void> {
  await recoverLostDeliveries(services)
  await claimDue(services, now)
  await dispatchQueued(services, now)
  await deleteExpired(services, now)
}
