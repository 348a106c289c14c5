/** Row types, and the ids of the runs that deliveries start. */
import type { triggerDeliveries, triggers } from '#db/schema/index.ts'
import type { Tenant } from '#db/scope.ts'
import { deterministicId } from '../../runs/deterministic-id.ts'

export type TriggerRow = typeof triggers.$inferSelect
export type DeliveryRow = typeof triggerDeliveries.$inferSelect

/** The execution id of an attempt: always the same, so that no attempt starts twice. */
export function deriveExecutionId(tenant: Tenant, delivery: { id: string; attempt: number }): Promise<string> {
  return deterministicId(tenant, `delivery ${delivery.id} ${delivery.attempt}`)
}
