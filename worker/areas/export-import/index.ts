/** Background work of imports. */
export { runImports } from './large/import-rows.ts'
export { largeImportJob } from './large/run-import.ts'
