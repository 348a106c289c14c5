/** The exports of this area for other areas. */

export { exportedLength } from './execution-data.ts'
export { flowDeletion } from './flow-deletion.ts'
export { announceQuestions } from './question-emails.ts'
export { deleteOldRuns } from './retention.ts'
export {
  deleteExecutions,
  type ExecutionOutline,
  exportedExecutions,
  readExecution,
  readExecutionAsCaller,
} from './store.ts'
export { questionExcerpt } from './summary.ts'
