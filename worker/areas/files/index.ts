/** What other areas may import. */

export { flowDeletion } from './flow-deletion.ts'
export { findFile, storeFiles } from './store.ts'
