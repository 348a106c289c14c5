/** What other areas may use of flows. */
export { allowedTypes, assertAllowed, flowAccess, type Verb } from './access.ts'
export { configOf, readPublicFlow } from './public.ts'
export { listFlowNames, readFlow, readFlowHead, updateFlow } from './store.ts'
export { isForsaken, NOTHING_COMES, triggerStatements, waitsForItsFlow } from './trigger-statements.ts'
export { keepDraft } from './version-statements.ts'
