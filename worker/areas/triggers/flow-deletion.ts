import { eq, inArray } from 'drizzle-orm'
import { triggerDeliveries, triggerReceipts, triggers } from '#db/schema/index.ts'
import { scope } from '#db/scope.ts'
import type { FlowDeletion } from '../chatflows/index.ts'

export const flowDeletion: FlowDeletion = (db, tenant, flowId) => {
  const rows = scope(db, tenant)
  const ofFlow = eq(triggers.flowId, flowId)
  const ids = db.select({ id: triggers.id }).from(triggers).where(rows.inWorkspace(triggers, ofFlow))
  return [
    db.delete(triggerReceipts).where(inArray(triggerReceipts.triggerId, ids)),
    rows.delete(triggerDeliveries, inArray(triggerDeliveries.triggerId, ids)),
    rows.delete(triggers, ofFlow),
  ]
}
