/** What other areas and the worker’s entry may import. */
import { defineJob } from '../../jobs/instances.ts'
import type { DeliveryParams } from './delivery-params.ts'
import { runDelivery } from './run-delivery.ts'

export { runDueTriggers } from './cron-job.ts'

export const deliveryJob = defineJob<DeliveryParams>({ kind: 'delivery', run: runDelivery })
export { flowDeletion } from './flow-deletion.ts'
export { flowSave } from './flow-save.ts'
