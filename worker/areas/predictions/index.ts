/** What other areas may use of predictions. */
export { answerRun } from './answer.ts'
export { assertRunnable } from './call.ts'
export { derivedId } from './derived-id.ts'
export type { Ground } from './ground.ts'
export {
  answerOccasion,
  beginOccasion,
  type Occasion,
  occasionGround,
  takeUpOccasion,
} from './occasion.ts'
export { dispatchOrphans, recoverRun } from './recover.ts'
export { hasFailed } from './rows.ts'
export { type RunEnd, runFlow } from './run-flow.ts'
export type { RunStart } from './run-start.ts'
