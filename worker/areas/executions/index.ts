/** What other areas may use of executions. */

export { flowDeletion } from './flow-deletion.ts'
export {
  deleteExecutions,
  type ExecutionOutline,
  exportedExecutions,
  questionExcerpt,
  readExecutionAsCaller,
} from './store.ts'
