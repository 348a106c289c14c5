/** What other areas, and the worker's entry, may use of triggers. */
export { startDueRuns } from './minute.ts'
export { runDelivery } from './run-delivery.ts'
