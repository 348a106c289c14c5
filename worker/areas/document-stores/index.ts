/** What other areas may import. */

export { documentJob, runDocumentJobs } from './jobs/index.ts'
export { newIndexJobs, startIndexing } from './jobs/index-stores.ts'
export { deleteHistory, listHistory, waitForJob } from './jobs/read-jobs.ts'
export { deleteAbandonedFiles } from './sent-files.ts'
export { recordStoreUsages } from './store-usages.ts'
