/** What other areas, and the worker's entry, may use of triggers. */
export { runDelivery } from './run-delivery.ts'
