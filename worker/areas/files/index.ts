/** What other areas may use of files. */

export { flowDeletion } from './flow-deletion.ts'
export { findFile, storeFiles } from './store.ts'
