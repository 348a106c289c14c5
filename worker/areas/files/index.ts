/** What other areas may import. */

export { flowDeletion } from './flow-deletion.ts'
export { deleteDueFiles, findFile, storeFiles } from './store.ts'
