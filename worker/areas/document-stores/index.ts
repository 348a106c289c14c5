/** The exports of this area for other areas. */

export { newIndexJobs, startIndexing } from './jobs/control/index-stores.ts'
export { documentJob, runDocumentJobs } from './jobs/index.ts'
export { deleteHistory, listHistory, waitForJob } from './jobs/rows/read-jobs.ts'
export { deleteAbandonedFiles } from './sent-files.ts'
export { recordStoreUsages } from './store-usages.ts'
