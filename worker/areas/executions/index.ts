/** What other areas may use of executions. */
export {
  deleteExecutions,
  type ExecutionOutline,
  exportedExecutions,
  noSuchExecution,
  readExecutionAsCaller,
} from './store.ts'
