/** What other areas may use of upserts. */
export { flowDeletion } from './flow-deletion.ts'
export { upsertJob } from './run-upsert-job.ts'
export { restartUpserts } from './upsert-jobs.ts'
