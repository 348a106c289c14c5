/** What other areas may use of executions. */
export { answerJson } from './answer-json.ts'
export { endWaitingCalled, familyOf } from './family.ts'
export { newLease } from './lease.ts'
export { type Claimed, claimCalled, claimOrphans, isExpired, MAX_ATTEMPTS } from './orphans.ts'
export { openRunRecord, type RunRecord, type Statement } from './run-record.ts'
export { askStop, enterRun, leaveRun } from './stops.ts'
export { deleteExecutions, exportedExecutions, readExecution } from './store.ts'
