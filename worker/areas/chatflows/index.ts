/** What other areas may use of flows. */
export { allowedTypes, assertAllowed, flowAccess } from './access.ts'
export { readFlow } from './store.ts'
