/** What other areas may use of feedback. */
export { flowDeletion } from './flow-deletion.ts'
