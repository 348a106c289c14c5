/** What other areas may use of executions. */

export { flowDeletion } from './flow-deletion.ts'
export { deleteOldRuns } from './retention.ts'
export {
  deleteExecutions,
  type ExecutionOutline,
  exportedExecutions,
  exportedLength,
  readExecution,
  readExecutionAsCaller,
} from './store.ts'
export { questionExcerpt } from './summary.ts'
