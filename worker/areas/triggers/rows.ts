/** The rows of this area, and how they stand to the runs that they start. */
import type { triggerDeliveries, triggers } from '#db/schema/index.ts'
import type { Tenant } from '#db/scope.ts'
import { deterministicId } from '../../runs/deterministic-id.ts'

export type TriggerRow = typeof triggers.$inferSelect
export type DeliveryRow = typeof triggerDeliveries.$inferSelect

/** The run of one try of a delivery: the same for the same try, so that none begins twice. */
export function executionIdOf(tenant: Tenant, delivery: { id: string; attempt: number }): Promise<string> {
  return deterministicId(tenant, `delivery ${delivery.id} ${delivery.attempt}`)
}
