import type { Services } from '../../services.ts'
import { claimDue } from './claim.ts'
import { dispatchQueued } from './dispatch.ts'
import { forgetOld } from './retention.ts'
import { settleLost } from './settle.ts'

/** The minute job: what lost its worker goes on, what is due becomes deliveries, and whatever waits is dispatched. */
export async function startDueRuns(services: Services, now: Date): Promise<void> {
  await settleLost(services)
  await claimDue(services, now)
  await dispatchQueued(services, now)
  await forgetOld(services, now)
}
