/** What other areas may use of predictions. */
export { respondWithRun } from './respond.ts'
export {
  readTriggeredRunContext,
  respondToTriggeredRun,
  resumeTriggeredRun,
  startTriggeredRun,
  type TriggeredRun,
} from './triggered-runs.ts'
