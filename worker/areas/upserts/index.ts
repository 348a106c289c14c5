/** The interface of upserts to other areas. */
export { flowDeletion } from './flow-deletion.ts'
export { upsertJob } from './run-upsert-job.ts'
export { restartUpserts } from './upsert-jobs.ts'
