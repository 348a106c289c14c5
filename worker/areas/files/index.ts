/** What other areas may use of files. */
export { findFile, openFiles, storeFiles } from './store.ts'
