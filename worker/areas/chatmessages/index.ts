/** What other areas may use of conversations. */

export { flowDeletion } from './flow-deletion.ts'
export { countMessages } from './store.ts'
