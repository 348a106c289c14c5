/** The exports of this area for other areas. */
export { allowedTypes, assertAllowed, flowAccess } from './access.ts'
export {
  assertMayCall,
  bearerKey,
  isKnownCaller,
  mayNameChat,
  readCallableFlow,
  readKey,
  usableKey,
} from './callers.ts'
export { openConversationSecret } from './conversation-secret.ts'
export { deleteFlow, deletionRoutes, type FlowDeletion, flowDeletion } from './deletion.ts'
export { overridableInputs } from './flow-config.ts'
export { largeBodyFor, takesDocuments, takesUploads } from './large-body.ts'
export { type ListedFlow, listCallableFlows, listFlowNames } from './list-flows.ts'
export { findPublicFlow, listServedFlows, type PublicFlow, parseConfig, readPublicFlow } from './public.ts'
export { saveRoutes } from './save-routes.ts'
export { NO_SKETCH, selectSketch, sketchFlow } from './sketch.ts'
export { keepSourceBytes, type StoredSource } from './source-statements.ts'
export { draftSources, openSource, readSources, type StoreSources } from './sources.ts'
export {
  createFlow,
  type FlowSave,
  type KeepFiles,
  readFlow,
  readFlowHead,
  type SavedFlow,
  type UnsavedFlow,
  updateFlow,
} from './store.ts'
export { documentColumns, summarizeFlow } from './summary.ts'
export { keepDraft } from './version-statements.ts'
