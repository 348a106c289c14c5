/** What other areas may use of leads. */
export { flowDeletion } from './flow-deletion.ts'
export { leadIdOf } from './store.ts'
