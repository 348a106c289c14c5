/** What other areas may use of executions. */
export { answerJson } from './answer-json.ts'
export { endWaitingCalled, familyOf } from './family.ts'
export { createInstances, MAX_BATCH, PATIENCE_MS, STEP, type Steps } from './instances.ts'
export { newLease } from './lease.ts'
export {
  type Claimed,
  claimCalled,
  claimOrphan,
  findOrphans,
  isExpired,
  MAX_ATTEMPTS,
  type Orphan,
} from './orphans.ts'
export { openRunRecord, type RunRecord, type Statement } from './run-record.ts'
export { askStop, enterRun, leaveRun } from './stops.ts'
export {
  deleteExecutions,
  type ExecutionOutline,
  exportedExecutions,
  noSuchExecution,
  readExecutionAsCaller,
} from './store.ts'
