/** The exports of this area for other areas. */
export { flowDeletion } from './flow-deletion.ts'
export { deriveLeadId } from './store.ts'
