/** What other areas, and the worker's entry, may use of triggers. */
export { runDueTriggers } from './cron-job.ts'
export { runDelivery } from './run-delivery.ts'
