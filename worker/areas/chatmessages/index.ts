/** What other areas may import. */

export { flowDeletion } from './flow-deletion.ts'
export { countMessages } from './store.ts'
