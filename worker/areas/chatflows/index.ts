/** What other areas may import. */
export { allowedTypes, assertAllowed, flowAccess, type Verb } from './access.ts'
export { deletionRoutes, type FlowDeletion, flowDeletion } from './deletion.ts'
export { configOf, readPublicFlow } from './public.ts'
export { listFlowNames, readFlow, readFlowHead, updateFlow } from './store.ts'
export { isBlockedByFlow, isDetached, NO_RUNS_LEFT, triggerStatements } from './trigger-statements.ts'
export { keepDraft } from './version-statements.ts'
