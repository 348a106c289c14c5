/** What other areas may use of upserts. */
export { flowDeletion } from './flow-deletion.ts'
