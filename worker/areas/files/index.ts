/** The exports of this area for other areas. */

export { flowDeletion } from './flow-deletion.ts'
export { keepFlowFiles } from './flow-files.ts'
export { storeSources } from './flow-sources.ts'
export {
  assertRoom,
  deleteBytesAt,
  deleteDueFiles,
  deleteExpiredFiles,
  expectBytes,
  findFile,
  keepBytes,
  storeFiles,
  usedBytes,
} from './store.ts'
