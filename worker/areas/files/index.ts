/** What other areas may use of files. */
export { findFile, storeFiles } from './store.ts'
