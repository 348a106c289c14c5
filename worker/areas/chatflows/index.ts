/** What other areas may use of flows. */
export { allowedTypes, assertAllowed, flowAccess, type Verb } from './access.ts'
export { deletionRoutes, type FlowDeletion, flowDeletion } from './deletion.ts'
export { configOf, readPublicFlow } from './public.ts'
export { listFlowNames, readFlow, readFlowHead, updateFlow } from './store.ts'
export { isBlockedByFlow, isDetached, NOTHING_COMES, triggerStatements } from './trigger-statements.ts'
export { keepDraft } from './version-statements.ts'
