/** What other areas may use of flows. */
export { allowedTypes, assertAllowed, flowAccess } from './access.ts'
export { listFlowNames, readFlowHead } from './store.ts'
export { keepDraft } from './version-statements.ts'
