/** What other areas may use of executions. */
export {
  deleteExecutions,
  type ExecutionOutline,
  exportedExecutions,
  readExecutionAsCaller,
} from './store.ts'
