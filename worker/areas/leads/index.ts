/** What other areas may use of leads. */
export { flowDeletion } from './flow-deletion.ts'
export { deriveLeadId } from './store.ts'
